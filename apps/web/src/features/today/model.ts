import type { CommitSummary, Presence, TodayReply } from '@clinic/contract';
import {
  DAY_END,
  DAY_START,
  SLOT_MINUTES,
  clockTime,
  duration,
  listWords,
  locationLabel,
  parseDate,
  parseTime,
  shortDate,
  type IsoDate,
} from '@clinic/domain';
import { timeWords } from '../../shared/time-words.ts';

/**
 * Pure functions that compute the wording, bar positions and figures of the Today page from the server's reply. Times
 * are minutes after midnight.
 */

/**
 * A time range's place on the line from 7 AM to 7 PM, in slots of 15 minutes: start `s`, length `d`. Null when it
 * lies outside.
 */
export function onAxis(start: string, end: string): { s: number; d: number } | null {
  const from = Math.max(parseTime(start) ?? 0, DAY_START);
  const to = Math.min(parseTime(end) ?? 0, DAY_END);
  return from < to ? { s: (from - DAY_START) / SLOT_MINUTES, d: (to - from) / SLOT_MINUTES } : null;
}

/** The current time's place on the line, from 0 to 1; null when it lies outside. */
export function nowOnAxis(minutes: number | null): number | null {
  if (minutes === null || minutes < DAY_START || minutes > DAY_END) return null;
  return (minutes - DAY_START) / (DAY_END - DAY_START);
}

const withoutHalf = (minutes: number): string => clockTime(minutes).slice(0, -3);
/** A short form of a time range, to fit a bar: `8:30 - 12:00`. */
export const barWords = (start: string, end: string): string =>
  `${withoutHalf(parseTime(start) ?? 0)} - ${withoutHalf(parseTime(end) ?? 0)}`;
/** A time range in full: `8:30 AM - 12:00 PM`. */
export const stretchWords = (start: string, end: string): string => `${timeWords(start)} - ${timeWords(end)}`;

/**
 * The line below the number of sessions that need cover: how many hours, for how many families, and when the first
 * session starts. `now` is null when the day is not today.
 */
export function needWords(list: TodayReply['needs_cover'], now: number | null): string {
  const minutes = list.reduce((sum, n) => sum + (parseTime(n.end) ?? 0) - (parseTime(n.start) ?? 0), 0);
  const families = new Set(list.map((n) => n.client)).size;
  const total = `${duration(minutes)} for ${families} ${families === 1 ? 'family' : 'families'}.`;
  const first = Math.min(...list.map((n) => parseTime(n.start) ?? Infinity));
  if (!Number.isFinite(first)) return total;
  if (now === null) return `${total} The first starts at ${clockTime(first)}.`;
  const away = first - now;
  const when = away > 0 ? `starts at ${clockTime(first)}, in ${spoken(away)}` : `started at ${clockTime(first)}`;
  return `${total} The first ${when}.`;
}

/** A length of time as people say it: `20 minutes`, `1 hour`, `2 h 15 min`. */
function spoken(minutes: number): string {
  if (minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  if (minutes % 60 > 0) return duration(minutes);
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}

/** The times of an absence in words: `All day`, `from 1:00 PM`, `until 10:00 AM`, `12:30 - 3:30 PM`. */
export function awayWords(startTime: string, endTime: string): string {
  const start = parseTime(startTime) ?? 0;
  const end = parseTime(endTime) ?? 1439;
  const fromStart = start <= DAY_START;
  const toEnd = end >= DAY_END;
  if (fromStart && toEnd) return 'All day';
  if (toEnd) return `from ${clockTime(start)}`;
  if (fromStart) return `until ${clockTime(end)}`;
  const sameHalf = start < 720 === end < 720;
  return `${sameHalf ? withoutHalf(start) : clockTime(start)} - ${clockTime(end)}`;
}

/**
 * What a commit kept: `12 h of 15 h kept`. Old commits may not say how many hours were needed. Null if no session needed
 * a therapist, because families cancelled all of them.
 */
export const keptWords = ({ minutes_kept, minutes_needed }: CommitSummary): string | null =>
  minutes_needed === 0
    ? null
    : `${duration(minutes_kept)} ${minutes_needed === undefined ? '' : `of ${duration(minutes_needed)} `}kept`;

/**
 * A commit in words: its client or number of clients, its number of changes and, if they are not all on the date shown,
 * the dates.
 */
export function commitWords(commit: CommitSummary, date: string): string {
  const changes = `${commit.changes} ${commit.changes === 1 ? 'change' : 'changes'}`;
  const [only, ...others] = commit.clients;
  const who = only !== undefined && others.length === 0 ? only : `${commit.clients.length} clients`;
  return `${who}, ${changes}${commit.dates.every((each) => each === date) ? '' : ` on ${daysWords(commit.dates)}`}`;
}

const daysWords = (dates: readonly string[]): string =>
  listWords(dates.map((each) => parseDate(each)).flatMap((each) => (each ? [shortDate(each)] : [])));

/** The time at which a commit was made, with the date if that is not the date shown. */
export function madeWords(made: { date: IsoDate; minutes: number }, date: string): string {
  return `${made.date === date ? '' : `${shortDate(made.date)}, `}${clockTime(made.minutes)}`;
}

export interface WeekDay {
  date: string;
  booked: number;
  kept: number;
  lost: number;
  open: number;
}

/**
 * What the page says when nothing needs cover, and whether that is all well. `day` is undefined when the week's figures
 * are missing; `wrong` is the number of things that are wrong, undefined if it is not known.
 */
export function dayWords(day: WeekDay | undefined, wrong: number | undefined) {
  const nothing = { title: 'Nothing needs cover now', well: false };
  if (!day) return { ...nothing, text: 'Every remaining session has a therapist.' };
  if (day.booked === 0) return { title: 'No sessions on this day', text: 'Nothing is booked.', well: false };
  const missing = day.lost + day.open;
  if (missing > 0)
    return { ...nothing, text: `${duration(missing)} of care was cancelled or had no therapist on this day.` };
  if (wrong !== 0) return { ...nothing, text: 'Every session on this day has a therapist.' };
  return { title: 'Everyone is covered', text: 'Every session has a therapist who may be there.', well: true };
}

/** Whether nothing is booked in the whole week and no one could take a session, as in a clinic without people. */
export const isEmpty = ({ week, reserve, away }: Pick<TodayReply, 'week' | 'reserve' | 'away'>): boolean =>
  week.every((day) => day.booked === 0) && reserve.length === 0 && away.length === 0;

/** Whole hours; anything above zero but under half an hour reads `<1`. */
export const hours = (minutes: number): string =>
  minutes > 0 && minutes < 30 ? '<1' : Math.round(minutes / 60).toLocaleString('en-US');

/**
 * The hours kept. An hour or more is rounded so that kept, lost and open hours on the page add up to the booked
 * hours.
 */
export function keptHours({ booked, kept, lost, open }: Omit<WeekDay, 'date'>): string {
  if (kept < 60) return hours(kept);
  const whole = (minutes: number): number => Math.round(minutes / 60) * 60;
  return hours(whole(booked) - whole(lost) - whole(open));
}

/**
 * The week's totals and its days, with a weekend day only when something is booked on it. A bar's height is its share
 * of the fullest day.
 */
export function weekFigures(week: readonly WeekDay[]) {
  const sum = (of: (d: WeekDay) => number) => week.reduce((total, d) => total + of(d), 0);
  const fullest = Math.max(1, ...week.map((d) => d.kept + d.lost + d.open));
  return {
    booked: sum((d) => d.booked),
    kept: sum((d) => d.kept),
    lost: sum((d) => d.lost),
    open: sum((d) => d.open),
    days: week
      .filter((d, i) => i < 5 || d.booked > 0)
      .map((d) => ({ ...d, keptShare: d.kept / fullest, missingShare: (d.lost + d.open) / fullest })),
  };
}

/** A greeting by the clinic's clock: `Good morning`. */
export function greeting(minutes: number): string {
  return minutes < 720 ? 'Good morning' : minutes < 1020 ? 'Good afternoon' : 'Good evening';
}

/** What a colleague is working on, in words: `Dana Whitfield is looking at options for Mon, Nov 23 at Tampa`. */
export const workWords = ({ by, what, date, location }: Presence): string =>
  `${by} is ${what === 'options' ? 'looking at options for' : 'working on the call list for'} ${dayText(date)} at ${locationLabel(location)}`;
const dayText = (date: string): string => {
  const day = parseDate(date);
  return day ? shortDate(day) : date;
};
