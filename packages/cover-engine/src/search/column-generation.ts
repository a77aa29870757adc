/**
 * Column generation (*From bound to proof*, step 2, in docs/cover-engine.md). Dynamic programming finds the cheapest
 * patterns and moves at given prices; rows are added when a solution breaks them. Each round gives a true lower bound
 * (Lagrange), whatever the prices are.
 */
import type { Highs } from 'highs';
import type { Plan } from '../model.ts';
import type { Column } from './column.ts';
import { isWhole, moveColumn, patternColumn, pays, planOf } from './columns.ts';
import type { Insertion } from './insertion.ts';
import type { Together } from './limited.ts';
import type { Objective } from './objective.ts';
import { planCost } from './objective.ts';
import { improve } from './neighbourhood-search.ts';
import type { Basis } from './basis.ts';
import type { Master } from './master.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { ALL_PATTERNS, IMPROVE_ROUNDS, STANDSTILL, UNSETTLED, USUAL_PATTERNS } from './tuned.ts';
import { limitPrice, personPrice, piecePrice } from './prices.ts';
import { columnCost } from './rows.ts';
import type { Pricing } from './dual-prices.ts';
import { cheapestPattern, cheapPatterns } from './enumerate-patterns.ts';

/** Rounds a bound up, since costs are whole numbers. A bound just above a whole number is rounded to that number. */
export const roundUp = (bound: number): number => Math.ceil(bound - 1e-5);

/** The lowest cost that any other plan can have, once every plan that costs at most `reach` is known. */
export const nextAfter = (reach: number): number => Math.floor(reach - 5e-6) + 1;

/** Returns the seconds left; Infinity without a deadline. */
export type Clock = () => number;

/** Returns a clock that runs out after this share of another clock's remaining time. */
export function shareOf(left: Clock, share: number): Clock {
  const now = left();
  if (!Number.isFinite(now)) return left;
  const keep = now * (1 - share);
  return () => left() - keep;
}

export interface SearchContext {
  readonly highs: Highs;
  readonly objective: Objective;
  readonly graphs: readonly PricingGraph[];
  /** The heuristic that improves plans. Null where plans have limits or conditions, which it seldom meets. */
  readonly insertion: Insertion | null;
  readonly master: Master;
  /** Whether the costs are a few units of one term. If so, a program need not look far above the bound at first. */
  readonly inUnits?: boolean;
  /** If given, the search stops after the program over pieces (`prove`). */
  readonly together?: Together;
  readonly left: Clock;
  /** Returns the clock for making a plan after a relaxation that ran out of time, if that may take longer than `left`. */
  readonly late?: () => Clock;
  readonly seed: number;
  /** The limits on the number of a program's columns are multiples of this number. */
  readonly mostListed: number;
  /** Whether the search must stop at once, even while HiGHS runs. */
  readonly stopped?: () => boolean;
}

/** How much work a search took; for the benchmark. */
export interface Effort {
  rounds: number;
  columns: number;
  rows: number;
  /** How many columns the final programs listed. */
  listed: number;
  finishes: number;
  /** The bound after column generation. */
  relaxed: number;
}

export interface Outcome {
  plan: Plan | null;
  /** The plan's points; Infinity without a plan. */
  cost: number;
  /** No plan costs less than this; Infinity when there is no plan at all. */
  bound: number;
  proven: boolean;
  effort: Effort;
  /** The last basis of the relaxation; null when nothing was solved. */
  basis: Basis | null;
}

/** A bound, and the prices from which it was computed. */
export interface Priced {
  bound: number;
  pricing: Pricing;
  /** The columns that would lower the relaxation's cost. */
  added: Column[];
}

/** The points of every move, by movable part and target. */
export function moveCosts(objective: Objective): Float64Array[] {
  const { instance } = objective;
  return instance.movable.map((m, i) =>
    Float64Array.from(m.targets, (t) => columnCost(objective, moveColumn(instance, i, t), 0)),
  );
}

/** What a move costs at these prices. The price of the part's own `move` row is not included. */
export function movePrice(
  { objective: { instance } }: SearchContext,
  { prices, credits }: Pick<Pricing, 'prices' | 'credits'>,
  moveBase: readonly Float64Array[],
  column: Column,
  target: number,
): number {
  const { part, targets } = instance.movable[column.owner]!;
  const t = targets[target]!;
  const base = moveBase[column.owner]![target]! - credits[column.owner]!;
  const shared = personPrice(instance, prices, column) + limitPrice(instance, prices, column);
  return base + shared + piecePrice(instance, prices, t, part.from, part.to);
}

/** Finds the bound at these prices, and the columns that would lower the relaxation's cost. */
export function priceAll(
  context: SearchContext,
  pricing: Pricing,
  moveBase: readonly Float64Array[],
  most = USUAL_PATTERNS,
): Priced {
  const { instance } = context.objective;
  let bound = pricing.constant;
  const added: Column[] = [];
  context.graphs.forEach((graph, i) => {
    const least = graph.price(pricing.prices);
    bound += least;
    const dual = pricing.partDuals[i]!;
    if (least >= dual - 1e-6) return;
    added.push(patternColumn(instance, i, cheapestPattern(graph)));
    for (const pattern of cheapPatterns(graph, dual - 1e-6, most)) added.push(patternColumn(instance, i, pattern));
  });
  instance.movable.forEach((m, i) => {
    let least = m.must ? Infinity : 0;
    m.targets.forEach((target, j) => {
      const column = moveColumn(instance, i, target);
      const cost = movePrice(context, pricing, moveBase, column, j);
      least = Math.min(least, cost);
      if (cost - pricing.moveDuals[i]! < -1e-6) added.push(column);
    });
    bound += least;
  });
  return { bound, added, pricing };
}

/** A relaxation, solved as far as time allowed. */
export interface Relaxation {
  /** The best bound with its prices; null when HiGHS returned nothing. */
  best: Priced | null;
  values: Float64Array;
  /** The columns' reduced costs in the last solution. */
  reduced: Float64Array;
  /** Whether no column or row is left to add, so that the relaxation is fully solved. */
  complete: boolean;
  /** The solution as a plan, if the relaxation is complete and its solution is whole; otherwise null. */
  plan: Plan | null;
}

const NONE = new Float64Array(0);

/** Generates columns until the bound reaches `enough`, no column is left, or time is up. */
export function generateColumns(
  context: SearchContext,
  moveBase: readonly Float64Array[],
  enough: () => number,
  effort: Effort,
): Relaxation {
  const { objective, master } = context;
  const now: Relaxation = { best: null, values: NONE, reduced: NONE, complete: false, plan: null };
  let cost = Infinity;
  for (let still = 0; ; still++) {
    const relaxed = master.solve(objective, context.left());
    if (!relaxed) return now;
    effort.rounds++;
    const { values } = relaxed;
    Object.assign(now, { values, reduced: master.reducedCosts });
    const most = still < STANDSTILL ? USUAL_PATTERNS : ALL_PATTERNS;
    const priced = priceAll(context, relaxed.pricing, moveBase, most);
    const settled = Math.abs(relaxed.objective - cost) <= UNSETTLED * Math.abs(relaxed.objective);
    cost = relaxed.objective;
    if (!settled || !now.best || priced.bound > now.best.bound + 1e-6) still = 0;
    if (!now.best || priced.bound > now.best.bound) now.best = priced;
    if (roundUp(now.best.bound) >= enough()) return now;
    const rows = master.broken(relaxed.values);
    master.addRows(objective, rows);
    const added = master.addColumns(objective, priced.added);
    if (rows.length === 0 && added === 0) {
      now.complete = true;
      // A slack column with a positive value means that the solution does not meet some requirement.
      const chosen = master.columns.filter((c, j) => values[j]! > (pays(c) ? 1e-6 : 0.5));
      if (isWhole(master.columns, values)) now.plan = planOf(objective.instance, chosen);
      return now;
    }
    if (context.left() <= 0) return now;
  }
}

/** Keeps the plan if it is better than the current one. */
export function takePlan(objective: Objective, out: Outcome, plan: Plan | null): void {
  const cost = plan ? planCost(objective, plan) : Infinity;
  if (cost < out.cost) Object.assign(out, { plan, cost });
}

/** Rounds a relaxed solution to a plan if possible, and keeps that plan if it is better than the current one. */
export function takeRounded(context: SearchContext, out: Outcome, values: Float64Array): void {
  const { objective, master, insertion } = context;
  if (!insertion) return;
  insertion.round(master.columns, values);
  const rounded = { plan: insertion.plan(), cost: insertion.cost() };
  if (insertion.holds())
    takePlan(objective, out, improve(insertion, rounded, IMPROVE_ROUNDS, context.seed, () => context.left() <= 0).plan);
}
