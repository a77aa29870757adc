import { ceilToSlot, DAY_END, DAY_START, SLOT_MINUTES, subtract, union, type Interval } from '@clinic/domain';

/**
 * Converts between real minutes and the planner's quarter hours from 7:00 to 19:00. Sessions are rounded outward, so
 * that sessions that do not overlap on the grid never overlap in real minutes either. Availability is rounded inward. A
 * piece that reaches the session's end gets the session's real end back. See docs/decisions/0020.
 */
const floorTo = (minutes: number): number => Math.floor(minutes / SLOT_MINUTES) * SLOT_MINUTES;

/** The quarter hours that a window touches, including those outside the grid's day. */
export const outward = (w: Interval): Interval => ({ start: floorTo(w.start), end: ceilToSlot(w.end) });

/** The quarter hours of the grid's day that a window touches; null when there are none. */
export function onGrid(w: Interval): Interval | null {
  const start = Math.max(DAY_START, floorTo(w.start));
  const end = Math.min(DAY_END, ceilToSlot(w.end));
  return start < end ? { start, end } : null;
}

/** The quarter hours that lie completely within these windows and are not touched by any of the `taken` times. */
export function inward(windows: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const whole = union(windows).map((w) => ({ start: ceilToSlot(w.start), end: floorTo(w.end) }));
  return subtract(whole, taken.map(outward));
}

/** The first quarter hour that can still be planned. The current quarter hour counts as past. */
export const plannedFrom = (now: number | null): number => (now === null ? 0 : ceilToSlot(now));

/**
 * Returns the real minutes of a part of a session. A part that reaches the session's start or end on the grid gets the
 * real start or end.
 */
export function toReal(real: Interval, grid: Interval, stretch: Interval): Interval {
  return {
    start: stretch.start === grid.start ? Math.max(real.start, DAY_START) : stretch.start,
    end: stretch.end === grid.end ? Math.min(real.end, DAY_END) : stretch.end,
  };
}

/** The parts of a session before 7:00 and after 19:00, which are not planned. */
export function beyondGrid(real: Interval): Interval[] {
  return subtract([real], [{ start: DAY_START, end: DAY_END }]);
}
