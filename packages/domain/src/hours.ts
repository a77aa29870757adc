import { SLOT_MINUTES } from './grid.ts';
import { addDays, duration, mondayOf, type IsoDate } from './time.ts';

/** What a therapist's calendar holds around a date; all in minutes. */
export interface Hours {
  /** Booked in the week from Monday to Sunday, and on the date. Time with several sessions counts once. */
  readonly week: number;
  readonly day: number;
  /** Of that, taken over from others in the 7 and the 28 days that end with the date. */
  readonly cover7: number;
  readonly cover28: number;
}

export interface HourLimits {
  readonly week: number;
  /** Null: no limit of the day. */
  readonly day: number | null;
  /** Null: no hours are guaranteed. */
  readonly guaranteed: number | null;
}

/** The days of cover that count against a therapist. */
export const COVER_DAYS = 28;

/** The week of a date, and the first day on which cover counts. */
export function hoursWindow(date: IsoDate): { monday: IsoDate; sunday: IsoDate; coverFrom: IsoDate } {
  const monday = mondayOf(date);
  return { monday, sunday: addDays(monday, 6), coverFrom: addDays(date, 1 - COVER_DAYS) };
}

/** What is left of the week or the day, whichever is less, in minutes; never less than nothing. */
export function minutesLeft({ week, day }: Hours, limits: HourLimits): number {
  return Math.max(0, Math.min(limits.week - week, limits.day === null ? Infinity : limits.day - day));
}

/** The steps of a usual load: 4 points a slot beyond two hours of others' sessions. */
const USUAL: [number, number][] = [[8, 4]];
/** Points a slot for each hour of cover above the median, and the most of them. */
const POINTS_AN_HOUR = 2;
const MOST_POINTS = 24;
/** Within this many minutes of a limit, each slot costs this much more. */
const NEAR_LIMIT = 240;
const NEAR_POINTS = 4;

/**
 * How many slots of others' sessions a therapist may take (`cap`), and what each costs (`load`). `cap` is what is left
 * of the week or the day. `load` is the usual one, and from the first slot on 2 points more for each whole hour of cover
 * in 28 days above the median of the location (24 at most), and 4 more with less than 4 hours left. Below the hours that
 * are guaranteed, nothing is added.
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

/**
 * A therapist's hours, shown where someone gives them more: `Booked 34 h of 40 h this week; covered 6 h in 28 days.`
 */
export const hoursSentence = (booked: number, most: number, cover28: number): string =>
  `Booked ${duration(booked)} of ${duration(most)} this week; covered ${duration(cover28)} in ${COVER_DAYS} days.`;
