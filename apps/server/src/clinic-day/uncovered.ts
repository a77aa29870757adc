import { intersect, subtract, union, type Interval } from '@clinic/domain';
import type { ClinicDay, DayAppointment } from './day.ts';
import { plannedFrom } from './grid-plan.ts';

/** Absences by the person's id. */
export type AwayWindows = ReadonlyMap<string, readonly Interval[]>;

/** The absences of a day by person, joined into as few windows as possible. */
export function awayWindows(day: Pick<ClinicDay, 'absences'>): AwayWindows {
  const windows = new Map<string, Interval[]>();
  for (const absence of day.absences) {
    const who = absence.therapistId ?? absence.clientId ?? '';
    windows.set(who, union([...(windows.get(who) ?? []), absence]));
  }
  return windows;
}

/** What must be known of an appointment to find its open stretches. */
export type Coverable = Pick<DayAppointment, 'start' | 'end' | 'clientId' | 'therapistId' | 'service' | 'occupies'> &
  Partial<Pick<DayAppointment, 'declined'>>;

/**
 * The stretches of a session in which its client is there but no therapist is: the whole session when it has no
 * therapist or its therapist said no, otherwise the time its therapist is away for. Leaves out administrative time, appointments that take no
 * time, and time before `now` (minutes; null: the day is not cut), rounded up to a quarter as plans do.
 */
export function uncoveredOf(appointment: Coverable, away: AwayWindows, now: number | null): Interval[] {
  if (!appointment.occupies || appointment.service === 'admin') return [];
  const from = Math.max(appointment.start, plannedFrom(now));
  const there = subtract([{ start: from, end: appointment.end }], away.get(appointment.clientId ?? '') ?? []);
  if (appointment.therapistId === null || appointment.declined !== undefined) return there;
  const absent = away.get(appointment.therapistId) ?? [];
  return union(there.flatMap((stretch) => absent.flatMap((window) => intersect(stretch, window) ?? [])));
}
