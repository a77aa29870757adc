/** The strategies: the figure that each puts first. Among plans equal in it, the table of points decides. */
import type { Strategy, Term } from './problem.ts';
import { POINTS, type Weights } from './terms.ts';

interface StrategyDefinition {
  readonly label: string;
  /** The term it puts first, and its extra points per unit; null: only the table. */
  readonly lead: { readonly term: Term; readonly points: number } | null;
  /** Leaves no more uncovered, moves no more sessions and takes no more lunch than Option 1. */
  readonly held: boolean;
}

export const STRATEGIES = {
  balanced: { label: 'Balanced', lead: null, held: false },
  'most-care': { label: 'Most care', lead: { term: 'uncovered', points: 100 }, held: false },
  'fewest-calls': { label: 'Fewest calls', lead: { term: 'call', points: 10_000 }, held: true },
  'fewest-faces': { label: 'Fewest new faces', lead: { term: 'face', points: 10_000 }, held: true },
  'whole-sessions': { label: 'Whole sessions', lead: { term: 'change', points: 10_000 }, held: true },
  'bcba-free': { label: 'BCBAs kept free', lead: { term: 'bcba', points: 10_000 }, held: true },
  alternative: { label: 'Alternative', lead: null, held: false },
} as const satisfies Readonly<Record<Strategy, StrategyDefinition>>;

/** The terms that strategies put first. */
export type Lead = NonNullable<(typeof STRATEGIES)[Strategy]['lead']>['term'];

/** In the order in which options are given; alternatives come after all of them. */
export const STRATEGY_ORDER = (Object.keys(STRATEGIES) as Strategy[]).filter((s) => s !== 'alternative');

/** What a strategy limited by Option 1 must not have more of than Option 1. */
export const HELD_TERMS = ['uncovered', 'swap', 'lunch'] as const satisfies readonly Term[];

/** Points for each unit under a strategy, including its lead. */
export function weightsOf(strategy: Strategy): Weights {
  const { lead }: StrategyDefinition = STRATEGIES[strategy];
  return lead ? { ...POINTS, [lead.term]: POINTS[lead.term] + lead.points } : POINTS;
}

/** An alternative differs from every earlier option on at least this share of the affected slots. */
export const ALTERNATIVE_DIFFERENCE = 0.3;
/** Alternatives follow until this many plans differ. */
export const ENOUGH_PLANS = 3;

/** Where a strategy's option stands in an answer; alternatives come last. */
export const rankOf = (strategy: Strategy): number => Object.keys(STRATEGIES).indexOf(strategy);

/** Puts an option where the table's order has it; a later one of the same strategy takes the place of the earlier. */
export function placeOption<T extends { readonly option: { readonly strategy: Strategy } }>(
  options: T[],
  next: T,
): void {
  const { strategy } = next.option;
  const same = strategy === 'alternative' ? -1 : options.findIndex((o) => o.option.strategy === strategy);
  const after = options.findIndex((o) => rankOf(o.option.strategy) > rankOf(strategy));
  options.splice(same >= 0 ? same : after >= 0 ? after : options.length, same >= 0 ? 1 : 0, next);
}
