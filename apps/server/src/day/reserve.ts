import { DAY_END, DAY_START, intersect, isTelehealth, subtract, union, type Interval } from '@clinic/domain';
import type { ClinicDay, DayTherapist } from './facts/day.ts';
import { openWindows } from './extra-hours.ts';
import { plannedFrom } from './facts/grid-plan.ts';

/** The shortest free time that is worth listing, in minutes. */
const SHORTEST_RESERVE = 30;

/**
 * Finds when a therapist is free to cover for at least half an hour: available, neither away nor booked, between 7:00
 * and 19:00, and in the future.
 */
export function reserveWindows(
  available: readonly Interval[],
  taken: readonly Interval[],
  now: number | null,
): Interval[] {
  const outside = [
    { start: 0, end: Math.max(DAY_START, plannedFrom(now)) },
    { start: DAY_END, end: 1440 },
  ];
  return subtract(available, [...taken, ...outside]).filter((w) => w.end - w.start >= SHORTEST_RESERVE);
}

/**
 * Finds when the therapist could take sessions at the day's location, whether or not they are booked then. Includes any
 * time for which they agreed to stay late or to come early. A therapist whose home is another location can help only
 * between their first and last session here, and while their home is closed; one who sees a child here only by video
 * does not come.
 */
export function helpWindows(day: ClinicDay, therapist: DayTherapist): Interval[] {
  if (therapist.location === day.location) return union(openWindows(day, therapist));
  const here = day.appointments.filter(
    (a) => a.occupies && a.therapistId === therapist.id && a.location === day.location && !isTelehealth(a.subject),
  );
  const onSite = { start: Math.min(...here.map((a) => a.start)), end: Math.max(...here.map((a) => a.end)) };
  const may = union([...(here.length === 0 ? [] : [onSite]), ...(therapist.freed ?? [])]);
  return therapist.available.flatMap((window) => may.flatMap((time) => intersect(window, time) ?? []));
}
