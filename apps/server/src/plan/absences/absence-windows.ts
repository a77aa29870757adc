import type { AbsenceLossBody, AbsenceQuery, LeaveFrom } from '@clinic/contract';
import {
  clockTime,
  contains,
  intersect,
  MINUTES_A_DAY,
  minutesOf,
  parseTime,
  roundToQuarter,
  subtract,
  endMinute,
  type Interval,
  type Location,
} from '@clinic/domain';
import type { AbsenceLossValues } from '../../day/facts/losses.ts';
import { refusal } from '../../platform/refusal.ts';

/** One window of time for which a person is to be recorded as away. */
export interface WantedWindow {
  /** The window's time, given what is recorded for the person and date. May refuse the window. */
  readonly timeOf: (stored: readonly Interval[]) => Interval;
  /** The id of the recorded window that this one continues: it keeps that window's cause. */
  readonly continues?: string | undefined;
  /** Why the person is away in this window, if that was given. */
  readonly loss?: AbsenceLossBody | undefined;
  /** The leave that this window is one date of, with its cause. */
  readonly leave?: { readonly id: string; readonly loss: AbsenceLossValues } | undefined;
  /** The further dates of this window, if the request gives any: they become a leave. */
  readonly further?: LeaveFrom | undefined;
}

/** All the windows that a request gives for one person on one date. */
export interface WantedWindows {
  readonly windows: readonly WantedWindow[];
  /** Whether these windows replace everything stored for the person and date. */
  readonly replaces: boolean;
}

/** A window of a person's absence to store, or one that stays; `from` is the request's window that it belongs to. */
export interface TargetWindow extends Interval {
  readonly from: WantedWindow | null;
}

/** The request's window as it is, without rounding. */
export const exactly = ({ start, end }: Interval): WantedWindow => ({ timeOf: () => ({ start, end }) });

/**
 * The window that a query gives. Times are rounded to quarter hours, and 23:59 becomes the end of the day (1440), unless
 * the person is recorded as away for exactly these times: that window stays as it is. Refuses a window that is empty
 * after rounding.
 */
export function windowOfQuery(query: AbsenceQuery, name: string): WantedWindow {
  const sent = { start: parseTime(query.begin) ?? 0, end: lastMinute(parseTime(query.end) ?? 0) };
  return {
    timeOf: (stored) => {
      const known = stored.find(({ start, end }) => start === sent.start && lastMinute(end) === sent.end);
      return known ? { start: known.start, end: known.end } : rounded(query, name);
    },
    continues: query.id,
    loss: query.loss,
    further: query.leave,
  };
}

/** The end of the day is written 23:59. */
const lastMinute = (end: number): number => Math.min(end, MINUTES_A_DAY - 1);

function rounded(query: Pick<AbsenceQuery, 'begin' | 'end' | 'date'>, name: string): Interval {
  const start = roundToQuarter(parseTime(query.begin) ?? 0);
  const end = endMinute(roundToQuarter(parseTime(query.end) ?? 0));
  if (start < end && start < MINUTES_A_DAY - 1) return { start, end };
  throw refusal('absence-too-short', name, query.date, inWords(query.begin), inWords(query.end));
}

/** A time of a request as people say it. 24:00 is not 12:00 AM, which reads as the beginning of the day. */
function inWords(time: string): string {
  const minutes = parseTime(time) ?? 0;
  return minutes === MINUTES_A_DAY ? 'the end of the day' : clockTime(minutes);
}

/**
 * The windows that a person's absence on a date is to have, sorted. Each stays apart, also from one that it touches. Of
 * time that several give, the stored window has it first, and then the earlier one of the request.
 */
export function windowsToStore(stored: readonly Interval[], { windows, replaces }: WantedWindows): TargetWindow[] {
  const target: TargetWindow[] = replaces ? [] : stored.map(({ start, end }) => ({ start, end, from: null }));
  for (const from of windows)
    for (const part of subtract([from.timeOf(stored)], target)) target.push({ ...part, from });
  return target.sort((a, b) => a.start - b.start);
}

export const sameTime = (a: Interval, b: Interval): boolean => a.start === b.start && a.end === b.end;

/**
 * Finds which stored windows to remove and which windows to add; a window that is both stored and wanted stays. A
 * window that another location recorded stays as long as the new windows contain all of it.
 */
export function difference<T extends Interval & { location: Location }>(
  stored: readonly T[],
  target: readonly TargetWindow[],
  here: Location,
): { gone: T[]; added: TargetWindow[] } {
  const elsewhere = stored.filter((s) => s.location !== here && subtract([s], target).length === 0);
  const wanted = target.flatMap((t) => subtract([t], elsewhere).map((part) => ({ ...part, from: t.from })));
  return {
    gone: stored.filter((s) => !elsewhere.includes(s) && !wanted.some((w) => sameTime(s, w))),
    added: wanted.filter((w) => !stored.some((s) => sameTime(s, w))),
  };
}

/**
 * The removed window whose cause, and the time when it became known, a new window keeps: the one that it continues, or
 * else the one with which it shares most time. Undefined for a window that is new altogether.
 */
export function continued<T extends Interval & { readonly id: string }>(
  added: TargetWindow,
  gone: readonly T[],
): T | undefined {
  const named = gone.find(({ id }) => id === added.from?.continues);
  if (named) return named;
  const shared = (each: T): number => minutesOf([intersect(each, added) ?? { start: 0, end: 0 }]);
  return gone.filter((each) => shared(each) > 0).sort((a, b) => shared(b) - shared(a))[0];
}

/** The request's window to which a stored window belongs, given what was stored before the request. */
export const wantedOf = (
  window: Interval,
  { windows }: WantedWindows,
  before: readonly Interval[],
): WantedWindow | undefined => windows.find((each) => contains(each.timeOf(before), window));
