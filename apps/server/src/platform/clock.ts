/** The present. Everything that asks for "now" asks this, so that `CLOCK` and tests can set it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The machine's clock, or one that stands at `fixed` (ISO 8601) and goes on from there at the usual pace. */
export function makeClock(fixed?: string): Clock {
  if (fixed === undefined) return { now: () => Date.now() };
  const start = Date.parse(fixed);
  const began = performance.now();
  return { now: () => Math.floor(start + (performance.now() - began)) };
}

/** Milliseconds since the epoch of a `timestamptz` as the database writes it (`2026-11-20 13:30:00.5+00`) or ISO 8601. */
export function millisOf(instant: string): number {
  return Date.parse(instant.replace(' ', 'T').replace(/\+00$/, 'Z'));
}
