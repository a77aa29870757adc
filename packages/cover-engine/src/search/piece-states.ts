/**
 * The nodes of a part's pricing graph. A node is a moment and a state: how many pieces there are so far, counted as in
 * hard rule 4 (`constraints/hard/people.ts`).
 */
import { PIECES } from '../limits.ts';
import type { Part } from '../model.ts';

/**
 * For each state: how many pieces substitutes have so far, and how many the booked therapist has. The first state is
 * the start.
 */
const COUNTS: (readonly [others: number, own: number])[] = [];
for (let others = 0; 2 * others <= PIECES.together; others++)
  for (let own = 0; own <= Math.min(PIECES.own, PIECES.together - 2 * others); own++) COUNTS.push([others, own]);

const stateOf = (others: number, own: number): number => COUNTS.findIndex(([a, b]) => a === others && b === own);

export const STATES = COUNTS.length;
/** The state after one more piece of a substitute or of the booked therapist; -1 when that is not allowed. */
export const AFTER_OTHER = COUNTS.map(([others, own]) => stateOf(others + 1, own));
export const AFTER_OWN = COUNTS.map(([others, own]) => stateOf(others, own + 1));

/** The kinds of pieces: without a therapist, with a substitute, with the booked therapist. */
export const KIND = { nobody: 0, other: 1, own: 2 } as const;
/** The state after one more piece, by the piece's kind and the state before it; -1 when the piece is not allowed. */
export const AFTER = [COUNTS.map((_, state) => state), AFTER_OTHER, AFTER_OWN] as const;
export const KINDS = AFTER.length;

/** A node of a part's graph as a number. At the part's end there is only one node for all states. */
export const nodeOf = (moment: number, state: number): number => moment * STATES + state;
export const endNode = (part: Part): number => nodeOf(part.to - part.from, 0);
