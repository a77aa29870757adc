import { SLOT_MINUTES } from './grid.ts';
import { addDays, duration, mondayOf, type IsoDate } from './time.ts';

/** How many minutes a therapist is booked and has covered, around a date. */
export interface Hours {
  /** Booked minutes of the week from Monday to Sunday, and of the date. Simultaneous sessions count once. */
  readonly week: number;
  readonly day: number;
  /** Minutes of sessions taken over from others in the last 7 and 28 days, the date included. */
  readonly cover7: number;
  readonly cover28: number;
}

export interface HourLimits {
  readonly week: number;
  /** The most minutes in a day; null when the day has no limit. */
  readonly day: number | null;
  /** The guaranteed minutes of the week; null when none are guaranteed. */
  readonly guaranteed: number | null;
}

/** Cover of this many past days counts when the next cover is shared out. */
export const COVER_DAYS = 28;

/** The week of a date, and the first of the days whose cover counts. */
export function hoursWindow(date: IsoDate): { monday: IsoDate; sunday: IsoDate; coverFrom: IsoDate } {
  const monday = mondayOf(date);
  return { monday, sunday: addDays(monday, 6), coverFrom: addDays(date, 1 - COVER_DAYS) };
}

/**
 * How many minutes a therapist can still be booked before they reach the limit of the week or of the day, whichever
 * comes first; 0 when one is reached.
 */
export function minutesLeft({ week, day }: Hours, limits: HourLimits): number {
  return Math.max(0, Math.min(limits.week - week, limits.day === null ? Infinity : limits.day - day));
}

/** The usual price of cover: each slot beyond two hours of others' sessions costs 4 points. */
const USUAL: [number, number][] = [[8, 4]];
/** What each hour of cover above the location's median adds to the points of a slot, and the most that it can add. */
const POINTS_AN_HOUR = 2;
const MOST_POINTS = 24;
/** When a therapist is this near to a limit (in minutes), each slot costs extra points. */
const NEAR_LIMIT = 240;
const NEAR_POINTS = 4;

/**
 * How many slots of others' sessions a therapist may take (`cap`), and what each slot costs (`load`). `cap` is what
 * is left of the week or of the day. `load` is the usual price; each whole hour of cover in 28 days above the
 * location's median adds 2 points to every slot (24 at most), and less than 4 hours left add 4. A therapist below
 * their guaranteed hours pays only the usual price.
 */
export function loadOf(
  hours: Hours,
  limits: HourLimits,
  medianCover28: number,
): { cap: number; load: [number, number][] } {
  const left = minutesLeft(hours, limits);
  const cap = Math.floor(left / SLOT_MINUTES);
  if (limits.guaranteed !== null && hours.week < limits.guaranteed) return { cap, load: [] };
  const above = Math.floor(Math.max(0, hours.cover28 - medianCover28) / 60);
  const points = Math.min(MOST_POINTS, POINTS_AN_HOUR * above) + (left < NEAR_LIMIT ? NEAR_POINTS : 0);
  return { cap, load: points > 0 ? [[0, points], ...USUAL] : USUAL };
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** A therapist's hours in a sentence for people: `Booked 14 h of 40 h (20 h guaranteed) this week; covered …`. */
export function hoursSentence({ week, cover28 }: Hours, limits: HourLimits): string {
  const promised = limits.guaranteed === null ? '' : ` (${duration(limits.guaranteed)} guaranteed)`;
  const booked = `Booked ${duration(week)} of ${duration(limits.week)}${promised} this week`;
  return `${booked}; covered ${duration(cover28)} in ${COVER_DAYS} days.`;
}
