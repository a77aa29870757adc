import type { Interval } from './interval.ts';
import { groupBy } from './lists.ts';
import { nameKey } from './names.ts';
import { dayOfWeek, daysBetween, type IsoDate } from './time.ts';

/** A session with a client, as far as it tells whether it repeats every week. */
export interface Repeating extends Interval {
  readonly date: IsoDate;
  readonly client: string;
  /** Who has it; null if nobody does. */
  readonly therapist: string | null;
  /** Who had it before it was covered; null if no one covers it. */
  readonly coveredFor: string | null;
  readonly subject: string;
  /** Whether it takes place: false for one that was cancelled or a no-show. */
  readonly held: boolean;
}

/** A client, therapist, weekday and time that return every week, and the sessions that show it. */
export interface Repeat<R extends Repeating> {
  readonly therapist: string;
  readonly weekday: number;
  /** Its sessions in chronological order, with those that others covered. */
  readonly sessions: readonly R[];
  readonly first: IsoDate;
  readonly last: IsoDate;
  /** How many dates the weekday has from the first through the last. */
  readonly weeks: number;
  /** On how many of them the therapist had it. */
  readonly held: number;
  /** How many sessions were cancelled. */
  readonly cancelled: number;
  /** Who covered it, and on how many dates. */
  readonly covered: ReadonlyMap<string, number>;
}

const LEAST_SESSIONS = 3;
/** On at least two of three weeks the session is on the calendar, held or not. */
const MOST_MISSING = 1 / 3;
/** Up to so many dates, someone before the therapist only stood in. */
const SHORT = 4;
/** The therapist has at least this share of the dates. */
const LEAST_OWN = 0.6;

interface Candidate {
  readonly therapist: string;
  readonly dates: ReadonlySet<IsoDate>;
  readonly first: IsoDate;
  readonly last: IsoDate;
  /** The first and the last date on which it was theirs, held or not. */
  readonly span: readonly [IsoDate, IsoDate];
}

/**
 * Recognises weekly series among sessions that were imported one by one: the same client, subject, weekday, times and
 * therapist, three times or more. Dates that someone else covered, or that were cancelled, count as dates of the series;
 * dates that are missing may be a third. Someone who only stood in for a while has no series of their own.
 */
export function recogniseRepeats<R extends Repeating>(sessions: readonly R[]): Repeat<R>[] {
  const alike = groupBy(sessions, (row) =>
    [row.client, nameKey(row.subject), dayOfWeek(row.date), row.start, row.end].join('\n'),
  );
  return [...alike.values()].flatMap((rows) => {
    const candidates = candidatesAmong(rows);
    const real = candidates.filter((each) => !candidates.some((other) => standsInFor(each, other)));
    return real.flatMap((each) => {
      const standIns = candidates.filter((other) => standsInFor(other, each));
      return repeatOf(rows, each, new Set(standIns.flatMap(({ dates }) => [...dates]))) ?? [];
    });
  });
}

const ownerOf = (row: Repeating): string | null => row.coveredFor ?? row.therapist;

function candidatesAmong(rows: readonly Repeating[]): Candidate[] {
  return [...groupBy(rows, ownerOf)].flatMap(([therapist, own]) => {
    const all = own.map(({ date }) => date).sort();
    const dates = [...new Set(own.filter((row) => row.held).map(({ date }) => date))].sort();
    const [first, last] = [dates[0], dates.at(-1)];
    if (therapist === null || dates.length < LEAST_SESSIONS || first === undefined || last === undefined) return [];
    return [{ therapist, dates: new Set(dates), first, last, span: [all[0] ?? first, all.at(-1) ?? last] }];
  });
}

/**
 * Whether a candidate only stood in for another, on dates that the other has not: in the middle of the other's dates, or
 * for a short time before them.
 */
function standsInFor(each: Candidate, other: Candidate): boolean {
  if (each.last > other.span[1] || [...each.dates].some((date) => other.dates.has(date))) return false;
  if (other.span[0] < each.first) return other.dates.size * 2 >= each.dates.size;
  return each.dates.size <= SHORT && other.dates.size >= 2 * each.dates.size;
}

function repeatOf<R extends Repeating>(
  rows: readonly R[],
  own: Candidate,
  stoodIn: ReadonlySet<IsoDate>,
): Repeat<R> | null {
  const { therapist, first, last, dates } = own;
  const within = rows.filter(({ date }) => first <= date && date <= last);
  const known = new Set(within.map(({ date }) => date));
  const weeks = daysBetween(first, last) / 7 + 1;
  if (weeks - known.size > weeks * MOST_MISSING) return null;
  const taken = new Set(within.filter((row) => row.held && !stoodIn.has(row.date)).map(({ date }) => date));
  if (dates.size < taken.size * LEAST_OWN) return null;
  const isPart = (row: R): boolean => ownerOf(row) === therapist || (row.held && !dates.has(row.date));
  const sessions = within.filter(isPart).sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const covered = new Map<string, number>();
  for (const row of sessions)
    if (row.held && row.therapist !== null && row.therapist !== therapist)
      covered.set(row.therapist, (covered.get(row.therapist) ?? 0) + 1);
  return {
    therapist,
    weekday: dayOfWeek(first),
    sessions,
    first,
    last,
    weeks,
    held: new Set(sessions.filter((row) => row.held && row.therapist === therapist).map(({ date }) => date)).size,
    cancelled: sessions.filter((row) => !row.held).length,
    covered,
  };
}
