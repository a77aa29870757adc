import { DAY_END, DAY_START, SLOT_MINUTES, subtract, union, type Interval } from '@clinic/domain';
import type { Window } from './day.ts';

/**
 * Converts between real minutes and the planner's grid of quarter hours, 7:00 to 19:00. Sessions are rounded outward,
 * so that sessions apart on the grid cannot overlap in real minutes; a piece that reaches an end of its session gets
 * the session's true end back. Availability is rounded inward. See docs/decisions/0020.
 */
const floorTo = (minutes: number): number => Math.floor(minutes / SLOT_MINUTES) * SLOT_MINUTES;
const ceilTo = (minutes: number): number => Math.ceil(minutes / SLOT_MINUTES) * SLOT_MINUTES;

/** The quarter hours that a window touches; may reach beyond the grid's day. */
export const outward = (w: Interval): Window => ({ start: floorTo(w.start), end: ceilTo(w.end) });

/** The quarter hours of the grid's day that a window touches; null when it touches none. */
export function onGrid(w: Interval): Window | null {
  const start = Math.max(DAY_START, floorTo(w.start));
  const end = Math.min(DAY_END, ceilTo(w.end));
  return start < end ? { start, end } : null;
}

/** The whole quarter hours within these windows, without the sessions elsewhere. */
export function inward(windows: readonly Interval[], taken: readonly Interval[]): Window[] {
  const whole = union(windows).map((w) => ({ start: ceilTo(w.start), end: floorTo(w.end) }));
  return subtract(whole, taken.map(outward));
}

/** The first quarter hour that can still be planned; the current one counts as over. */
export const plannedFrom = (now: number | null): number => (now === null ? 0 : ceilTo(now));

/**
 * Real minutes of a stretch of a session's grid window, with the session's true ends where the stretch reaches them.
 */
export function toReal(real: Interval, grid: Interval, stretch: Interval): Window {
  return {
    start: stretch.start === grid.start ? Math.max(real.start, DAY_START) : stretch.start,
    end: stretch.end === grid.end ? Math.min(real.end, DAY_END) : stretch.end,
  };
}

/** The time before 7:00 and after 19:00, which is not planned. */
export function beyondGrid(real: Interval): Window[] {
  return subtract([real], [{ start: DAY_START, end: DAY_END }]);
}
