/** How the strategies share the time until the deadline (*Time, order, memory* in docs/cover-engine.md). */
import type { Plan } from './model.ts';
import type { Strategy } from './problem.ts';
import type { Outcome } from './search/column-generation.ts';

/**
 * The shares of the remaining time: of Option 1, which limits other options and cannot change once it is given, and of
 * a strategy that is searched once more.
 */
export const FIRST_SHARE = 0.6;
export const AGAIN_SHARE = 0.7;

/**
 * The share of a strategy that Option 1 limits, if this many are still to be searched, including this one. They share
 * the time equally, with one share left for those that need more.
 */
export const equalShare = (searches: number): number => 1 / (searches + 1);

export interface Unproven {
  readonly strategy: Strategy;
  readonly outcome: Outcome & { plan: Plan };
}

/**
 * The nearest to a proof come first: those whose relaxation is finished, and then those with the smallest gap. Option 1
 * comes last: it keeps its plan, so it can gain only a bound.
 */
export function nearestFirst(a: Unproven, b: Unproven): number {
  const rank = ({ strategy, outcome: { effort } }: Unproven): number =>
    strategy === 'balanced' ? 2 : effort.relaxed > -Infinity ? 0 : 1;
  const gap = ({ outcome: { cost, bound } }: Unproven): number => (cost - bound) / Math.max(1, Math.abs(bound));
  return rank(a) - rank(b) || gap(a) - gap(b);
}
