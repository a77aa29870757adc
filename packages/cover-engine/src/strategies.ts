/**
 * The strategies. Most of them put one term first. Among plans with the same number of units of that term, the table of
 * points decides.
 */
import { keysOf } from '@clinic/domain';
import type { Strategy } from './problem.ts';
import { priceOf, type Units } from './count.ts';
import { LIMITED, type LimitedTerm, type Limits } from './search/limited.ts';
import { POINTS, type Weights } from './terms.ts';

interface StrategyDefinition {
  readonly label: string;
  /**
   * The term that the strategy puts first, with extra points for each unit; null for a strategy that uses only the
   * table.
   */
  readonly lead: { readonly term: LimitedTerm; readonly points: number } | null;
  /** Whether Option 1 limits the strategy (`heldTo`). */
  readonly held: boolean;
}

export const STRATEGIES = {
  balanced: { label: 'Balanced', lead: null, held: false },
  'fewest-calls': { label: 'Fewest calls', lead: { term: 'call', points: 10_000 }, held: true },
  'fewest-faces': { label: 'Fewest new faces', lead: { term: 'face', points: 10_000 }, held: true },
  'whole-sessions': { label: 'Whole sessions', lead: { term: 'change', points: 10_000 }, held: true },
  'bcba-free': { label: 'BCBAs kept free', lead: { term: 'bcba', points: 10_000 }, held: true },
  alternative: { label: 'Alternative', lead: null, held: false },
} as const satisfies Readonly<Record<Strategy, StrategyDefinition>>;

/** The terms that strategies can put first. */
export type Lead = NonNullable<(typeof STRATEGIES)[Strategy]['lead']>['term'];

/** The most options that an answer has, unless the caller asks for another number. */
export const MOST_OPTIONS = 5;

/** The strategies in the order of their options. Alternatives come after all of these. */
export const STRATEGY_ORDER = keysOf(STRATEGIES).filter((s) => s !== 'alternative');

/** The terms in which Option 1 limits the plans of other strategies: together, Option 1's care. */
const HELD_TERMS = ['uncovered', 'swap', 'lunch', 'gap', 'stub'] as const satisfies readonly LimitedTerm[];

/** The most that a plan beside Option 1 may cost, by Option 1's price (`priceOf`). */
const budgetOf = (price: number): number => Math.floor(1.25 * price) + 1000;

/** The limits that Option 1 sets: its care, and a budget that is somewhat more than its price. */
export const heldTo = (option1: Units): Limits => ({
  ...Object.fromEntries(HELD_TERMS.map((term) => [term, option1[term]])),
  price: budgetOf(priceOf(option1)),
});

/** Whether a plan with these units keeps the limits. */
export const isWithin = (units: Units, limits: Limits): boolean =>
  LIMITED.every((what) => (what === 'price' ? priceOf(units) : units[what]) <= (limits[what] ?? Infinity));

/** The points for each unit under a strategy, including the extra points for the term that the strategy puts first. */
export function weightsOf(strategy: Strategy): Weights {
  const { lead }: StrategyDefinition = STRATEGIES[strategy];
  return lead ? { ...POINTS, [lead.term]: POINTS[lead.term] + lead.points } : POINTS;
}

/** An alternative has different people from each earlier option on at least this share of the affected slots. */
export const ALTERNATIVE_DIFFERENCE = 0.3;
/** Alternatives are added until there are this many different plans. */
export const ENOUGH_PLANS = 3;

/** The position of a strategy's option in an answer; alternatives come last. */
export const rankOf = (strategy: Strategy): number => Object.keys(STRATEGIES).indexOf(strategy);

/** Inserts an option at the position of its strategy. A later option of the same strategy replaces the earlier one. */
export function placeOption<T extends { readonly option: { readonly strategy: Strategy } }>(
  options: T[],
  next: T,
): void {
  const { strategy } = next.option;
  const same = strategy === 'alternative' ? -1 : options.findIndex((o) => o.option.strategy === strategy);
  const after = options.findIndex((o) => rankOf(o.option.strategy) > rankOf(strategy));
  options.splice(same >= 0 ? same : after >= 0 ? after : options.length, same >= 0 ? 1 : 0, next);
}
