import { groupBy } from '../lists.ts';
import { overlaps, subtract, union, type Interval } from '../interval.ts';
import { compareText } from '../names.ts';
import type { Service } from '../services.ts';

/** A session, or a part of a session, as a person is told about it. Its times are minutes after midnight. */
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

/** A therapist's day at a location, without the administrative time that their sessions at any location take up. */
export function withoutTakenAdmin(day: readonly ToldStretch[], elsewhere: readonly ToldStretch[] = []): ToldStretch[] {
  const sessions = [...day, ...elsewhere].filter(({ service }) => service !== 'admin');
  const left = (stretch: ToldStretch): ToldStretch[] =>
    subtract([stretch], sessions).map((window) => ({ ...stretch, ...window }));
  return day.flatMap((stretch) => (stretch.service === 'admin' ? left(stretch) : [stretch])).sort(inOrder);
}

/** The key of a session's parts. Adjacent parts with the same key are joined, so that one sentence names them. */
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

/** Compares a person's day with what they were last told, whatever happened in between. */
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
 * Finds the changes that a person has not been told about yet. Leaves out changes that have ended by `from`, and
 * sessions that the person lost by being away.
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

/** Sessions that the person no longer has, except those already named as replaced. */
export const unreplaced = (gone: readonly NetChange[], fresh: readonly Interval[]): NetChange[] =>
  gone.flatMap((change) => subtract([change], fresh).map((left) => ({ ...change, ...left })));

/**
 * The new sessions whose sentences name this lost session as replaced: those of the same service, and those that replace
 * no session of their own service.
 */
export const replacing = (was: NetChange, fresh: readonly NetChange[], gone: readonly NetChange[]): NetChange[] =>
  fresh.filter(
    (is) =>
      is.service === was.service ||
      !gone.some((other) => other.with !== null && other.service === is.service && overlaps(other, is)),
  );

/**
 * The times without a therapist that a family is asked about: those that are new, each with the rest of its session, and
 * the rest of a session that now has someone for a part. Of someone who comes for a part only, they would not know
 * whether the rest takes place. Leaves out what has ended by `from`.
 */
export function openTimes(changes: readonly NetChange[], now: readonly ToldStretch[], from: number): ToldStretch[] {
  const isNextTo = (a: Interval, b: Interval): boolean => a.start <= b.end && b.start <= a.end;
  return now.filter(
    (open) =>
      open.with === null &&
      open.end > from &&
      changes.some((change) => change.service === open.service && isNextTo(change, open)),
  );
}

/** A session that is cancelled, and the therapists whom the family may expect for it, the likeliest first. */
export interface CancelledSession extends Interval {
  readonly service: Service;
  readonly therapists: readonly (string | null)[];
}

/**
 * Finds the sessions that a family no longer expects once they are told that this session is cancelled. `told` is what
 * they were told before, and `now` is their day without the session. Returns at most one session for any time of day,
 * and none if it is not certain which of several sessions was cancelled.
 */
export function toldCancelled(
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  session: CancelledSession,
): ToldStretch[] {
  const ends = [session, ...told, ...now].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set(ends)].filter((m) => session.start <= m && m <= session.end).sort((a, b) => a - b);
  return joinStretches(
    cuts.slice(1).flatMap((end, i) => {
      const part = { start: cuts[i] ?? end, end };
      const is = now.filter((stretch) => overlaps(stretch, part));
      const gone = told.filter((t) => overlaps(t, part) && !is.some((n) => keyOf(n) === keyOf(t)));
      const off = whichOff(gone, is, session);
      return off ? [{ ...off, ...part }] : [];
    }),
  );
}

/** Finds which of the person's lost sessions is the cancelled session; undefined if that is not certain. */
function whichOff(
  gone: readonly ToldStretch[],
  now: readonly ToldStretch[],
  { service, therapists }: CancelledSession,
): ToldStretch | undefined {
  const same = gone.filter((stretch) => stretch.service === service);
  const known = therapists.flatMap((id) => same.filter((stretch) => stretch.with === id));
  if (known.length > 0) return known[0];
  const replaced = now.some((stretch) => stretch.service === service);
  if (same.length > 0 || now.length > 0) return same.length === 1 && !replaced ? same[0] : undefined;
  return gone.length === 1 ? gone[0] : undefined;
}

/** Removes the given parts of sessions from a day. */
export function withoutStretches(day: readonly ToldStretch[], taken: readonly ToldStretch[]): ToldStretch[] {
  const off = byKey(taken);
  return joinStretches([...byKey(day)].flatMap(([key, group]) => joined(group, subtract(group, off.get(key) ?? []))));
}
