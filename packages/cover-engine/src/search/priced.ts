/**
 * How the search pays for each term that counts people or whole days (*The program* in docs/cover-engine.md). If one of
 * these terms has no entry here, the code does not compile. All other terms are paid by the pieces and moves that cause
 * them; `objective.ts` adds up their points. A new way of paying also needs columns and rows.
 */
import type { Term, TermsCounting } from '../terms.ts';

type PaidByPieces = TermsCounting<
  'open slot' | 'open piece' | 'handover' | 'move' | 'stretch' | 'piece' | 'visit' | 'slot'
>;

type Complete<T extends Readonly<Record<Exclude<Term, PaidByPieces>, 'charge' | 'over' | 'lunch'>>> = T;

type Priced = Complete<{
  /** Paid once, by a column that several patterns share. */
  face: 'charge';
  substitute: 'charge';
  call: 'charge';
  /** Paid by a column for each step at which a therapist's day begins to cost more. */
  overload: 'over';
  lunch: 'lunch';
}>;

/** The names of the terms that are paid in the given way. */
export type PricedBy<Way extends Priced[keyof Priced]> = {
  [T in keyof Priced]: Priced[T] extends Way ? T : never;
}[keyof Priced];

export const CHARGED_TERMS = ['call', 'face', 'substitute'] as const satisfies readonly PricedBy<'charge'>[];
