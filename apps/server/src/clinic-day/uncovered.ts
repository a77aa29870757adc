import { intersect, subtract, union, type Interval } from '@clinic/domain';
import type { ClinicDay, DayAppointment } from './day.ts';
import { plannedFrom } from './grid-plan.ts';

/** Who is away when, by person's id. */
export type AwayWindows = ReadonlyMap<string, readonly Interval[]>;

/** The absences of a day by person, each person's as few windows as there can be. */
export function awayWindows(day: Pick<ClinicDay, 'absences'>): AwayWindows {
  const windows = new Map<string, Interval[]>();
  for (const absence of day.absences) {
    const who = absence.therapistId ?? absence.clientId ?? '';
    windows.set(who, union([...(windows.get(who) ?? []), absence]));
  }
  return windows;
}

/** What an appointment must tell for its open stretches to be known. */
export type Coverable = Pick<DayAppointment, 'start' | 'end' | 'clientId' | 'therapistId' | 'service' | 'occupies'>;

/**
 * The stretches of a session in which its client is there and nobody is with them: all of it when it has no therapist,
 * else what its therapist is away for. Nothing of administrative time, of what takes no time, or of what lies before
 * `now` (minutes; null: the day is not cut), rounded up to a quarter as plans do.
 */
export function uncoveredOf(appointment: Coverable, away: AwayWindows, now: number | null): Interval[] {
  if (!appointment.occupies || appointment.service === 'admin') return [];
  const from = Math.max(appointment.start, plannedFrom(now));
  const there = subtract([{ start: from, end: appointment.end }], away.get(appointment.clientId ?? '') ?? []);
  if (appointment.therapistId === null) return there;
  const absent = away.get(appointment.therapistId) ?? [];
  return union(there.flatMap((stretch) => absent.flatMap((window) => intersect(stretch, window) ?? [])));
}
