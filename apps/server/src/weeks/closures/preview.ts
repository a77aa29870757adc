import type { Closure as WireClosure, ClosingPreview } from '@clinic/contract';
import {
  datesFrom,
  DAY_END,
  DAY_START,
  formatTime,
  minutesOf,
  overlaps,
  SLOT_MINUTES,
  subtract,
  timeSlot,
  type Interval,
  locationValues,
} from '@clinic/domain';
import { closedTime, closedWords, closureOf, selectClosures, type Closure } from '../../day/facts/closures.ts';
import type { DatedAppointment } from '../../day/facts/day.ts';
import type { WallOf } from '../../day/facts/present.ts';
import type { Caller } from '../../access/sessions.ts';
import { requireLocation } from '../../access/caller.ts';
import { isoOf } from '../../platform/clock.ts';
import type { Db } from '../../db/connection.ts';
import {
  countAbsences,
  selectFamilies,
  selectListed,
  selectToTakePlace,
  sessionsOf,
  type ListedClosure,
} from './closures.queries.ts';
import { checkClosing, isByVideo, sessionsToCancel, type Closing } from './closures.service.ts';

/** How many families a preview names, those with the earliest session first. */
const FIRST_FAMILIES = 6;

/** Says what a closure would cancel, and whom it concerns. Writes nothing. */
export async function previewClosing(
  db: Db,
  wallOf: WallOf,
  closing: Closing,
  caller: Caller,
): Promise<ClosingPreview> {
  for (const location of closing.locations) requireLocation(caller, location);
  checkClosing(closing);
  const { all, lost, off, video, short } = await sessionsToCancel(db, wallOf, closing);
  const known = await selectClosures(db, closing.firstDate, closing.lastDate);
  const sessions = lost.filter(({ clientId }) => clientId !== null);
  const families = await selectFamilies(db, idsOf(sessions, 'clientId'));
  const first = new Map(sessions.toReversed().map((each) => [each.clientId ?? '', each]));
  return {
    sessions: sessions.length,
    minutes: sum(sessions.map((each) => lostOf(each, off(each)))),
    families: families.size,
    staff: idsOf(lost, 'therapistId').length,
    days: closing.locations.flatMap((location) =>
      datesFrom(closing.firstDate, closing.lastDate).flatMap((date) => {
        const time = closedTime(closing, date);
        const own = all.filter((each) => each.location === location && each.date === date);
        return time === null ? [] : [dayOf({ location, date }, time, own, { lost, off, known })];
      }),
    ),
    first: [...first.values()]
      .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.start - b.start))
      .slice(0, FIRST_FAMILIES)
      .map((each) => ({
        date: each.date,
        time: timeSlot(each.start, each.end),
        name: families.get(each.clientId ?? '')?.name ?? '',
        phone: families.get(each.clientId ?? '')?.phone ?? null,
      })),
    video,
    short,
    absences: await countAbsences(db, closing.locations, closing.firstDate, closing.lastDate),
    words: `${closing.locations.map((location) => closedWords({ ...closing, location })).join(' ')}${video > 0 && !closing.cancelVideo ? ' Your sessions there then do not take place; sessions by video do.' : ' Your sessions then do not take place.'}`,
  };
}

const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
const lostOf = (session: Interval, off: readonly Interval[]): number =>
  minutesOf([session]) - minutesOf(subtract([session], off));
const idsOf = (list: readonly DatedAppointment[], which: 'clientId' | 'therapistId'): string[] => [
  ...new Set(list.flatMap((each) => each[which] ?? [])),
];

function dayOf(
  { location, date }: Pick<DatedAppointment, 'location' | 'date'>,
  time: Interval,
  own: readonly DatedAppointment[],
  {
    lost: all,
    off,
    known,
  }: {
    lost: readonly DatedAppointment[];
    off: (each: DatedAppointment) => readonly Interval[];
    known: readonly Closure[];
  },
): ClosingPreview['days'][number] {
  const sessions = own.filter((each) => each.clientId !== null);
  const lost = sessions.filter((each) => all.includes(each));
  const slots = Array.from({ length: (DAY_END - DAY_START) / SLOT_MINUTES }, (_, i) => DAY_START + i * SLOT_MINUTES);
  return {
    location,
    date,
    from_time: formatTime(time.start),
    to_time: formatTime(time.end),
    load: slots.map((start) => sessions.filter((each) => overlaps(each, { start, end: start + SLOT_MINUTES })).length),
    sessions: lost.length,
    minutes: sum(lost.map((each) => lostOf(each, off(each)))),
    families: idsOf(lost, 'clientId').length,
    // Whoever loses only administrative time is told, too.
    staff: idsOf(
      own.filter((each) => all.includes(each)),
      'therapistId',
    ).length,
    stay: sessions.length - lost.length,
    already: [
      ...new Set(known.filter((each) => closureOf([each], { ...time, location, date })).map(({ name }) => name)),
    ],
  };
}

/**
 * The closures and holidays of an account's locations from each location's today on, each with what still takes place in
 * its time.
 */
export async function listClosures(db: Db, wallOf: WallOf, caller: Caller): Promise<WireClosure[]> {
  const days = locationValues().map((location) => wallOf(location).date);
  const first = days.reduce((a, b) => (a < b ? a : b));
  const all = await selectListed(db, caller.locations, first);
  const list = all.filter(({ location, lastDate }) => lastDate >= wallOf(location).date);
  const last = list
    .map(({ lastDate }) => lastDate)
    .sort()
    .at(-1);
  if (last === undefined) return [];
  const places = [...new Set(list.map(({ location }) => location))];
  const booked = await selectToTakePlace(db, places, first, last);
  return list.map((each) => presentClosure(each, booked));
}

function presentClosure(closure: ListedClosure, booked: readonly DatedAppointment[]): WireClosure {
  const { id, act, location, firstDate, firstMinute, lastDate, lastMinute, name, cause, holiday, by, at } = closure;
  return {
    id,
    act,
    location,
    from_date: firstDate,
    from_time: formatTime(firstMinute),
    to_date: lastDate,
    to_time: formatTime(lastMinute),
    name,
    cause,
    holiday,
    by,
    at: isoOf(at),
    cancelled: sessionsOf(closure.changes),
    booked: booked.filter(
      (each) => each.clientId !== null && (holiday || !isByVideo(each)) && closureOf([closure], each),
    ).length,
  };
}
