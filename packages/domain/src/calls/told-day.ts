import { subtract, union, type Interval } from '../interval.ts';
import { compareText } from '../names.ts';
import type { Service } from '../services.ts';

/** A stretch of a person's day, as they hear about it. Minutes after midnight. */
export interface ToldStretch extends Interval {
  /** The id of the other person: a therapist's client, a client's therapist. Null: no one. */
  readonly with: string | null;
  readonly service: Service;
}

/** A stretch that the person has now and was not told about (`new`), or was told about and no longer has (`gone`). */
export interface NetChange extends ToldStretch {
  readonly what: 'new' | 'gone';
}

/** Stretches with the same key are told as one. */
const keyOf = (stretch: ToldStretch): string => JSON.stringify([stretch.with, stretch.service]);

const inOrder = (a: ToldStretch, b: ToldStretch): number =>
  a.start - b.start || a.end - b.end || compareText(keyOf(a), keyOf(b));

function byKey(stretches: readonly ToldStretch[]): Map<string, ToldStretch[]> {
  const groups = new Map<string, ToldStretch[]>();
  for (const stretch of stretches) groups.set(keyOf(stretch), [...(groups.get(keyOf(stretch)) ?? []), stretch]);
  return groups;
}

/** The same day in as few stretches as possible, in order: two days are the same when these are equal. */
export function joinStretches(stretches: readonly ToldStretch[]): ToldStretch[] {
  return [...byKey(stretches).values()].flatMap((group) => joined(group, union(group))).sort(inOrder);
}

const joined = (group: readonly ToldStretch[], times: readonly Interval[]): ToldStretch[] =>
  group
    .slice(0, 1)
    .flatMap(({ with: other, service }) => times.map(({ start, end }) => ({ start, end, with: other, service })));

/** What is different now from what the person was told, whatever changed it and however often. */
export function netChanges(told: readonly ToldStretch[], now: readonly ToldStretch[]): NetChange[] {
  const before = byKey(told);
  const after = byKey(now);
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((key) => {
      const was = before.get(key) ?? [];
      const is = after.get(key) ?? [];
      return [
        ...joined(is, subtract(is, was)).map((stretch): NetChange => ({ ...stretch, what: 'new' })),
        ...joined(was, subtract(was, is)).map((stretch): NetChange => ({ ...stretch, what: 'gone' })),
      ];
    })
    .sort((a, b) => inOrder(a, b) || compareText(a.what, b.what));
}

/**
 * The changes that a person must still be told: without changes that have ended by `from`, and without their own time
 * for which they said they are away.
 */
export function changesToTell(
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  away: readonly Interval[],
  from: number,
): NetChange[] {
  return netChanges(told, now)
    .flatMap((change): NetChange[] =>
      change.what === 'new' ? [change] : subtract([change], away).map((left) => ({ ...change, ...left })),
    )
    .filter((change) => change.end > from)
    .sort((a, b) => inOrder(a, b) || compareText(a.what, b.what));
}
