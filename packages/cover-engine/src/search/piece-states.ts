/**
 * The nodes of a part's pricing graph. A node is a moment and a state: what the pieces before it allow after it (hard
 * rule 4, `people` in constraints/hard.ts`), and how long the stretch of care is that ends there, if it is still short.
 */
import { HOUR, PIECES } from '../limits.ts';
import type { Part } from '../model.ts';

/** The kinds of pieces: without a therapist, with a substitute, with the booked therapist. */
export const KIND = { nobody: 0, other: 1, own: 2 } as const;

interface State {
  /** How many pieces substitutes have so far, and how many the booked therapist has. */
  readonly others: number;
  readonly own: number;
  /** The kind of the last piece; at the start, as after a piece without a therapist. */
  readonly last: number;
  /** The length of the stretch of care that ends here, at most an hour; 0 if none does. */
  readonly run: number;
}

const START: State = { others: 0, own: 0, last: KIND.nobody, run: 0 };

const mayHave = (others: number, own: number): boolean => 2 * others + own <= PIECES.together && own <= PIECES.own;

/** The state after a piece of this kind and length; null if no such piece may follow. */
function after({ others, own, last, run }: State, kind: number, length: number): State | null {
  if (kind === KIND.nobody) return { others, own, last: kind, run: 0 };
  if (kind === KIND.own && last === kind) return null;
  const next = kind === KIND.own ? { others, own: own + 1 } : { others: others + 1, own };
  return mayHave(next.others, next.own) ? { ...next, last: kind, run: Math.min(HOUR, run + length) } : null;
}

const keyOf = ({ others, own, last, run }: State): string => `${others} ${own} ${last} ${run}`;

/** All states that pieces can lead to; the first is the start. */
function reachable(): State[] {
  const states = [START];
  const seen = new Set(states.map(keyOf));
  for (const state of states)
    for (const kind of Object.values(KIND))
      for (let length = 1; length <= HOUR; length++) {
        const next = after(state, kind, length);
        if (!next || seen.has(keyOf(next))) continue;
        seen.add(keyOf(next));
        states.push(next);
      }
  return states;
}

const ALL = reachable();
const places = new Map(ALL.map((state, i) => [keyOf(state), i]));

export const STATES = ALL.length;
/** For each state: whether a piece without a therapist came last, or none yet; and how long the stretch of care is. */
export const IS_OPEN = ALL.map(({ last }) => last === KIND.nobody);
export const RUN = ALL.map(({ run }) => run);
/** Whether another substitute may follow the one who had a piece, so that it matters who that was. */
export const MAY_REPEAT = ALL.map(({ others, own }) => others > 0 && mayHave(others + 1, own));

/**
 * The state after a piece, at [kind][length, at most an hour][state before]; -1 when the piece is not allowed.
 * Substitutes who have a piece already may have no other; that is not in the state.
 */
const AFTER = Object.values(KIND).map((kind) =>
  Array.from({ length: HOUR + 1 }, (_, length) =>
    Int8Array.from(ALL, (state) => {
      const next = after(state, kind, length);
      return next ? places.get(keyOf(next))! : -1;
    }),
  ),
);
export const statesAfter = (kind: number, length: number): Int8Array => AFTER[kind]![Math.min(HOUR, length)]!;

/** A node of a part's graph as a number. At the part's end there is only one node for all states. */
export const nodeOf = (moment: number, state: number): number => moment * STATES + state;
export const endNode = (part: Part): number => nodeOf(part.to - part.from, 0);
