import type { AbsenceQuery } from '@clinic/contract';
import {
  clockTime,
  contains,
  MINUTES_A_DAY,
  parseTime,
  roundToQuarter,
  subtract,
  union,
  type Interval,
  type Location,
} from '@clinic/domain';
import { refusal } from '../../../platform/refusal.ts';

/**
 * Returns the window that a request gives, rounded to quarter hours; 23:59 becomes the end of the day (1440). Refuses a
 * window that is empty after rounding.
 */
export function windowOf(query: Pick<AbsenceQuery, 'begin' | 'end' | 'date'>, name: string): Interval {
  const start = roundToQuarter(parseTime(query.begin) ?? 0);
  const rounded = roundToQuarter(parseTime(query.end) ?? 0);
  const end = rounded === MINUTES_A_DAY - 1 ? MINUTES_A_DAY : rounded;
  if (start < end && start < MINUTES_A_DAY - 1) return { start, end };
  throw refusal('absence-too-short', name, query.date, inWords(query.begin), inWords(query.end));
}

/** A time of a request as people say it. 24:00 is not 12:00 AM, which reads as the beginning of the day. */
function inWords(time: string): string {
  const minutes = parseTime(time) ?? 0;
  return minutes === MINUTES_A_DAY ? 'the end of the day' : clockTime(minutes);
}

/** All the windows that a request gives for one person on one date. */
export interface WantedWindows {
  windows: Interval[];
  /** Whether these windows replace everything stored for the person and date. */
  replaces: boolean;
}

/** The windows to store for a person and date, sorted, without overlaps. */
export function windowsToStore(stored: readonly Interval[], wanted: WantedWindows): Interval[] {
  return union([...(wanted.replaces ? [] : stored), ...wanted.windows]);
}

/**
 * Finds which stored windows to remove and which windows to add; a window that is both stored and wanted stays. A
 * window that another location recorded stays as long as the new windows contain all of it.
 */
export function difference<T extends Interval & { location: Location }>(
  stored: readonly T[],
  target: readonly Interval[],
  here: Location,
): { gone: T[]; added: Interval[] } {
  const elsewhere = stored.filter((s) => s.location !== here && target.some((t) => contains(t, s)));
  const wanted = subtract(target, elsewhere);
  const same = (a: Interval, b: Interval): boolean => a.start === b.start && a.end === b.end;
  return {
    gone: stored.filter((s) => !elsewhere.includes(s) && !wanted.some((w) => same(s, w))),
    added: wanted.filter((w) => !stored.some((s) => same(s, w))),
  };
}
