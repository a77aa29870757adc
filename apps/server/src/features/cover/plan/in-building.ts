import { subtract } from '@clinic/domain';
import type { ClinicDay, DayAppointment } from '../../../clinic-day/day.ts';
import type { AwayWindows } from '../../../clinic-day/uncovered.ts';
import type { PlannedSession } from './planned-day.ts';

/**
 * Finds the therapists who are in the building, or will be by the start of the first part that needs another therapist.
 * They have a session or administrative time that began by then, are not away for all of it, and have not gone on to
 * another location since. They can be told in person; everyone else has to be called.
 */
export function inBuilding(
  day: ClinicDay,
  sessions: readonly PlannedSession[],
  absences: AwayWindows,
  now: number | null,
): ReadonlySet<string> {
  const affected = sessions.flatMap((s) => s.parts.flatMap((p) => (p.affected ? [p.start] : [])));
  const before = Math.max(Math.min(...affected), now === null ? 0 : now + 1);
  const theirs = day.appointments.flatMap((a) => {
    if (!a.occupies || a.location !== day.location || a.declined !== undefined || a.therapistId === null) return [];
    const there = { start: a.start, end: Math.min(a.end, before) };
    if (there.end <= there.start || hasGoneOn(day, a, now)) return [];
    return subtract([there], absences.get(a.therapistId) ?? []).length > 0 ? [a.therapistId] : [];
  });
  return new Set(theirs);
}

/** Whether the appointment is over and its therapist has begun a later one at another location. */
const hasGoneOn = (day: ClinicDay, { end, therapistId }: DayAppointment, now: number | null): boolean =>
  now !== null &&
  end <= now &&
  day.appointments.some(
    (a) =>
      a.therapistId === therapistId &&
      a.occupies &&
      a.declined === undefined &&
      a.location !== day.location &&
      end <= a.start &&
      a.start <= now,
  );
