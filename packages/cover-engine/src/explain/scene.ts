/** The types behind the explanation of a piece: a reason, and everything that the reasons depend on. */
import type { ClientModel, TherapistModel } from '../model.ts';
import type { Term } from '../terms.ts';
import type { Placed } from './next-best.ts';

export interface Reason {
  /** A short name for the reason, independent of its wording. */
  code: string;
  text: string;
}

/** A piece of a plan, with everything that the reasons for and against its therapist depend on. */
export interface Scene extends Placed {
  /** How many slots of others' work the therapist has in the whole plan. */
  added: number;
  costs: Partial<Record<Term, number>>;
  /** The people who must be told only because of this piece. */
  called: readonly (TherapistModel | ClientModel)[];
}

/** The tags that the client prefers. */
export const prefersOf = ({ model, part }: Scene): readonly string[] =>
  model.problem.clients[part.client.index]?.prefers ?? [];
