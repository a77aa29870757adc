import { addDays, clockTime, dayOfWeek, duration, mondayOf, parseDate, type IsoDate } from '@clinic/domain';
import type { TimeslotDay } from '@clinic/contract';

/** One booked session of the week. `start` and `end` are wall time, `YYYY-MM-DDTHH:MM:SS`. */
export interface Session {
  start: string;
  end: string;
}

export interface Day {
  date: IsoDate;
  sessions: Session[];
}

const minutesAt = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16));

/** How long a session lasts, in minutes; one that lasts until midnight ends on the next date, at 00:00. */
const lengthOf = ({ start, end }: Session): number =>
  minutesAt(end) - minutesAt(start) + (end.slice(0, 10) === start.slice(0, 10) ? 0 : 1440);

/** `8:30 AM - 11:30 AM`, or only the start when the reply gave no end. */
export const sessionTime = (s: Session): string =>
  s.end === s.start
    ? clockTime(minutesAt(s.start))
    : `${clockTime(minutesAt(s.start))} - ${clockTime(minutesAt(s.end))}`;

/** The Monday of a date's week; null when the text is not a date. */
export function weekOf(startDate: string): IsoDate | null {
  const date = parseDate(startDate.slice(0, 10));
  return date && mondayOf(date);
}

/** The fields that the specification requires of each day in the reply; our server sends more. */
export type SpecifiedDay = Pick<TimeslotDay, 'slots'> & Partial<TimeslotDay>;

/** The days to show: Monday to Friday, and a weekend day only when it has bookings. */
export function columns(monday: IsoDate, data: readonly SpecifiedDay[]): Day[] {
  const all = data.flatMap((day) => day.slots.map((start, i) => ({ start, end: day.ends?.[i] ?? start })));
  return Array.from({ length: 7 }, (_, i) => addDays(monday, i))
    .map((date) => ({ date, sessions: all.filter((s) => s.start.startsWith(date)) }))
    .filter((day) => day.sessions.length > 0 || (dayOfWeek(day.date) > 0 && dayOfWeek(day.date) < 6));
}

/** Identifies a session: two sessions may start at the same time and end at different times. */
export const keyOf = (s: Session): string => `${s.start}/${s.end}`;

export const allChosen = (day: Day, chosen: ReadonlySet<string>): boolean =>
  day.sessions.length > 0 && day.sessions.every((s) => chosen.has(keyOf(s)));
export const someChosen = (day: Day, chosen: ReadonlySet<string>): boolean =>
  day.sessions.some((s) => chosen.has(keyOf(s)));

/**
 * The sessions chosen after a click on a day's `Select All`: the click adds the whole day, or removes it if all of it
 * was chosen.
 */
export function toggleDay(day: Day, chosen: ReadonlySet<string>): Set<string> {
  const next = new Set(chosen);
  const all = allChosen(day, chosen);
  for (const s of day.sessions) {
    if (all) next.delete(keyOf(s));
    else next.add(keyOf(s));
  }
  return next;
}

export function toggleSession(session: Session, chosen: ReadonlySet<string>): Set<string> {
  const next = new Set(chosen);
  if (!next.delete(keyOf(session))) next.add(keyOf(session));
  return next;
}

export const chosenSessions = (days: readonly Day[], chosen: ReadonlySet<string>): Session[] =>
  days.flatMap((d) => d.sessions.filter((s) => chosen.has(keyOf(s))));

/** For example `3 sessions selected, 9 h 30 min on 2 days`. */
export function summary(sessions: readonly Session[]): string {
  if (sessions.length === 0) return 'No sessions selected';
  const minutes = sessions.reduce((sum, s) => sum + lengthOf(s), 0);
  const days = new Set(sessions.map((s) => s.start.slice(0, 10))).size;
  const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  return `${plural(sessions.length, 'session')} selected, ${duration(minutes)} on ${plural(days, 'day')}`;
}
