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
export function parseDayTime(text: string): number | null {
  const [only, ...others] = readings(text);
  return only === undefined || others.length > 0 ? null : only;
}

/**
 * Parses the start and end of a range, such as `8` and `5`, `1` and `4:30 PM`, `8:30` and `16:00`. Of several readings,
 * the one within the clinic’s day is meant. Null when there is none, or more than one.
 */
export function parseDayRange(from: string, until: string): Interval | null {
  const pairs = readings(from).flatMap((start) =>
    readings(until).flatMap((end) => (start < end ? [{ start, end }] : [])),
  );
  const inside = pairs.length > 1 ? pairs.filter(({ start, end }) => start >= DAY_START && end <= DAY_END) : pairs;
  return inside.length === 1 ? (inside[0] ?? null) : null;
}

/** In a regular expression, a time of day as `readings` reads it. */
const DAY_TIME = String.raw`(?:noon|(?:\d{4}|\d{1,2}(?::\d{2}){0,2})(?: ?[ap](?:\.?m)?\b\.?)?)(?![\w:])`;
/** In a regular expression, a range of two such times. */
export const DAY_RANGE = String.raw`(${DAY_TIME}) ?(?:[-–—]|to|until) ?(${DAY_TIME})`;
