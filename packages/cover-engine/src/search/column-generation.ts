/**
 * Column generation (*From bound to proof*, step 2, in docs/cover-engine.md). Dynamic programming finds the cheapest
 * patterns and moves at given prices; rows are added when a solution breaks them. Each round gives a true lower bound
 * (Lagrange), whatever the prices are. The file is over 250 lines because what a round finds and what follows from it
 * belong together.
 */
import type { Highs } from 'highs';
import type { Plan } from '../model.ts';
import type { Column } from './column.ts';
import { isWhole, moveColumn, patternColumn, pays, planOf } from './columns.ts';
import type { Decision } from './branching.ts';
import { keeps, movesDecided } from './branching.ts';
import type { Insertion } from './insertion.ts';
import type { Together } from './limited.ts';
import type { Objective } from './objective.ts';
import { planCost } from './objective.ts';
import { improve } from './neighbourhood-search.ts';
import type { Basis } from './basis.ts';
import type { Master } from './master.ts';
import { PriceBox } from './price-box.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { limitPrice, personPrice, piecePrice } from './prices.ts';
import { columnCost } from './rows.ts';
import type { Pricing } from './dual-prices.ts';
import type { Cap } from './enumerate-patterns.ts';
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
  /**
   * Makes the heuristic that improves plans, when it is first needed. Null while searching for alternatives, because
   * heuristic plans might not meet the conditions for alternatives.
   */
  readonly insertion: (() => Insertion) | null;
  readonly master: Master;
  /** For each open part: limits on what one pattern may add to a row. Only alternatives have such limits. */
  readonly caps: readonly (readonly Cap[])[];
  /** Whether the costs are a few units of one term. If so, a program need not look far above the bound at first. */
  readonly inUnits?: boolean;
  /** If given, the search stops after the program over pieces (`prove`). */
  readonly together?: Together;
  readonly left: Clock;
  /** Returns the clock for making a plan after a relaxation that ran out of time, if that may take longer than `left`. */
  readonly late?: () => Clock;
  readonly seed: number;
  /**
   * The limits on the number of a program's columns are multiples of this number. Measurements show that branching is
   * faster than larger programs.
   */
  readonly mostListed: number;
  /** If at most this many patterns lie within the gap, the program lists whole patterns; otherwise it lists pieces. */
  readonly fewPatterns: number;
  /** The node limit of HiGHS in the later stages of `close-gap.ts`. The first stage has no limit. */
  readonly mostNodes: number;
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
  /** How many branching nodes were searched. */
  branches: number;
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
  /** No plan within Option 1's care costs less, whatever its price; left out if that is the bound. */
  anyPrice?: number;
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

/**
 * How many columns a part gets in one round, each with a different therapist. With many equally good therapists, the
 * usual few columns only shift the prices to the next therapists. So once the bound no longer rises, a part gets
 * `ALL_PATTERNS`.
 */
const USUAL_PATTERNS = 12;
const ALL_PATTERNS = 60;
/** After this many rounds without a better bound, the bound counts as no longer rising. */
const STANDSTILL = 8;
/**
 * A round in which the program's cost changed by more than this share does not count: the prices still change so much
 * that most of `ALL_PATTERNS` would soon be useless, and slow every later round.
 */
const UNSETTLED = 0.01;
/** How many rounds of heuristic search improve a plan that is rounded from a relaxation. */
const IMPROVE_ROUNDS = 30;

/** Finds the bound at these prices, and the columns that would lower the relaxation's cost. */
export function priceAll(
  context: SearchContext,
  pricing: Pricing,
  moveBase: readonly Float64Array[],
  decisions: readonly Decision[],
  most = USUAL_PATTERNS,
): Priced {
  const { instance } = context.objective;
  const goes = movesDecided(decisions);
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
    if (goes.get(i) === false) return;
    let least = m.must || goes.get(i) ? Infinity : 0;
    m.targets.forEach((target, j) => {
      const column = moveColumn(instance, i, target);
      if (!keeps(column, decisions)) return;
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
  /** Whether no column or row is left to add, so that the relaxation is fully solved. */
  complete: boolean;
  /** The solution as a plan, if the relaxation is complete and its solution is whole; otherwise null. */
  plan: Plan | null;
}

/** Generates columns under the decisions, until the bound reaches `enough`, no column is left, or time is up. */
export function generateColumns(
  context: SearchContext,
  moveBase: readonly Float64Array[],
  decisions: readonly Decision[],
  enough: () => number,
  effort: Effort,
): Relaxation {
  const { objective, master } = context;
  const now: Relaxation = { best: null, values: new Float64Array(0), complete: false, plan: null };
  const box = new PriceBox(objective, master);
  const end = (): Relaxation => Object.assign(now, { values: box.leave(now.values) });
  let cost = Infinity;
  for (let still = 0; ; still++) {
    const relaxed = master.solve(objective, context.left());
    if (!relaxed) return end();
    effort.rounds++;
    now.values = relaxed.values;
    const most = still < STANDSTILL ? USUAL_PATTERNS : ALL_PATTERNS;
    const priced = priceAll(context, relaxed.pricing, moveBase, decisions, most);
    const settled = Math.abs(relaxed.objective - cost) <= UNSETTLED * Math.abs(relaxed.objective);
    cost = relaxed.objective;
    if (!settled || !now.best || priced.bound > now.best.bound + 1e-6) still = 0;
    if (!now.best || priced.bound > now.best.bound) now.best = priced;
    if (roundUp(now.best.bound) >= enough()) return end();
    const rows = master.broken(relaxed.values);
    master.addRows(objective, rows);
    const added = master.addColumns(objective, priced.added);
    const nothing = rows.length === 0 && added === 0;
    const boxed = box.next(relaxed, priced.bound, nothing);
    if (nothing && !boxed) {
      now.complete = true;
      const { values } = end();
      // A slack column with a positive value means that the solution does not meet some requirement.
      const chosen = master.columns.filter((c, j) => values[j]! > (pays(c) ? 1e-6 : 0.5));
      if (isWhole(master.columns, values)) now.plan = planOf(objective.instance, chosen);
      return now;
    }
    if (context.left() <= 0) return end();
  }
}

/** Keeps the plan if it is better than the current one. */
export function takePlan(objective: Objective, out: Outcome, plan: Plan | null): void {
  const cost = plan ? planCost(objective, plan) : Infinity;
  if (cost < out.cost) Object.assign(out, { plan, cost });
}

/** Rounds a relaxed solution to a plan if possible, and keeps that plan if it is better than the current one. */
export function takeRounded(context: SearchContext, out: Outcome, values: Float64Array): void {
  const { objective, master } = context;
  if (!context.insertion) return;
  const insertion = context.insertion();
  insertion.round(master.columns, values);
  const rounded = { plan: insertion.plan(), cost: insertion.cost() };
  if (insertion.holds())
    takePlan(objective, out, improve(insertion, rounded, IMPROVE_ROUNDS, context.seed, () => context.left() <= 0).plan);
}
