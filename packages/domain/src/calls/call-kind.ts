import { intersect, minutesOf, overlaps, subtract, union, type Interval } from '../interval.ts';
import { netChanges, type NetChange, type ToldStretch } from './told-day.ts';

/** How a person is told: `ask` waits for a yes, `inform` does not, `family` calls a client's family. */
export type CallKind = 'ask' | 'inform' | 'family';

/** From the start of the first session to the end of the last; null: nothing is booked. */
export function bookedDay(sessions: readonly Interval[]): Interval | null {
  if (sessions.length === 0) return null;
  return { start: Math.min(...sessions.map((s) => s.start)), end: Math.max(...sessions.map((s) => s.end)) };
}

/** The part of this new time outside the day for which the therapist was booked. */
export const calledIn = (change: Interval, day: Interval | null): boolean =>
  day === null || change.start < day.start || day.end < change.end;

/** Administrative time that new sessions use. */
export function adminGivenUp(
  changes: readonly NetChange[],
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
): Interval[] {
  const admin = union([...told, ...now].filter((s) => s.service === 'admin'));
  const sessions = changes.filter((c) => c.what === 'new' && c.service !== 'admin');
  return union(admin.flatMap((a) => sessions.flatMap((s) => intersect(a, s) ?? [])));
}

/** Whether a therapist is asked or informed: asked for new time outside the booked day or in administrative time. */
export function therapistKind(
  changes: readonly NetChange[],
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  day: Interval | null,
): Exclude<CallKind, 'family'> {
  const fresh = changes.filter((c) => c.what === 'new' && c.service !== 'admin');
  const asked = fresh.some((c) => calledIn(c, day)) || minutesOf(adminGivenUp(changes, told, now)) > 0;
  return asked ? 'ask' : 'inform';
}

/** Time in which the therapist had sessions and now has nothing. */
export function freedTime(changes: readonly NetChange[], now: readonly ToldStretch[]): Interval[] {
  const gone = changes.filter((c) => c.what === 'gone' && c.service !== 'admin');
  return subtract(gone, [...now]);
}

/** A stretch that was moved to another time, with no one else in its place. */
export interface MovedStretch extends ToldStretch {
  readonly was: Interval;
}

/** Changes as they are told: moved stretches, and the other changes. */
export interface SortedChanges {
  readonly moved: readonly MovedStretch[];
  readonly other: readonly NetChange[];
}

/**
 * Removes from the changes each session that only moved to another time: one stretch with a person before, one after,
 * and nothing else in the time it leaves or takes.
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
    // Otherwise changes that were left out (past, or away) would still be told here.
    if (own.length !== netChanges([was], [is]).length) continue;
    if (changes.some((c) => !same(c, is) && own.some((o) => overlaps(o, c)))) continue;
    moved.push({ ...is, was: { start: was.start, end: was.end } });
  }
  return { moved, other: changes.filter((c) => !moved.some((m) => same(m, c))) };
}
