/**
 * How the search pays for each term that does not count slots (*The program* in docs/cover-engine.md); terms that count
 * slots are read from the table of terms. A new term does not compile without an entry here. A new way of paying also
 * needs columns and rows.
 */
import type { Term } from '../problem.ts';
import type { SlotTerm } from '../terms.ts';

type Complete<T extends Readonly<Record<Exclude<Term, SlotTerm>, 'pattern' | 'charge' | 'over' | 'lunch'>>> = T;

type Priced = Complete<{
  /** Paid by a pattern's pieces, in `partCost` and in the pricing graph. */
  uncovered: 'pattern';
  gap: 'pattern';
  change: 'pattern';
  short: 'pattern';
  swap: 'pattern';
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
