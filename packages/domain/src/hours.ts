import { SLOT_MINUTES } from './grid.ts';
import { addDays, duration, mondayOf, type IsoDate } from './time.ts';

/** A therapist's booked minutes and minutes of cover around a date. */
export interface Hours {
  /** Booked minutes in the week from Monday to Sunday, and on the date. Simultaneous sessions count once. */
  readonly week: number;
  readonly day: number;
  /** Minutes of sessions taken over from others, in the last 7 and the last 28 days, including the date. */
  readonly cover7: number;
  readonly cover28: number;
}

export interface HourLimits {
  readonly week: number;
  /** The maximum minutes in a day; null for no limit. */
  readonly day: number | null;
  /** The guaranteed minutes in a week; null when none are guaranteed. */
  readonly guaranteed: number | null;
}

/** Limits are set in quarters of an hour. */
const QUARTER = 0.25;

/**
 * Reads hours as people write them: `37`, `37.5`, `37,5`. Returns null for any other text, and for hours that are not
 * whole quarters from `least` to `most`.
 */
export function parseHours(text: string, least: number, most: number): number | null {
  const hours = /^\d{1,2}(\.\d+|,\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : NaN;
  return Number.isInteger(hours / QUARTER) && hours >= least && hours <= most ? hours : null;
}

/**
 * To distribute new cover fairly, the cover of this many days is added up. The last of these days is the date itself.
 */
export const COVER_DAYS = 28;

/** The week around a date, and the first of the COVER_DAYS days up to that date. */
export function hoursWindow(date: IsoDate): { monday: IsoDate; sunday: IsoDate; coverFrom: IsoDate } {
  const monday = mondayOf(date);
  return { monday, sunday: addDays(monday, 6), coverFrom: addDays(date, 1 - COVER_DAYS) };
}

/**
 * How many more minutes a therapist can be booked before they reach the weekly or the daily limit, whichever comes
 * first; 0 when a limit has been reached.
 */
export function minutesLeft({ week, day }: Hours, limits: HourLimits): number {
  return Math.max(0, Math.min(limits.week - week, limits.day === null ? Infinity : limits.day - day));
}

/**
 * The standard price of cover, as pairs of a number of slots and the points for each slot beyond it: beyond two hours
 * of other therapists' sessions, each slot costs 4 points.
 */
export const USUAL_LOAD: [number, number][] = [[8, 4]];
/**
 * The points that a slot costs more for someone who covered one hour more than the location's median. They grow with the
 * square of the hours, so a little more than others hardly matters and far more is avoided wherever another therapist can
 * come. The maximum stays below the price of a slot without a therapist (600 at least), so no care is lost for it alone.
 */
const POINTS_OF_FIRST_HOUR = 6;
const MOST_POINTS = 200;
/** When a therapist has fewer than this many minutes left before a limit, each slot costs extra points. */
const NEAR_LIMIT = 240;
const NEAR_POINTS = 4;

/**
 * How many slots of other therapists' sessions a therapist may take (`cap`), and what each slot costs (`load`, as pairs
 * of a number of slots and the points for each slot beyond it). The cap is what remains of the weekly or daily limit.
 * The load is the standard price; cover in 28 days above the location's median makes every slot more costly (6 points
 * for one hour, 24 for two, 200 at most), and having less than 4 hours left adds 4. Cover by a therapist below their
 * guaranteed hours costs nothing.
 */
export function loadOf(
  hours: Hours,
  limits: HourLimits,
  medianCover28: number,
): { cap: number; load: [number, number][] } {
  const left = minutesLeft(hours, limits);
  const cap = Math.floor(left / SLOT_MINUTES);
  if (limits.guaranteed !== null && hours.week < limits.guaranteed) return { cap, load: [] };
  const above = Math.max(0, hours.cover28 - medianCover28) / 60;
  const much = Math.min(MOST_POINTS, Math.round(POINTS_OF_FIRST_HOUR * above ** 2));
  const points = much + (left < NEAR_LIMIT ? NEAR_POINTS : 0);
  return { cap, load: points > 0 ? [[0, points], ...USUAL_LOAD] : USUAL_LOAD };
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/**
 * Says in a sentence how much a therapist works: `Booked 14 h of 40 h (20 h guaranteed) that week; covered 3 h in 28
 * days.`
 */
export function hoursSentence({ week, cover28 }: Hours, limits: HourLimits): string {
  const promised = limits.guaranteed === null ? '' : ` (${duration(limits.guaranteed)} guaranteed)`;
  const booked = `Booked ${duration(week)} of ${duration(limits.week)}${promised} that week`;
  const cover = cover28 === 0 ? 'no cover' : `covered ${duration(cover28)}`;
  return `${booked}; ${cover} in ${COVER_DAYS} days.`;
}
