import { NOTICE } from '@clinic/cover-engine';
import { intersect, SLOT_MINUTES, subtract, type Interval } from '@clinic/domain';
import type { ClinicDay, DayAppointment } from '../../day/facts/day.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import type { AwayWindows } from '../../day/facts/uncovered.ts';
import type { PlannedSession } from './planned-day.ts';

/**
 * Finds the therapists who are in the building, or will be by the start of the first part that needs another therapist.
 * They have a session or administrative time that began by then, or stand by, are not away for all of it, and have
 * neither gone on to another location since nor been released. They can be told in person; everyone else has to be called.
 */
export function inBuilding(
  day: ClinicDay,
  sessions: readonly PlannedSession[],
  absences: AwayWindows,
  now: number | null,
): ReadonlySet<string> {
  const affected = sessions.flatMap((s) => s.parts.flatMap((p) => (p.affected ? [p.start] : [])));
  const before = Math.max(Math.min(...affected), now === null ? 0 : now + 1);
  const here = day.appointments.filter(
    (a) => a.occupies && a.location === day.location && a.declined === undefined && !hasGoneOn(day, a, now),
  );
  return new Set(
    day.therapists.flatMap(({ id }) => {
      const { released = [], standBy = [] } = day.freeTold.get(id) ?? {};
      const booked = here.filter(({ therapistId }) => therapistId === id);
      const there = [...subtract(booked, released), ...standBy].map((w) => ({ ...w, end: Math.min(w.end, before) }));
      const came = subtract(there, absences.get(id) ?? []);
      const hasLeft = (time: Interval): boolean => released.some((w) => time.end <= w.start && w.start < before);
      return came.some((time) => !hasLeft(time)) ? [id] : [];
    }),
  );
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

/**
 * The time of the next hour from which calls released a therapist: they may have gone home, and nobody is called in with
 * less than an hour's notice.
 */
export function releasedSoon(day: ClinicDay, therapistId: string, now: number | null): Interval[] {
  if (now === null) return [];
  const from = plannedFrom(now);
  const soon = { start: from, end: from + NOTICE * SLOT_MINUTES };
  return (day.freeTold.get(therapistId)?.released ?? []).flatMap((window) => intersect(window, soon) ?? []);
}
