import { Temporal } from 'temporal-polyfill';
import { refusal } from '../../platform/refusal.ts';

/** How a date of a search compares (FHIR's prefixes). */
export type Prefix = 'eq' | 'ne' | 'ge' | 'gt' | 'le' | 'lt' | 'sa' | 'eb';

/**
 * A date of a search: all the time that it covers, from its first moment to the first moment after it. A date without a
 * zone is by the clock of each location (`wall`, as `YYYY-MM-DD HH:MM:SS`); one with a zone is `instant`, in
 * milliseconds since 1970.
 */
export type DateRange = { readonly prefix: Prefix } & (
  | { readonly wall: readonly [from: string, until: string]; readonly instant?: undefined }
  | { readonly instant: readonly [from: number, until: number]; readonly wall?: undefined }
);

const SHAPE =
  /^(eq|ne|ge|gt|le|lt|sa|eb)?(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+ -]\d\d:\d\d)?)?)?)?$/;
const ALLOWED = 'a date such as 2026-11-20 or ge2026-11-20T09:00:00-05:00 (eq, ne, ge, gt, le, lt, sa or eb)';

/** Reads a date of a search; refuses (400) anything else. */
export function readDate(parameter: string, text: string): DateRange {
  const found = SHAPE.exec(text);
  if (!found) throw refusal('search-value', parameter, ALLOWED);
  const [, prefix = 'eq', year, month, day, hour, minute, second, fraction, zone] = found;
  try {
    const parts = { year: Number(year), month: Number(month ?? 1), day: Number(day ?? 1) };
    const time = { hour: Number(hour ?? 0), minute: Number(minute ?? 0), second: Number(second ?? 0) };
    const from = Temporal.PlainDateTime.from({ ...parts, ...time }, { overflow: 'reject' });
    if (from.year < 1000) throw new RangeError('too early'); // the database writes other years differently
    const until = from.add(unitOf([month, day, minute, second, fraction]));
    if (until.year > 9999) throw new RangeError('too late');
    const range =
      zone === undefined ? { wall: [wallOf(from), wallOf(until)] as const } : atZone(from, until, fraction, zone);
    return { prefix: prefix as Prefix, ...range };
  } catch {
    throw refusal('search-value', parameter, ALLOWED);
  }
}

/** The smallest unit that is given, counted from the largest; a fraction is read to milliseconds. */
function unitOf([month, day, minute, second, fraction]: readonly (string | undefined)[]): Temporal.DurationLike {
  if (month === undefined) return { years: 1 };
  if (day === undefined) return { months: 1 };
  if (minute === undefined) return { days: 1 };
  if (second === undefined) return { minutes: 1 };
  return fraction === undefined ? { seconds: 1 } : { milliseconds: 0 };
}

const wallOf = (time: Temporal.PlainDateTime): string => time.toString({ smallestUnit: 'second' }).replace('T', ' ');

function atZone(
  from: Temporal.PlainDateTime,
  until: Temporal.PlainDateTime,
  fraction: string | undefined,
  zone: string,
) {
  const offset = zone.replace(' ', '+'); // a plus sign that was not escaped in the address
  const millis = (time: Temporal.PlainDateTime): number =>
    Temporal.Instant.from(`${time.toString()}${offset}`).epochMilliseconds;
  const more = fraction === undefined ? 0 : Math.floor(Number(`0${fraction}`) * 1000);
  const instant = [millis(from) + more, millis(until) + (fraction === undefined ? 0 : more + 1)] as const;
  return { instant };
}

/** The least and the first later value that a range allows for a moment; null where there is no limit. */
export interface Bounds<T> {
  readonly from: T | null;
  readonly until: T | null;
  /** Whether the moment must lie outside instead. */
  readonly outside?: true;
}

export function boundsOf<T>(prefix: Prefix, [from, until]: readonly [T, T]): Bounds<T> {
  switch (prefix) {
    case 'eq':
      return { from, until };
    case 'ne':
      return { from, until, outside: true };
    case 'ge':
      return { from, until: null };
    case 'gt':
    case 'sa':
      return { from: until, until: null };
    case 'le':
      return { from: null, until };
    case 'lt':
    case 'eb':
      return { from: null, until: from };
  }
}

/** A time by a location's clock (`YYYY-MM-DD HH:MM:SS`) as an instant with the offset that holds there and then. */
export function instantAt(wall: string, zone: string): string {
  return Temporal.PlainDateTime.from(wall.replace(' ', 'T'))
    .toZonedDateTime(zone)
    .toString({ smallestUnit: 'second', timeZoneName: 'never' });
}
