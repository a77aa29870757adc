import { Temporal } from 'temporal-polyfill';

/** A source of the current time. All code uses it, so that `CLOCK` and tests can set the time. */
export interface Clock {
  /** Returns the current time, in milliseconds since 1970. */
  now(): number;
}

/** Returns the machine's clock or, given `fixed` (ISO 8601), a clock that starts at that time and runs on. */
export function makeClock(fixed?: string): Clock {
  if (fixed === undefined) return { now: () => Date.now() };
  const start = millisOf(fixed);
  const began = performance.now();
  return { now: () => Math.floor(start + (performance.now() - began)) };
}

/**
 * Converts a time to milliseconds since 1970, without fractions: a `timestamptz` from the database (`2026-11-20
 * 13:30:00.5+00`, in any zone), or a time in ISO 8601 with a zone. Throws RangeError for any other string, because
 * comparisons with NaN would always be false.
 */
export const millisOf = (instant: string): number => Temporal.Instant.from(instant).epochMilliseconds;

/** Converts milliseconds since 1970 to ISO 8601 in UTC. */
export const isoAt = (millis: number): string => new Date(millis).toISOString();

/** Converts a `timestamptz` from the database to ISO 8601 in UTC. */
export const isoOf = (instant: string): string => isoAt(millisOf(instant));
