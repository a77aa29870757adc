/**
 * How the search pays for each term that belongs to a person or a day (*The program* in docs/cover-engine.md). Every
 * other term is paid by the pieces and moves that cause it: `objective.ts` adds up what the table of terms counts. If
 * such a term has no entry here, the code does not compile. A new way of paying also needs columns and rows.
 */
import type { Term, TermsCounting } from '../terms.ts';

type PaidByPieces = TermsCounting<'open slot' | 'open piece' | 'handover' | 'move' | 'piece' | 'slot'>;

type Complete<T extends Readonly<Record<Exclude<Term, PaidByPieces>, 'charge' | 'over' | 'lunch'>>> = T;

type Priced = Complete<{
  /** Paid once, by a column that several patterns share. */
  face: 'charge';
  call: 'charge';
  /** Paid by a column for each step at which a therapist's day begins to cost more. */
  overload: 'over';
  lunch: 'lunch';
}>;

/** The names of all terms that are paid in this way. */
export type PricedBy<Way extends Priced[keyof Priced]> = {
  [T in keyof Priced]: Priced[T] extends Way ? T : never;
}[keyof Priced];
