// This file is over 250 lines because closing, previewing and reopening share what a closure takes and how it is settled.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { MOST_CLOSED_DAYS, MOST_CLOSED_SESSIONS, type Reopened } from '@clinic/contract';
import {
  addDays,
  datesFrom,
  daysBetween,
  formatTime,
  groupBy,
  intersect,
  isTelehealth,
  minutesOf,
  MINUTES_A_DAY,
  overlaps,
  subtract,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { requireLocation } from '../../access/caller.ts';
import { atEach, audit } from '../../access/audit.ts';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import { closedTime } from '../../day/facts/closures.ts';
import type { DatedAppointment } from '../../day/facts/day.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import { readLoss } from '../../day/facts/losses.ts';
import { cutAt, isDemoClinic, isOver, type WallOf } from '../../day/facts/present.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, locksOf } from '../../db/locks.ts';
import { inTransaction, previewed } from '../../db/retry.ts';
import { asideTime, bringBackAside, firstMoment, setAside } from '../../plan/problem/set-aside.ts';
import { isoAt } from '../../platform/clock.ts';
import { publishAppointments } from '../../platform/events.ts';
import { refusal } from '../../platform/refusal.ts';
import { selectNames } from '../../people/people.ts';
import { WORKED_THERE_DAYS } from '../../people/therapists.queries.ts';
import { openCallDays } from '../../tell/memory/call-day.ts';
import { lockClosure, peopleOf, selectToTakePlace, sessionsOf } from './closures.queries.ts';

/** A time without a break in which locations are to be closed. */
export interface Closing {
  readonly locations: readonly Location[];
  readonly firstDate: IsoDate;
  readonly firstMinute: number;
  readonly lastDate: IsoDate;
  readonly lastMinute: number;
  readonly name: string;
  readonly cause: string | null;
  /** Whether sessions by video are cancelled, too: nobody comes to the location for them. */
  readonly cancelVideo: boolean;
  /** Whether what is left of a child's time is cancelled, too, where it is under an hour. */
  readonly cancelShort: boolean;
}

/** Under so many minutes, what a closure leaves of a child's time is hardly worth coming for. */
const SHORT = 60;

/** Refuses a time that ends before it begins, or that is too long for one act. */
export function checkClosing(closing: Closing): void {
  const { firstDate, firstMinute, lastDate, lastMinute } = closing;
  if (lastDate < firstDate || (firstDate === lastDate && lastMinute <= firstMinute)) throw refusal('closure-reversed');
  const days = daysBetween(firstDate, lastDate) + 1;
  if (days > MOST_CLOSED_DAYS) throw refusal('closure-too-long', days, MOST_CLOSED_DAYS);
}

type Place = Pick<DatedAppointment, 'location' | 'date'>;

/** What of a date is still to come: what has begun or passed stays as it is. In a demo clinic, no time counts as past. */
async function timeAhead(db: Db, wallOf: WallOf) {
  const isDemo = await isDemoClinic(db);
  return ({ location, date }: Place): Interval[] => {
    const wall = wallOf(location);
    const cut = cutAt(wall, isDemo);
    return isOver(date, wall, cut) ? [] : [{ start: plannedFrom(cut(date)), end: MINUTES_A_DAY }];
  };
}

/**
 * The sessions of which a closure cancels at least a part, and what it takes from each; how many by video are in its
 * time; and how many sessions keep less than an hour of a child's time, or would.
 */
export async function sessionsToCancel(db: Db, wallOf: WallOf, closing: Closing) {
  const ahead = await timeAhead(db, wallOf);
  const all = await selectToTakePlace(db, closing.locations, closing.firstDate, closing.lastDate);
  const closed = (each: Place): Interval[] => {
    const time = closedTime(closing, each.date);
    return time === null ? [] : ahead(each).flatMap((window) => intersect(window, time) ?? []);
  };
  const inIt = all.filter((each) => isCut(each, closed(each)));
  const stays = (each: DatedAppointment): boolean => !closing.cancelVideo && isByVideo(each);
  const short = shortRests(
    all.filter((each) => !stays(each)),
    closed,
    ahead,
  );
  const rests = (each: DatedAppointment): Interval[] => (stays(each) ? [] : (short.get(visitOf(each)) ?? []));
  const off = (each: DatedAppointment): Interval[] =>
    closing.cancelShort ? [...closed(each), ...rests(each)] : closed(each);
  const lost = all.filter((each) => !stays(each) && isCut(each, off(each)));
  if (lost.length > MOST_CLOSED_SESSIONS) throw refusal('closure-too-large', lost.length, MOST_CLOSED_SESSIONS);
  return {
    all,
    lost,
    off,
    video: inIt.filter(isByVideo).length,
    short: all.filter((each) => isCut(each, rests(each))).length,
  };
}

const isCut = (session: Interval, off: readonly Interval[]): boolean =>
  minutesOf(subtract([session], off)) < minutesOf([session]);

const visitOf = ({ clientId, location, date }: DatedAppointment): string => `${clientId} ${location} ${date}`;

/**
 * The stretches of a child's time, by child, location and date, that are under an hour because a session is cut, and
 * that have not begun: the rest of a session, together with what lies within or beside it.
 */
function shortRests(
  sessions: readonly DatedAppointment[],
  closed: (each: Place) => readonly Interval[],
  ahead: (each: Place) => readonly Interval[],
): Map<string, Interval[]> {
  const ofChildren = sessions.filter(({ clientId }) => clientId !== null);
  const short = new Map<string, Interval[]>();
  for (const [visit, list] of groupBy(ofChildren, visitOf)) {
    const [off, still] = [closed(list[0]), ahead(list[0])];
    const rests = list.filter((each) => isCut(each, off)).flatMap((each) => subtract([each], off));
    const under = subtract(list, off).filter(
      (stretch) =>
        minutesOf([stretch]) < SHORT &&
        minutesOf(subtract([stretch], still)) === 0 &&
        rests.some((rest) => overlaps(rest, stretch)),
    );
    if (under.length > 0) short.set(visit, under);
  }
  return short;
}

/** Whether a session takes place by video. Administrative time needs the location, whatever it is called. */
export const isByVideo = ({ clientId, subject }: Pick<DatedAppointment, 'clientId' | 'subject'>): boolean =>
  clientId !== null && isTelehealth(subject);

/** What closing did. */
export interface Closed {
  readonly closures: readonly string[];
  readonly sessions: number;
  readonly families: number;
  readonly staff: number;
}

/**
 * Closes locations for a time: cancels every session in it, all or none, as lost by the clinic (by video only if asked),
 * and opens the call lists of its dates, so that everybody is told. A session that lies only partly in it keeps the
 * rest, unless it is asked to cancel short rests. The same closure sent again changes nothing.
 */
export async function close(db: Db, wallOf: WallOf, closing: Closing, act: Act): Promise<Closed> {
  for (const location of closing.locations) requireLocation(act.caller, location);
  checkClosing(closing);
  return inTransaction(db, async (trx) => {
    await lockAll(
      trx,
      closing.locations.map((location) => `closures-of:${location}`),
    );
    const { lost } = await sessionsToCancel(trx, wallOf, closing);
    await lockAll(trx, locksOf(lost));
    // Read again: only now can nobody change them.
    const { lost: sessions, off } = await sessionsToCancel(trx, wallOf, closing);
    const done = randomUUID();
    const closures: string[] = [];
    const all: AppointmentChange[] = [];
    for (const location of closing.locations) {
      const same = await selectSame(trx, location, closing);
      const own = sessions.filter((each) => each.location === location);
      if (same !== undefined && own.length === 0) {
        closures.push(same);
        continue;
      }
      await openCallDays(
        trx,
        [...new Set(own.map(({ date }) => date))].map((date) => ({ location, date })),
      );
      const said = { cause: closing.cause, lost_by: 'clinic' as const };
      const loss = await readLoss(trx, said, wallOf(location));
      const changes = await setAside(trx, own, off, { loss, reason: `Closed: ${closing.name}` }, act);
      closures.push(await insertClosure(trx, { location, closing, act: done, changes }, act));
      await settle(trx, location, closing, changes, 'closure.made', act);
      all.push(...changes);
    }
    return { closures, sessions: sessionsOf(all), ...peopleOf(all) };
  });
}

async function selectSame(trx: Db, location: Location, closing: Closing): Promise<string | undefined> {
  const row = await trx
    .selectFrom('closure')
    .select('id')
    .where('location', '=', location)
    .where('first_date', '=', closing.firstDate)
    .where('first_minute', '=', closing.firstMinute)
    .where('last_date', '=', closing.lastDate)
    .where('last_minute', '=', closing.lastMinute)
    .where('name', '=', closing.name)
    .where('holiday', '=', false)
    .where('reopened_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

async function insertClosure(
  trx: Db,
  made: { location: Location; closing: Closing; act: string; changes: readonly AppointmentChange[] },
  act: Act,
): Promise<string> {
  const { location, closing, changes } = made;
  const { id } = await trx
    .insertInto('closure')
    .values({
      act: made.act,
      location,
      first_date: closing.firstDate,
      first_minute: closing.firstMinute,
      last_date: closing.lastDate,
      last_minute: closing.lastMinute,
      name: closing.name,
      cause_id: closing.cause,
      changes: JSON.stringify(changes),
      recorded_by: act.caller.id,
      recorded_at: isoAt(act.at),
      reopened_by: null,
      reopened_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives each day of the closure a new version, tells open pages, and audits. */
async function settle(
  trx: Db,
  location: Location,
  closing: Omit<Closing, 'locations' | 'cause' | 'cancelVideo' | 'cancelShort'>,
  changes: readonly AppointmentChange[],
  action: 'closure.made' | 'closure.reopened',
  act: Act,
): Promise<void> {
  const therapists = [...new Set(changes.flatMap(({ before, after }) => (before ?? after).therapistId ?? []))];
  // Whoever is free here now may be wanted at their own location, and wherever they worked lately.
  const { rows } = await sql<{ location: Location }>`
    with freed as (select id, location from therapist where id = ${anyOf(therapists)} or location = ${location})
    select location from freed union select a.location from appointment a join freed on freed.id = a.therapist_id
    where a.starts >= ${closing.firstDate}::date - ${sql.lit(WORKED_THERE_DAYS)} and a.starts < ${closing.lastDate}::date + 1`.execute(
    trx,
  );
  const places = [...new Set([location, ...rows.map((row) => row.location)])];
  const days = datesFrom(closing.firstDate, closing.lastDate).flatMap((date) =>
    places.map((at) => ({ location: at, date })),
  );
  await bumpDays(trx, days);
  await publishAppointments(trx, days, act.caller.id);
  const { firstDate, firstMinute, lastDate, lastMinute, name } = closing;
  const detail = { name, from: `${firstDate} ${formatTime(firstMinute)}`, to: `${lastDate} ${formatTime(lastMinute)}` };
  const clients = [...new Set(changes.flatMap(({ clientId }) => clientId ?? []))];
  await audit(
    trx,
    act.at,
    ...atEach([location], {
      action,
      subjectKind: 'appointment',
      subjectIds: changes.map(({ key }) => key),
      accountId: act.caller.id,
      requestId: act.requestId,
      detail: { ...detail, clients },
    }),
  );
}

interface Reopening {
  readonly location: Location;
  readonly from: IsoDate | undefined;
}

/** Says what `reopen` would do. */
export const previewReopening = (db: Db, wallOf: WallOf, id: string, on: Reopening, act: Act): Promise<Reopened> =>
  previewed(db, (trx) => reopenWithin(trx, wallOf, id, on, act));

/**
 * Reopens a location, from a date on if one is given: the sessions that nobody has changed since come back as they were.
 * Says which do not, and why. A holiday only leaves the list.
 */
export const reopen = (db: Db, wallOf: WallOf, id: string, on: Reopening, act: Act): Promise<Reopened> =>
  inTransaction(db, (trx) => reopenWithin(trx, wallOf, id, on, act));

async function reopenWithin(
  trx: Db,
  wallOf: WallOf,
  id: string,
  { location, from }: Reopening,
  act: Act,
): Promise<Reopened> {
  const closure = await lockClosure(trx, id);
  if (!closure || closure.location !== location) throw refusal('no-such-closure');
  const cut = from !== undefined && from > closure.firstDate ? from : null;
  if (cut !== null && cut > closure.lastDate) throw refusal('no-such-closure');
  const meant = closure.changes.filter(({ date }) => cut === null || date >= cut);
  const moment = firstMoment(wallOf(location), await isDemoClinic(trx));
  const { back, stays } = await bringBackAside(
    trx,
    meant,
    { from: moment, reason: `Open again: ${closure.name}` },
    act,
  );
  const rest = closure.changes.filter((each) => !meant.includes(each));
  if (cut === null)
    await trx
      .updateTable('closure')
      .set({ reopened_at: isoAt(act.at), reopened_by: act.caller.id })
      .where('id', '=', id)
      .execute();
  else
    await sql`update closure set last_date = ${addDays(cut, -1)}::date, last_minute = 1440,
      changes = ${JSON.stringify(rest)}::jsonb where id = ${id}`.execute(trx);
  await settle(trx, location, closure, back, 'closure.reopened', act);
  return { back: sessionsOf(back), stays: await presentStays(trx, stays), ...peopleOf(back) };
}

async function presentStays(
  trx: Db,
  stays: readonly (AppointmentChange & { readonly why: string })[],
): Promise<Reopened['stays']> {
  const therapistOf = ({ before, after }: AppointmentChange): string | null => (before ?? after).therapistId;
  const names = await selectNames(
    trx,
    stays.flatMap((each) => [each.clientId ?? '', therapistOf(each) ?? '']),
  );
  return stays
    .filter(({ clientId }) => clientId !== null)
    .map((each) => {
      const therapist = therapistOf(each);
      const client = names.get(each.clientId ?? '') ?? '';
      return {
        ...asideTime(each),
        client,
        therapist: therapist === null ? null : (names.get(therapist) ?? ''),
        why: each.why,
      };
    });
}
