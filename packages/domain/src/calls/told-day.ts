import { groupBy } from '../lists.ts';
import { subtract, union, type Interval } from '../interval.ts';
import { compareText } from '../names.ts';
import type { Service } from '../services.ts';

/** A session, or a part of a session, as a person hears about it. Minutes after midnight. */
export interface ToldStretch extends Interval {
  /** The id of the other person (a therapist's client, or a client's therapist); null when there is none. */
  readonly with: string | null;
  readonly service: Service;
}

/**
 * A part of the person's day that they have not been told about (`new`), or were told about and no longer have
 * (`gone`).
 */
export interface NetChange extends ToldStretch {
  readonly what: 'new' | 'gone';
}

/** A therapist's day without the administrative time that their sessions take up. */
export function withoutTakenAdmin(day: readonly ToldStretch[]): ToldStretch[] {
  const sessions = day.filter(({ service }) => service !== 'admin');
  const left = (stretch: ToldStretch): ToldStretch[] =>
    subtract([stretch], sessions).map((window) => ({ ...stretch, ...window }));
  return day.flatMap((stretch) => (stretch.service === 'admin' ? left(stretch) : [stretch])).sort(inOrder);
}

/** Adjacent parts with the same key are joined, so that one sentence names them. */
const keyOf = (stretch: ToldStretch): string => JSON.stringify([stretch.with, stretch.service]);

const inOrder = (a: ToldStretch, b: ToldStretch): number =>
  a.start - b.start || a.end - b.end || compareText(keyOf(a), keyOf(b));

const byKey = (stretches: readonly ToldStretch[]): Map<string, ToldStretch[]> => groupBy(stretches, keyOf);

/** Joins adjacent parts of the same session and sorts the result by time, so that equal days give equal lists. */
export function joinStretches(stretches: readonly ToldStretch[]): ToldStretch[] {
  return [...byKey(stretches).values()].flatMap((group) => joined(group, union(group))).sort(inOrder);
}

const joined = (group: readonly ToldStretch[], times: readonly Interval[]): ToldStretch[] =>
  group
    .slice(0, 1)
    .flatMap(({ with: other, service }) => times.map(({ start, end }) => ({ start, end, with: other, service })));

/** How a person's day differs from what they were last told, whatever happened in between. */
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
 * The changes that a person must still be told. Leaves out changes that are over by `from`, and sessions that the
 * person lost by being away.
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
