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

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?)$/;

/**
 * Converts a time to milliseconds since 1970, without fractions: a `timestamptz` from the database (`2026-11-20
 * 13:30:00.5+00`, in any zone), or a time in ISO 8601 with a zone. Throws RangeError for any other string, because
 * comparisons with NaN would always be false.
 */
export function millisOf(instant: string): number {
  const parts = INSTANT.exec(instant);
  if (!parts) throw new RangeError('not an instant');
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as Six;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const written = [parts[1], parts[2], parts[3]].join('-') + `T${parts[4]}:${parts[5]}:${parts[6] ?? '00'}`;
  // Without this check, a day that does not exist, or 25:00, would become another day.
  if (year < 1000 || new Date(wall).toISOString().slice(0, 19) !== written) throw new RangeError('not an instant');
  const [offsetHours, offsetMinutes, offsetSeconds] = parts.slice(9, 12).map((part) => Number(part ?? 0)) as Three;
  if (offsetHours > 15 || offsetMinutes > 59 || offsetSeconds > 59) throw new RangeError('not an instant');
  const offset = (parts[8] === '-' ? -1 : 1) * ((offsetHours * 60 + offsetMinutes) * 60 + offsetSeconds) * 1000;
  const fraction = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  return wall + fraction - offset;
}
type Six = [number, number, number, number, number, number];
type Three = [number, number, number];

/** Converts milliseconds since 1970 to ISO 8601 in UTC. */
export const isoAt = (millis: number): string => new Date(millis).toISOString();

/** Converts a `timestamptz` from the database to ISO 8601 in UTC. */
export const isoOf = (instant: string): string => isoAt(millisOf(instant));
