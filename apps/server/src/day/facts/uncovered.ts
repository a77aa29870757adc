import { groupBy, intersect, subtract, union, type Interval, type IsoDate } from '@clinic/domain';
import type { DayAbsence, DayAppointment } from './day.ts';
import { plannedFrom } from './grid-plan.ts';

/** The times when people are away, by person id. */
export type AwayWindows = ReadonlyMap<string, readonly Interval[]>;

/** Returns when people are away that day, by person id, joined into as few windows as possible. */
export function awayWindows(day: { readonly absences: readonly DayAbsence[] }): AwayWindows {
  const windows = groupBy(day.absences, (absence) => absence.therapistId ?? absence.clientId ?? '');
  return new Map([...windows].map(([who, list]) => [who, union(list)]));
}

/** Like `awayWindows`, but for absences on several dates: returns a function that gives a date's windows. */
export function awayByDate(
  absences: readonly (DayAbsence & { readonly date: IsoDate })[],
): (date: IsoDate) => AwayWindows {
  const dates = groupBy(absences, (absence) => absence.date);
  const windows = new Map([...dates].map(([date, list]) => [date, awayWindows({ absences: list })]));
  const nobody: AwayWindows = new Map();
  return (date) => windows.get(date) ?? nobody;
}

/** The fields that decide when an appointment has no therapist. */
export type Coverable = Pick<DayAppointment, 'start' | 'end' | 'clientId' | 'therapistId' | 'service' | 'occupies'> &
  Partial<Pick<DayAppointment, 'declined'>>;

/**
 * Whether an appointment has a therapist from start to end, past time included. An appointment that lacks a therapist
 * at any time is never shown as confirmed.
 */
export const hasTherapist = (appointment: Coverable, away: AwayWindows): boolean =>
  appointment.therapistId !== null && uncoveredOf(appointment, away, null).length === 0;

/**
 * Returns the times of a session when the client is there but no therapist is: the whole session if it has no therapist
 * or its therapist said no, otherwise the time of the therapist's absence. Empty for administrative time and for
 * appointments that take up no time.
 * @param now leaves out the time before this minute, rounded up to a quarter hour as in plans; null counts the whole
 * day
 */
export function uncoveredOf(appointment: Coverable, away: AwayWindows, now: number | null): Interval[] {
  if (!appointment.occupies || appointment.service === 'admin') return [];
  const absent = away.get(appointment.therapistId ?? '');
  const given = appointment.therapistId !== null && appointment.declined === undefined;
  if (given && absent === undefined) return []; // so it is with most sessions
  const from = Math.max(appointment.start, plannedFrom(now));
  const there = subtract([{ start: from, end: appointment.end }], away.get(appointment.clientId ?? '') ?? []);
  if (!given || absent === undefined) return there;
  return union(there.flatMap((stretch) => absent.flatMap((window) => intersect(stretch, window) ?? [])));
}
