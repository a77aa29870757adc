import { subtract, type Interval } from './interval.ts';

/** The longest that anyone is asked to stay late or come early, in minutes. */
export const MOST_EXTRA = 60;

/** When a therapist's available day begins and ends; null for an end of the day that cannot be extended. */
export interface Reach {
  readonly begins: number | null;
  readonly ends: number | null;
}

/** Time before or after a therapist's day that the therapist is asked to work. */
export interface ExtraTime extends Interval {
  readonly kind: 'late' | 'early';
}

/**
 * Returns the extra time before or after a therapist's day that sessions at these times would need. Extra time lies at
 * only one end of the day, and lasts at most an hour. Null when the sessions lie within the day or reach too far beyond
 * it.
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
