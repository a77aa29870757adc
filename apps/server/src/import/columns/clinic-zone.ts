import type { WallTime } from '@clinic/contract';
import { locationOf, type Location } from '@clinic/domain';
import { Temporal } from 'temporal-polyfill';

/** A zone behind a time: `Z`, `-05:00`, `(EST)`, `Eastern Time (US & Canada)`. */
const ZONE =
  /(?: ?(?<offset>[Zz]|[+-]\d{2}:?\d{2})| \(?(?<name>[ECMP][SD]?T|UTC|GMT|Eastern(?: Standard| Daylight)? Time|America\/[A-Za-z_]+|US\/[A-Za-z]+)\)?(?: \(US & Canada\))?)$/;
/** What `offset` looks like behind a date: the end of `2026-10-05` is not a zone. */
const BEHIND_A_TIME = /:\d{2}(?:\.\d+)?$|[ap]\.?m?\.?$/i;

/** The names of zones by the zone that they mean, or by a fixed offset from UTC in minutes. */
const NAMED: Readonly<Record<string, string | number>> = {
  EST: -300,
  EDT: -240,
  ET: 'America/New_York',
  'Eastern Time': 'America/New_York',
  'Eastern Standard Time': 'America/New_York',
  'Eastern Daylight Time': 'America/New_York',
  'US/Eastern': 'America/New_York',
  'America/New_York': 'America/New_York',
};

export interface ZonedText {
  readonly text: string;
  /** Whether the written time is the location's own when the zone is as written. */
  readonly isClinics: (at: WallTime, location: Location) => boolean;
}

/** Splits a time into the text without its zone, and what the zone says; null when it has none. */
export function splitZone(text: string): ZonedText | null {
  const found = ZONE.exec(text);
  if (!found) return null;
  const before = text.slice(0, found.index);
  const { offset, name } = found.groups ?? {};
  if (offset !== undefined && !BEHIND_A_TIME.test(before)) return null;
  const zone = offset === undefined ? NAMED[name ?? ''] : writtenOffset(offset);
  return {
    text: before,
    isClinics: (at, location) => zone !== undefined && agrees(zone, at, locationOf(location).zone),
  };
}

/**
 * Whether a column's time zone is the location's at a time on its clock; null for a text that names no zone. Windows
 * writes the offset of the winter before a zone's name, whatever the date is.
 */
export function isClinicsZone(text: string, at: WallTime, location: Location): boolean | null {
  const [, offset = '', name = ''] = /^\(?(?:UTC|GMT)?([+-]\d{1,2}:?\d{2})?\)? ?(.*)$/i.exec(text) ?? [];
  const { zone } = locationOf(location);
  const known =
    name === '' ? writtenOffset(offset.replace(/^([+-])(\d)(?=:|$)/, '$10$2')) : (NAMED[name.replace(US, '')] ?? name);
  if (known === undefined || (name === '' && offset === '')) return /^(?:UTC|GMT|Z)$/i.test(text) ? false : null;
  if (typeof known === 'number') return agrees(known, at, zone);
  try {
    const instant = asIfUtc(at) - offsetAt(zone, asIfUtc(at)) * 60_000;
    return offsetAt(known, instant) === offsetAt(zone, instant);
  } catch {
    return /^(?:[CMP][SD]?T|(?:Central|Mountain|Pacific|Atlantic)\b.*)$/i.test(name) ? false : null;
  }
}

const US = / \(US & Canada\)$/;

/** The minutes from UTC that `-05:00` means. */
function writtenOffset(offset: string): number | undefined {
  if (/z/i.test(offset)) return undefined; // programs write it behind their own time as well
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Whether a time in this zone is the same on the clock of the clinic's zone. */
function agrees(zone: string | number, at: WallTime, clinics: string): boolean {
  if (typeof zone === 'string') return zone === clinics;
  return offsetAt(clinics, asIfUtc(at) - zone * 60_000) === zone;
}

/** What the zone of a location is called at a time on its clock: `EST` or `EDT`. */
export function clinicsZone(at: WallTime, location: Location): string {
  const { zone } = locationOf(location);
  const wall = asIfUtc(at);
  return nameAt(zone, wall - offsetAt(zone, wall) * 60_000);
}

/** The instant at which a clock in UTC shows this time. */
const asIfUtc = ({ date, minutes }: WallTime): number => Date.parse(`${date}T00:00:00Z`) + minutes * 60_000;

/** A zone's offset from UTC at an instant, in minutes. */
const offsetAt = (zone: string, instant: number): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / MINUTE_NS;

const MINUTE_NS = 60e9;

const formats = new Map<string, Intl.DateTimeFormat>();

function nameAt(timeZone: string, instant: number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  formats.set(timeZone, format);
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
