import type { AbsenceQuery } from '@clinic/contract';
import {
  clockTime,
  contains,
  MINUTES_A_DAY,
  parseTime,
  roundToQuarter,
  subtract,
  union,
  type Location,
} from '@clinic/domain';
import type { Window } from '../../../clinic-day/day.ts';
import { refusal } from '../../../platform/refusal.ts';

/** A query's window, rounded to quarters, with 23:59 as the end of the day (1440). Refuses an empty window. */
export function windowOf(query: Pick<AbsenceQuery, 'begin' | 'end' | 'date'>, name: string): Window {
  const start = roundToQuarter(parseTime(query.begin) ?? 0);
  const rounded = roundToQuarter(parseTime(query.end) ?? 0);
  const end = rounded === MINUTES_A_DAY - 1 ? MINUTES_A_DAY : rounded;
  if (start < end && start < MINUTES_A_DAY - 1) return { start, end };
  const [begins, ends] = [query.begin, query.end].map((time) => clockTime(parseTime(time) ?? 0));
  throw refusal('absence-too-short', name, query.date, begins ?? '', ends ?? '');
}

/** A request's queries for one person on one date. */
export interface WantedWindows {
  windows: Window[];
  /** True if they replace everything stored for that person and date. */
  replaces: boolean;
}

/** The windows to store for a person and date: sorted, disjoint, not touching. */
export function windowsToStore(stored: readonly Window[], wanted: WantedWindows): Window[] {
  return union([...(wanted.replaces ? [] : stored), ...wanted.windows]);
}

/**
 * Which stored windows are removed and which are new; equal ones stay. A window recorded by another location stays that
 * location's as long as the target contains all of it.
 */
export function difference<T extends Window & { location: Location }>(
  stored: readonly T[],
  target: readonly Window[],
  here: Location,
): { gone: T[]; added: Window[] } {
  const elsewhere = stored.filter((s) => s.location !== here && target.some((t) => contains(t, s)));
  const wanted = subtract(target, elsewhere);
  const same = (a: Window, b: Window): boolean => a.start === b.start && a.end === b.end;
  return {
    gone: stored.filter((s) => !elsewhere.includes(s) && !wanted.some((w) => same(s, w))),
    added: wanted.filter((w) => !stored.some((s) => same(s, w))),
  };
}
