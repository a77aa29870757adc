/**
 * A clinic's wall-clock time. A date is `YYYY-MM-DD`, a time is minutes after midnight (0 to 1440) or `HH:MM`.
 * Nothing here knows a time zone: a clinic's day is what its wall clock shows, so no DST change can shift it.
 */
declare const brand: unique symbol;
/** A calendar date that exists, `YYYY-MM-DD`; `parseDate` makes it from text. */
export type IsoDate = string & { readonly [brand]: 'IsoDate' };

export const MINUTES_A_DAY = 1440;
const DAY_MS = 86_400_000;

/** No clinic has dates outside these years, and every year in between has four digits. */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2999;

/**
 * Parses a date; returns null if it is not written `YYYY-MM-DD`, does not exist (2026-02-30) or lies outside 1900 to
 * 2999.
 */
export function parseDate(text: string): IsoDate | null {
  const year = Number(text.slice(0, 4));
  return year < FIRST_YEAR || year > LAST_YEAR ? null : existing(text);
}

/** The text as a date, in any year from 1000 to 9999; null when there is no such date. */
function existing(text: string): IsoDate | null {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8, 10)));
  return new Date(ms).toISOString().slice(0, 10) === text ? (text as IsoDate) : null;
}

/**
 * Returns text as a date; throws RangeError when it is not a date. For literals and for values from the database and
 * the server. Unlike `parseDate`, it accepts years outside 1900 to 2999, since the weeks around a date may reach beyond
 * them.
 */
export function isoDate(text: string): IsoDate {
  const date = existing(text);
  if (!date) throw new RangeError(`not a date: '${text}'`);
  return date;
}

const msOf = (date: IsoDate): number =>
  Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)));

/** The date that lies `days` later, or earlier when `days` is negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date(msOf(date) + days * DAY_MS).toISOString().slice(0, 10) as IsoDate;
}

/** Days from `a` to `b`; negative when `b` is earlier. */
export function daysBetween(a: IsoDate, b: IsoDate): number {
  return Math.round((msOf(b) - msOf(a)) / DAY_MS);
}

/** The dates of a range, both ends included; none if it ends before it begins. */
export const datesFrom = (from: IsoDate, until: IsoDate): IsoDate[] =>
  Array.from({ length: Math.max(0, daysBetween(from, until) + 1) }, (_, i) => addDays(from, i));

/** The day of the week, from 0 (Sunday) to 6 (Saturday). */
export function dayOfWeek(date: IsoDate): number {
  return new Date(msOf(date)).getUTCDay();
}

/** The Monday of the date's week. */
export function mondayOf(date: IsoDate): IsoDate {
  return addDays(date, -((dayOfWeek(date) + 6) % 7));
}

/** Converts `HH:MM` to minutes after midnight (24:00 is the end of the day); null when the text is not a time. */
export function parseTime(text: string): number | null {
  const m = /^(\d{2}):(\d{2})$/.exec(text);
  if (!m) return null;
  const minutes = Number(m[1]) * 60 + Number(m[2]);
  return Number(m[2]) < 60 && minutes <= MINUTES_A_DAY ? minutes : null;
}

/** Formats minutes after midnight as `HH:MM`; the end of the day is 24:00. */
export function formatTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Formats minutes after midnight as `h:mm AM/PM`; the end of the day is 12:00 AM. */
export function clockTime(minutes: number): string {
  const m = minutes % MINUTES_A_DAY;
  const hour = Math.floor(m / 60) % 12 || 12;
  return `${hour}:${String(m % 60).padStart(2, '0')} ${m < 720 ? 'AM' : 'PM'}`;
}

/**
 * Converts a time of day in any usual form to minutes after midnight: `8:30 AM`, `8:30:00 AM`, `08:30`, `08:30:15.5`;
 * 24:00 is the end of the day. Null when the text is not a time.
 */
export function parseTimeOfDay(text: string): number | null {
  const m = /^(\d{1,2})(?::([0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?)?(?:\s*([ap])\.?\s?m\.?)?$/i.exec(text.trim());
  if (!m) return null;
  const [hour, minute, half] = [Number(m[1]), Number(m[2] ?? 0), m[3]?.toLowerCase()];
  if (half !== undefined) return hour < 1 || hour > 12 ? null : (hour % 12) * 60 + minute + (half === 'p' ? 720 : 0);
  const minutes = hour * 60 + minute;
  return m[2] === undefined || minutes > MINUTES_A_DAY ? null : minutes;
}

/** A time slot as people read it, and as the options name it: `8:30 AM - 11:30 AM`. */
export function timeSlot(start: number, end: number): string {
  return `${clockTime(start)} - ${clockTime(end)}`;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const weekdayName = (day: number): string => WEEKDAYS[day] ?? '';

/** Formats a date as `Friday, November 20, 2026`. */
export function longDate(date: IsoDate): string {
  return `${weekdayName(dayOfWeek(date))}, ${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8, 10))}, ${date.slice(0, 4)}`;
}

/** Formats a date as `Fri, Nov 20`. */
export function shortDate(date: IsoDate): string {
  return `${weekdayName(dayOfWeek(date)).slice(0, 3)}, ${MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3)} ${Number(date.slice(8, 10))}`;
}

/** The minute at which a window ends: 23:59 stands for the end of the day. */
export const endMinute = (minute: number): number => (minute === MINUTES_A_DAY - 1 ? MINUTES_A_DAY : minute);

/** Rounds to the nearest quarter hour. 23:59 (1439), which stands for the end of the day, stays. */
export function roundToQuarter(minutes: number): number {
  return minutes === 1439 ? minutes : Math.min(MINUTES_A_DAY, Math.round(minutes / 15) * 15);
}

/**
 * Converts minutes to hours for files. Five decimals are enough for a spreadsheet to add up a thousand rows to the
 * minute; with two, three times 20 minutes would be 0.99 hours.
 */
export const decimalHours = (minutes: number): number => Math.round((minutes / 60) * 1e5) / 1e5;

/** Formats minutes as `1 h 30 min`, `45 min` or `1,234 h`. */
export function duration(minutes: number): string {
  const m = minutes % 60;
  if (minutes < 60) return `${m} min`;
  const h = Math.floor(minutes / 60).toLocaleString('en-US');
  return m === 0 ? `${h} h` : `${h} h ${m} min`;
}
