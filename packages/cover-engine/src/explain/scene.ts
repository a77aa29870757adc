/** A piece whose therapist is explained, and the shape of a reason. */
import type { Term } from '../problem.ts';
import type { Placed } from './next-best.ts';

export interface Reason {
  /** A short name for the reason, independent of its wording. */
  code: string;
  text: string;
}

/** A piece of a plan, with everything its reasons depend on. */
export interface Scene extends Placed {
  /** How many slots of others' work the therapist has in the whole plan. */
  added: number;
  costs: Partial<Record<Term, number>>;
}

/** The tags that the client prefers. */
export const prefersOf = ({ model, part }: Scene): readonly string[] =>
  model.problem.clients[part.client.index]?.prefers ?? [];
