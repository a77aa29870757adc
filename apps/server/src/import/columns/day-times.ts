import { DAY_END, DAY_START, MINUTES_A_DAY, type Interval } from '@clinic/domain';

const TIME = /^(?:(\d{1,2})(?::(\d{2})(?::\d{2}(?:\.\d+)?)?)?|(\d{2})(\d{2})) ?(?:([ap])(?:\.?m)?\.?)?$/i;

/**
 * The times of day, in minutes after midnight, that a text can mean: one for `8:30 AM`, `8a`, `noon`, `08:30`, `0830`
 * and `16:30`; two for `8` and `8:30`, which can be in the morning or in the evening; none for anything else.
 */
function readings(text: string): readonly number[] {
  if (text.toLowerCase() === 'noon') return [MINUTES_A_DAY / 2];
  const m = TIME.exec(text);
  const [hours, half] = [m?.[1] ?? m?.[3] ?? '', m?.[5]?.toLowerCase()];
  const [hour, minute] = [Number(hours), Number(m?.[2] ?? m?.[4] ?? 0)];
  if (hours === '' || minute > 59) return [];
  const on12 = (hour % 12) * 60 + minute;
  const is12 = hour >= 1 && hour <= 12;
  if (half !== undefined) return is12 ? [on12 + (half === 'p' ? MINUTES_A_DAY / 2 : 0)] : [];
  const on24 = hour * 60 + minute;
  if (!is12 || /^0|\d{3}/.test(text)) return on24 <= MINUTES_A_DAY ? [on24] : [];
  return [on12, on12 + MINUTES_A_DAY / 2];
}

/** Parses a time of day that needs no other time to be understood, as in `8:30 AM`, `8a` and `16:30`. */
function parseDayTime(text: string): number | null {
  const [only, ...others] = readings(text);
  return only === undefined || others.length > 0 ? null : only;
}

/**
 * Parses the start and end of a range, such as `8` and `5`, `1` and `4:30 PM`, `8:30` and `16:00`. Of several readings,
 * the one within the clinic’s day is meant. If there is none, one of the times must be certain, or both must have
 * minutes, and then count 24 hours. Null when there is no such range.
 */
export function parseDayRange(from: string, until: string): Interval | null {
  const [starts, ends] = [readings(from), readings(until)];
  const pairs = starts.flatMap((start) => ends.flatMap((end) => (start < end ? [{ start, end }] : [])));
  const [inside] = pairs.filter(({ start, end }) => start >= DAY_START && end <= DAY_END);
  if (inside) return inside;
  const [only] = pairs.length === 1 && (starts.length === 1 || ends.length === 1) ? pairs : [];
  return only ?? pairs.find(({ start, end }) => start === on24Hours(from) && end === on24Hours(until)) ?? null;
}

/** A time with minutes and without AM or PM, counted on 24 hours. */
function on24Hours(text: string): number | null {
  const m = /^(\d{1,2}):(\d{2})(?!.*[ap])/i.exec(text);
  return m ? (readings(text).find((each) => each === Number(m[1]) * 60 + Number(m[2])) ?? null) : null;
}

/** Parses a time of day. Without AM or PM, it counts 24 hours, and must have minutes if it could be another time. */
export const parseClock = (text: string): number | null => parseDayTime(text) ?? on24Hours(text);

/** In a regular expression, a time of day as `readings` reads it. */
const DAY_TIME = String.raw`(?:noon|(?:\d{4}|\d{1,2}(?::\d{2}){0,2})(?: ?[ap](?:\.?m)?\b\.?)?)(?![\w:])`;
/** In a regular expression, a range of two such times. */
export const DAY_RANGE = String.raw`(${DAY_TIME}) ?(?:[-–—]|to|until) ?(${DAY_TIME})`;
