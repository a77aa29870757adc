import type { Closure, SlotsReply } from '@clinic/contract';
import {
  DAY_END,
  DAY_START,
  MINUTES_A_DAY,
  MONTHS,
  addDays,
  clockTime,
  dayOfWeek,
  minutesOf,
  mondayOf,
  overlaps,
  parseTime,
  subtract,
  union,
  weekdayName,
  endMinute,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { isOff, isUnassigned, keyOf, type CalendarAppointment } from './appointments.ts';
import { piecesOf, type View } from './bars.ts';
import { touching } from './model.ts';
import { buildRows, readAvailable, readDay, type Available, type AwayWindow, type BaseRow, type Day } from './rows.ts';

/** The dates of a date's week, from Monday to Sunday, as the hours of therapists are counted. */
export const weekDates = (date: IsoDate): IsoDate[] =>
  Array.from({ length: 7 }, (_, day) => addDays(mondayOf(date), day));

const monthDay = (date: IsoDate): string =>
  `${MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3)} ${Number(date.slice(8))}`;

/** A week as it is spoken of: `Nov 23 - 29, 2026`, `Dec 28, 2026 - Jan 3, 2027`. */
export function weekWords(date: IsoDate): string {
  const monday = mondayOf(date);
  const sunday = addDays(monday, 6);
  const [from, to] = [monday.slice(0, 4), sunday.slice(0, 4)];
  const end = monday.slice(0, 7) === sunday.slice(0, 7) ? String(Number(sunday.slice(8))) : monthDay(sunday);
  return `${monthDay(monday)}${from === to ? '' : `, ${from}`} - ${end}, ${to}`;
}

/** `Mon 23` */
export const dayWords = (date: IsoDate): string =>
  `${weekdayName(dayOfWeek(date)).slice(0, 3)} ${Number(date.slice(8))}`;

/** Hours as one compares them: `2½ h`. */
export function hoursShort(minutes: number): string {
  const halves = Math.round(minutes / 30);
  const whole = Math.floor(halves / 2);
  return `${whole === 0 && halves > 0 ? '' : whole}${halves % 2 === 1 ? '½' : ''} h`;
}

/** A time when a location is closed on a date. */
export interface Closed extends Interval {
  readonly name: string;
}

/** When a location is closed on a date. */
export function closedOn(closures: readonly Closure[], location: Location, date: IsoDate): Closed[] {
  return closures
    .filter((each) => each.location === location && each.from_date <= date && date <= each.to_date)
    .map(({ name, from_date, from_time, to_date, to_time }) => ({
      name,
      start: from_date === date ? (parseTime(from_time) ?? 0) : 0,
      end: to_date === date ? endMinute(parseTime(to_time) ?? MINUTES_A_DAY) : MINUTES_A_DAY,
    }));
}

/** One date of a week, read. */
export interface DayOfWeek {
  readonly date: IsoDate;
  readonly day: Day;
  readonly available: Available;
  readonly closed: readonly Closed[];
  readonly rows: readonly BaseRow[];
}

/** Reads a date of a week as the day's calendar does. */
export function readWeekDay(
  date: IsoDate,
  reply: SlotsReply,
  view: View,
  adminClient: string,
  closed: readonly Closed[],
): DayOfWeek {
  const day = readDay(reply, adminClient);
  const available = readAvailable(reply);
  return { date, day, available, closed, rows: buildRows(reply, day, view, available) };
}

export const NO_ROW: Omit<BaseRow, 'id' | 'name' | 'key'> = {
  person: null,
  open: false,
  credential: null,
  available: [],
  stored: [],
  sessions: [],
  traces: [],
  brackets: new Map(),
};

/** A person's row on a date; one without anything if they have none. */
const rowIn = ({ rows }: DayOfWeek, key: string, name: string): BaseRow =>
  rows.find((row) => row.key === key && !row.open) ?? { ...NO_ROW, id: key, name, key };

/** How much of a person's time on a date, or in a week, is what. */
export interface Minutes {
  readonly sessions: number;
  readonly covers: number;
  readonly admin: number;
  readonly open: number;
  readonly off: number;
  readonly free: number;
}
export const NO_MINUTES: Minutes = { sessions: 0, covers: 0, admin: 0, open: 0, off: 0, free: 0 };

export const addMinutes = (a: Minutes, b: Minutes): Minutes => ({
  sessions: a.sessions + b.sessions,
  covers: a.covers + b.covers,
  admin: a.admin + b.admin,
  open: a.open + b.open,
  off: a.off + b.off,
  free: a.free + b.free,
});

/** The absences that concern a row of a date. */
const awayFor = (row: BaseRow, view: View, { day }: DayOfWeek): readonly AwayWindow[] =>
  touching(row, view, day.stored);

/** When a therapist is available, has no session, is not away, and the location is open. */
export function freeOf(row: BaseRow, { closed }: Pick<DayOfWeek, 'closed'>): Interval[] {
  const taken = row.sessions.filter(([first]) => !isOff(first));
  return subtract(
    row.available,
    union([...taken.map(([{ start, end }]) => ({ start, end })), ...row.stored, ...closed]),
  );
}

/** Adds up what a person has on a date. A group counts once. */
export function minutesIn(row: BaseRow, view: View, on: DayOfWeek): Minutes {
  const away = awayFor(row, view, on);
  const sum = { ...NO_MINUTES, free: minutesOf(freeOf(row, on)) };
  for (const [first] of row.sessions)
    for (const { kind, window } of piecesOf(first, awayOfSession(first, away))) {
      const length = window.end - window.start;
      if (kind === 'gone') sum.off += length;
      else if (kind === 'open') sum.open += length;
      else if (kind === 'admin') sum.admin += length;
      else {
        sum.sessions += length;
        if (first.hadNobody || first.bookedWith !== null) sum.covers += length;
      }
    }
  return sum;
}

/** How many therapists see a child in the week: sessions that take place, with someone. */
export const facesIn = (days: readonly DayOfWeek[], name: string): number =>
  new Set(
    days.flatMap(({ day }) =>
      day.appointments
        .filter((each) => each.clientKey === keyOf(name) && !isOff(each) && !isUnassigned(each.therapist))
        .filter(({ start, end, uncovered }) => minutesOf(uncovered) < end - start)
        .map(({ therapistKey }) => therapistKey),
    ),
  ).size;

/** The server has marked the time lost to therapists' absences already. */
const awayOfSession = (session: CalendarAppointment, away: readonly AwayWindow[]) => ({
  therapist: [],
  back: [],
  client: away.filter(({ type, key }) => type === 'client' && key === session.clientKey),
});

/** A person's week: a row of the grid for each date. Saturday and Sunday are low while nothing lies in them. */
export function personRows(
  days: readonly DayOfWeek[],
  view: View,
  name: string,
  today: IsoDate | null,
  place: string,
): BaseRow[] {
  const key = keyOf(name);
  return days.map((on) => {
    const row = rowIn(on, key, name);
    const said = [
      ...row.stored.map((away) => ({ start: away.start, end: away.end, words: awayWords(away) })),
      ...on.closed.map(({ start, end, name: why }) => ({ start, end, words: `${why}: ${place} is closed` })),
    ].filter((each) => overlaps(each, { start: DAY_START, end: DAY_END }));
    const quiet = row.sessions.length + row.available.length + row.traces.length + said.length === 0;
    return {
      ...row,
      id: on.date,
      name: dayWords(on.date),
      person: null,
      stored: [],
      day: { note: noteOf(row, view, on, on.date === today, quiet), today: on.date === today, quiet, said },
    };
  });
}

function noteOf(row: BaseRow, view: View, on: DayOfWeek, isToday: boolean, quiet: boolean): string {
  if (quiet) return isToday ? 'Today' : '';
  const { sessions, admin, free } = minutesIn(row, view, on);
  return [
    ...(isToday ? ['Today'] : []),
    hoursShort(sessions + admin),
    ...(view === 'therapist' && free > 0 ? [`${hoursShort(free)} free`] : []),
  ].join(', ');
}

const awayWords = ({ start, end }: Interval): string =>
  start <= DAY_START && end >= DAY_END
    ? 'Away all day'
    : end >= DAY_END
      ? `Away from ${clockTime(start)}`
      : start <= DAY_START
        ? `Away until ${clockTime(end)}`
        : `Away ${clockTime(start)} - ${clockTime(end)}`;

/** The absences of all dates, each for its own row. */
export const storedOf = (days: readonly DayOfWeek[]): AwayWindow[] =>
  days.flatMap(({ date, day }) => day.stored.map((away) => ({ ...away, row: date })));
