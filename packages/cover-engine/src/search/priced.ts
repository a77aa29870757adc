/**
 * How the search pays each term that is not counted by slot (*The program* in docs/cover-engine.md); those by slot are
 * read from the table of terms. A new term does not compile without an entry, and a new way of paying leads on to the
 * columns and rows that must know it.
 */
import type { Term } from '../problem.ts';
import type { SlotTerm } from '../terms.ts';

type Complete<T extends Readonly<Record<Exclude<Term, SlotTerm>, 'pattern' | 'charge' | 'over' | 'lunch'>>> = T;

type Priced = Complete<{
  /** By the pieces of a pattern, which `partCost` and the pricing graph count. */
  uncovered: 'pattern';
  gap: 'pattern';
  change: 'pattern';
  short: 'pattern';
  swap: 'pattern';
  /** Once, by a column that several patterns share. */
  face: 'charge';
  call: 'charge';
  /** By a column for each step in which a figure of a therapist's day costs more. */
  overload: 'over';
  lunch: 'lunch';
}>;

/** The terms that are paid in this way. */
export type PricedBy<Way extends Priced[keyof Priced]> = {
  [T in keyof Priced]: Priced[T] extends Way ? T : never;
}[keyof Priced];
