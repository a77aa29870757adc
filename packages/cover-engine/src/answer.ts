/** The file format of the cover engine's answers (`cover-options/1`), as types. Times are as in a problem. */
import type { Piece, Strategy } from './problem.ts';
import type { Term } from './terms.ts';

/**
 * The points of each term, in whole numbers; `lead` holds the points for the term that the strategy puts first. Terms
 * with zero points may be left out.
 */
export type Score = { total: number; lead?: number } & Partial<Record<Term, number>>;

export interface PlannedSession {
  session: string;
  pieces: Piece[];
}

/** One whole plan. Sessions that are not listed stay as they are, except for cancelled time. */
export interface CoverOption {
  strategy: Strategy;
  /** Whether it is proven that no plan has a better score under the strategy. */
  proven: boolean;
  /** A proven lower bound: no plan that this option's search allows has a lower score. Null when no bound is known. */
  bound: number | null;
  score: Score;
  sessions: PlannedSession[];
}

/**
 * Why there are no options: the problem cannot be read, its pins clash, no plan covers a required time, or time ran
 * out.
 */
export interface Refusal {
  code: string;
  detail: string;
  /** The clashes, when pins clash with each other or with a rule. */
  conflicts?: { session: string; start: string; end: string; therapist: string | null; why: string }[];
}

export interface CoverAnswer {
  format: 'cover-options/1';
  options: CoverOption[];
  /**
   * The strategies that have no option although their search did not end: no plan was found in time that an earlier
   * option does not reach, but there may be one. Left out if there are none.
   */
  unfinished?: Strategy[];
  refused?: Refusal;
}
