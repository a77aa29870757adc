import { intersect, overlaps, type Interval } from '../interval.ts';
import type { PersonKind } from '../people.ts';
import type { CallKind } from './call-kind.ts';
import type { NetChange } from './told-day.ts';

/** A line of a call list, as far as it decides what hangs on whose yes. */
export interface HangingCall {
  readonly kind: PersonKind;
  readonly id: string;
  readonly call: CallKind;
  readonly changes: readonly NetChange[];
}

/** A change that takes place only if these people say yes. */
export interface Hanging<T> {
  readonly change: NetChange;
  readonly asks: readonly T[];
}

/**
 * Finds what hangs on a yes that nobody has given yet: the time that a family is promised a therapist who is asked, what
 * another therapist gives to the one who is asked, and what that therapist then takes in its place. Returns the changes
 * of each line that hang on other lines; lines without any are left out.
 */
export function hangingChanges<T extends HangingCall>(lines: readonly T[]): Map<T, readonly Hanging<T>[]> {
  const therapists = lines.filter(({ kind }) => kind === 'therapist');
  const found = new Map<T, readonly Hanging<T>[]>();
  for (const line of lines) {
    const own = line.changes.flatMap((change): Hanging<T>[] => {
      const asks = new Set<T>();
      if (line.kind === 'therapist') addAsks(therapists, line, change, asks, new Set());
      else if (change.what === 'new')
        for (const holder of therapists.filter(({ id }) => id === change.with))
          for (const part of heldBy(holder, { ...change, with: line.id })) addHeld(therapists, holder, part, asks);
      asks.delete(line);
      return asks.size === 0 ? [] : [{ change, asks: [...asks] }];
    });
    if (own.length > 0) found.set(line, own);
  }
  return found;
}

/** The parts of a session that are new to this therapist. */
const heldBy = (holder: HangingCall, session: NetChange): NetChange[] =>
  holder.changes.flatMap((c) => {
    const both = c.what === 'new' && c.with === session.with && c.service === session.service && intersect(c, session);
    return both ? [{ ...c, ...both }] : [];
  });

/** Adds whose yes it takes until this therapist has this new session. */
function addHeld<T extends HangingCall>(
  therapists: readonly T[],
  holder: T,
  session: NetChange,
  asks: Set<T>,
  seen = new Set<string>(),
): void {
  if (holder.call === 'ask') asks.add(holder);
  addAsks(therapists, holder, session, asks, seen);
}

/**
 * Adds on whom a therapist's change hangs: for a session that they lose, on the therapist who takes it; for a new one, on
 * those who take what they had in its time.
 */
function addAsks<T extends HangingCall>(
  therapists: readonly T[],
  line: T,
  change: NetChange,
  asks: Set<T>,
  seen: Set<string>,
): void {
  const key = JSON.stringify([line.id, change]);
  if (seen.has(key)) return;
  seen.add(key);
  for (const lost of change.what === 'gone' ? [change] : lostFor(line, change))
    for (const taker of therapists)
      if (taker !== line && lost.with !== null)
        for (const part of heldBy(taker, lost)) addHeld(therapists, taker, part, asks, seen);
}

/** The parts of a therapist's lost sessions in the time of a new one, which take place after all if it does not. */
const lostFor = ({ changes }: HangingCall, time: Interval): NetChange[] =>
  changes.flatMap((c) => (c.what === 'gone' && overlaps(c, time) ? [{ ...c, ...intersect(c, time) }] : []));
