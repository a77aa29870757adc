import { contains, intersect, minutesOf, overlaps, subtract, union, type Interval } from '../interval.ts';
import { netChanges, type NetChange, type ToldStretch } from './told-day.ts';

/** How a person is told: `ask` waits for a yes, `inform` does not, `family` calls a client's family. */
export type CallKind = 'ask' | 'inform' | 'family';

/** The time from the start of the first session to the end of the last; null when nothing is booked. */
function bookedDay(sessions: readonly Interval[]): Interval | null {
  if (sessions.length === 0) return null;
  return { start: Math.min(...sessions.map((s) => s.start)), end: Math.max(...sessions.map((s) => s.end)) };
}

/** When a therapist is at work: in their booked day, except when they were released from it and may have gone home. */
export function timeAtWork(sessions: readonly Interval[], released: readonly Interval[]): Interval[] {
  const day = bookedDay(sessions);
  return day === null ? [] : subtract([day], released);
}

/** Whether the therapist is not at work for all of a new session. */
export const calledIn = (change: Interval, atWork: readonly Interval[]): boolean =>
  !atWork.some((time) => contains(time, change));

/** The administrative time that new sessions take up. */
export function adminGivenUp(
  changes: readonly NetChange[],
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
): Interval[] {
  const admin = union([...told, ...now].filter((s) => s.service === 'admin'));
  const sessions = changes.filter((c) => c.what === 'new' && c.service !== 'admin');
  return union(admin.flatMap((a) => sessions.flatMap((s) => intersect(a, s) ?? [])));
}

/**
 * Whether a therapist is asked for a new session: one outside their time at work, or one that takes up administrative
 * time. They are informed of the rest.
 */
export const isAskedFor = (
  change: NetChange,
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  atWork: readonly Interval[],
): boolean =>
  change.what === 'new' &&
  change.service !== 'admin' &&
  (calledIn(change, atWork) || minutesOf(adminGivenUp([change], told, now)) > 0);

export const therapistKind = (
  changes: readonly NetChange[],
  ...day: readonly [told: readonly ToldStretch[], now: readonly ToldStretch[], atWork: readonly Interval[]]
): Exclude<CallKind, 'family'> => (changes.some((change) => isAskedFor(change, ...day)) ? 'ask' : 'inform');

/** Time in which the therapist had something booked before, also administrative time, and has nothing now. */
export function freedTime(changes: readonly NetChange[], now: readonly Interval[]): Interval[] {
  const gone = changes.filter((c) => c.what === 'gone');
  return subtract(gone, [...now]);
}

/** A session that moved to another time with the same person; `was` is its earlier time. */
export interface MovedStretch extends ToldStretch {
  readonly was: Interval;
}

/** The changes to tell a person, in two groups: sessions that moved, and all other changes. */
export interface SortedChanges {
  readonly moved: readonly MovedStretch[];
  readonly other: readonly NetChange[];
}

/**
 * Separates the sessions that only moved from all other changes. A session counts as moved if `told` and `now` each
 * have just one session with its person and service, and if no other change overlaps its old or new time.
 */
export function sortMoves(
  changes: readonly NetChange[],
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
): SortedChanges {
  const same = (a: ToldStretch, b: ToldStretch): boolean => a.with === b.with && a.service === b.service;
  const moved: MovedStretch[] = [];
  for (const is of now) {
    if (is.with === null) continue;
    const own = changes.filter((c) => same(c, is));
    const before = told.filter((t) => same(t, is));
    const [was] = before;
    if (!was || own.length === 0 || before.length !== 1 || now.filter((n) => same(n, is)).length !== 1) continue;
    // If part of a change is past or the person need not know about it, the change is not called a move, because the
    // sentence about a move would mention that part as well.
    if (own.length !== netChanges([was], [is]).length) continue;
    if (changes.some((c) => !same(c, is) && own.some((o) => overlaps(o, c)))) continue;
    moved.push({ ...is, was: { start: was.start, end: was.end } });
  }
  return { moved, other: changes.filter((c) => !moved.some((m) => same(m, c))) };
}
