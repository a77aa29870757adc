import { subtract, type Interval } from './interval.ts';

/** The most that someone is asked to stay late or to come early, in minutes. */
export const MOST_EXTRA = 60;

/** When a therapist's day of availability begins and ends; null when they are not there then, or cannot be asked. */
export interface Reach {
  readonly begins: number | null;
  readonly ends: number | null;
}

/** The time beyond their day for which a therapist is asked. */
export interface ExtraTime extends Interval {
  readonly kind: 'late' | 'early';
}

/**
 * The time beyond their day that a therapist would be asked for, to have these stretches: at one end of the day, and at
 * most an hour. Null when no time is beyond the day, or too much is.
 */
export function extraTime({ begins, ends }: Reach, stretches: readonly Interval[]): ExtraTime | null {
  const late = ends === null ? [] : subtract(stretches, [{ start: 0, end: ends }]);
  const early = begins === null ? [] : subtract(stretches, [{ start: begins, end: Infinity }]);
  const [beyond, kind] = late.length > 0 ? ([late, 'late'] as const) : ([early, 'early'] as const);
  const [first] = beyond;
  const last = beyond.at(-1);
  if (!first || !last || (late.length > 0 && early.length > 0)) return null;
  const asked = kind === 'late' ? last.end - (ends ?? 0) : (begins ?? 0) - first.start;
  return asked > MOST_EXTRA ? null : { kind, start: first.start, end: last.end };
}
