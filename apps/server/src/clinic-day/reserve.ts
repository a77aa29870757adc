import { DAY_END, DAY_START, subtract, type Interval } from '@clinic/domain';
import { plannedFrom } from './grid-plan.ts';

/** Shorter free times are of no use for cover. */
const SHORTEST_RESERVE = 30;

/**
 * A therapist's reserve: when they are available and not taken (away or booked), from 7:00 to 19:00, and only after the
 * present if the day is cut.
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
