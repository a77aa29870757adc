import { intersect, subtract, union, type Interval } from '@clinic/domain';
import type { ClinicDay, DayAppointment } from './day.ts';
import { plannedFrom } from './grid-plan.ts';

/** When people are away, by id. */
export type AwayWindows = ReadonlyMap<string, readonly Interval[]>;

/** When people are away that day, by id, in as few windows as possible. */
export function awayWindows(day: Pick<ClinicDay, 'absences'>): AwayWindows {
  const windows = new Map<string, Interval[]>();
  for (const absence of day.absences) {
    const who = absence.therapistId ?? absence.clientId ?? '';
    windows.set(who, union([...(windows.get(who) ?? []), absence]));
  }
  return windows;
}

/** What decides when an appointment has no therapist. */
export type Coverable = Pick<DayAppointment, 'start' | 'end' | 'clientId' | 'therapistId' | 'service' | 'occupies'> &
  Partial<Pick<DayAppointment, 'declined'>>;

/**
 * The times of a session in which the client is there but no therapist is: all of it when it has no therapist or the
 * therapist said no, otherwise the time for which the therapist is away. Nothing for administrative time and
 * appointments that take no time, and nothing before `now` (minutes, rounded up to a quarter hour as in plans; null:
 * the whole day counts).
 */
export function uncoveredOf(appointment: Coverable, away: AwayWindows, now: number | null): Interval[] {
  if (!appointment.occupies || appointment.service === 'admin') return [];
  const from = Math.max(appointment.start, plannedFrom(now));
  const there = subtract([{ start: from, end: appointment.end }], away.get(appointment.clientId ?? '') ?? []);
  if (appointment.therapistId === null || appointment.declined !== undefined) return there;
  const absent = away.get(appointment.therapistId) ?? [];
  return union(there.flatMap((stretch) => absent.flatMap((window) => intersect(stretch, window) ?? [])));
}
