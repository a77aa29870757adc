/**
 * The search's tuned numbers. Each says on which days it was tuned, by processor time: *ordinary* days are `coverDay` of
 * testkit from 12 × 12 to 100 × 110, *uniform* ones `uniformDay`, *hard* ones `hardDays`, *kinds* `clinicDays`, and
 * *known* ones those of `fixtures`. None changes what is proven in the end, only how soon.
 */

/** Rounds of local search for a strategy's first plan, and for a plan that is rounded from a relaxation. Ordinary. */
export const FIRST_ROUNDS = 20;
export const IMPROVE_ROUNDS = 30;

/**
 * How many columns a part gets in one round, each with a different therapist: with many equally good therapists, the
 * usual few columns only shift the prices to the next therapists. So a part gets all after `STANDSTILL` rounds in which
 * the bound did not rise. Rounds in which the program's cost changed by more than the share `UNSETTLED` do not count.
 * Uniform.
 */
export const USUAL_PATTERNS = 12;
export const ALL_PATTERNS = 60;
export const STANDSTILL = 8;
export const UNSETTLED = 0.01;

/** A new strategy keeps at least this many patterns, those nearest to the last solution: each slows its rounds. Hard. */
export const KEPT = 800;

/**
 * The share of a strategy's time that its relaxation may take, since a bound is not a plan. After one that ran out of
 * time, making a plan may take the second share of the time that all strategies have left. Hard.
 */
export const RELAXING = 0.85;
export const LATE = 0.25;

/** A relaxation's units of the lead count as whole if they are so near to a whole number. Known. */
export const NEARLY_WHOLE = 0.02;
/** Two levels follow if a gap is wider than this share of a unit of the lead: a plan may have less of it. Known. */
export const WIDEST = 0.3;

/** In a gap above this share of the bound, the relaxation's columns are tried together first. Hard. */
export const WIDE = 0.01;
/** How many columns, those nearest to the bound, are tried together: patterns of the relaxation, and pieces. Hard. */
export const TRIED = { patterns: 600, pieces: 1200 };
/** HiGHS may search this many nodes with these columns; and look this many times as far as they reach. Hard. */
export const TRIED_NODES = 300;
export const TRIED_REACH = 4;

/**
 * How many columns a program over pieces may have: the first one, and any one. Each may have twice as many as the one
 * before it. So many columns are looked at. As multiples of `mostListed`, which is `MOST_LISTED` but in tests. Kinds,
 * known.
 */
export const MOST_LISTED = 1200;
export const FOR_EACH = { first: 4, most: 10, seen: 40 };
/** One step covers at least this share of the gap, or of what may be looked at above the lead's bound. Known. */
export const SMALLEST = { usual: 0.1, together: 0.02 };
/** A large program may take this share of the time that is left, so that another plan can be looked for. Kinds. */
export const PROGRAM = 0.6;
/** Without a plan, a step looks this far above the bound: this share of it, plus these points. Days with pins. */
export const FIRST_ROOM = { share: 0.02, points: 200 };
/** With more columns than this, HiGHS's presolve may take ten times as long as all else; with fewer, it pays. Hard. */
export const FEW_TO_PRESOLVE = 1600;
