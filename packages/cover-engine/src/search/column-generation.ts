/**
 * Column generation (*From bound to proof*, step 2, in docs/cover-engine.md): patterns and moves are priced by dynamic
 * programming over all of them, rows are added when broken, and every round gives a true lower bound (Lagrange),
 * whatever the prices.
 */
import type { Highs } from 'highs';
import type { Plan } from '../model.ts';
import type { Column } from './column.ts';
import { moveColumn, planOf, patternColumn } from './columns.ts';
import type { Decision } from './branching.ts';
import { keeps, movesDecided } from './branching.ts';
import type { Insertion } from './insertion.ts';
import type { Objective } from './objective.ts';
import { planCost } from './objective.ts';
import { improve } from './neighbourhood-search.ts';
import type { Master } from './master.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { limitPrice, personPrice, piecePrice } from './prices.ts';
import { columnCost } from './rows.ts';
import type { Pricing } from './dual-prices.ts';
import type { Cap } from './enumerate-patterns.ts';
import { cheapestPattern, cheapPatterns } from './enumerate-patterns.ts';

/** Costs are whole numbers: a bound this close below a whole number is that number. */
export const roundUp = (bound: number): number => Math.ceil(bound - 1e-5);

/** If every plan up to `reach` is known: the least that any other costs. */
export const nextAfter = (reach: number): number => Math.floor(reach - 5e-6) + 1;

/** Seconds left; Infinity without a deadline. */
export type Clock = () => number;

export interface SearchContext {
  readonly highs: Highs;
  readonly objective: Objective;
  readonly graphs: readonly PricingGraph[];
  /** Null if a plan has to satisfy more than the rules (alternatives): then plans are not improved heuristically. */
  readonly insertion: Insertion | null;
  readonly master: Master;
  /** By open part: the most a pattern of it may have, whatever the others do (alternatives); otherwise none. */
  readonly caps: readonly (readonly Cap[])[];
  readonly left: Clock;
  readonly seed: number;
  /** Most columns of one program; beyond that, branching is faster (measured). */
  readonly mostListed: number;
  /** If no more patterns than this lie within the gap, they are the program; otherwise their pieces. */
  readonly fewPatterns: number;
  /** Most nodes of HiGHS's own search for a program that is not small. */
  readonly mostNodes: number;
}

/** The effort it took, for the benchmark. */
export interface Effort {
  rounds: number;
  columns: number;
  rows: number;
  /** Columns listed for the final programs. */
  listed: number;
  finishes: number;
  /** Nodes of the branching search. */
  branches: number;
  /** The bound after column generation. */
  relaxed: number;
}

export interface Outcome {
  plan: Plan | null;
  /** Points; Infinity without a plan. */
  cost: number;
  /** No plan costs less; Infinity: there is no plan. */
  bound: number;
  proven: boolean;
  effort: Effort;
}

/** A bound, and the prices that gave it. */
export interface Priced {
  bound: number;
  pricing: Pricing;
  /** Columns that would lower the relaxation. */
  added: Column[];
}

/** Points of every move, by movable part and target. */
export function moveCosts(objective: Objective): Float64Array[] {
  const { instance } = objective;
  return instance.movable.map((m, i) =>
    Float64Array.from(m.targets, (t) => columnCost(objective, moveColumn(instance, i, t), 0)),
  );
}

/** What a move costs at these prices, without its own row. */
export function movePrice(
  { objective: { instance } }: SearchContext,
  { prices, credits }: Pricing,
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
 * Columns added for a part in one round, each with another therapist. Where many therapists are equally good, a few at
 * a time only move the prices on to the next of them; so while the bound stands still, all of them are added.
 */
const USUAL_PATTERNS = 12;
const ALL_PATTERNS = 60;
/** Rounds without a better bound after which it stands still. */
const STANDSTILL = 8;
/** Rounds of search before the programs, if the relaxation is not integral. */
const IMPROVE_ROUNDS = 30;

/** Prices everything: the bound at these prices, and the columns that would lower the relaxation. */
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

/** Whether a column stands for something no plan may do. */
export const pays = (column: Column): boolean => column.kind === 'slack' || column.kind === 'unmoved';

/** Whether a solution is integral in patterns and moves. */
export function isWhole(columns: readonly Column[], values: Float64Array): boolean {
  return columns.every(
    (c, j) => (c.kind !== 'pattern' && c.kind !== 'move') || Math.abs(values[j]! - Math.round(values[j]!)) < 1e-6,
  );
}

/** A relaxation, solved as far as possible. */
export interface Relaxation {
  /** The best bound and its prices; null when HiGHS returned nothing. */
  best: Priced | null;
  values: Float64Array;
  /** Nothing is left to add: the solution is optimal for the relaxation. */
  complete: boolean;
  /** The plan given by the solution, if it is one. */
  plan: Plan | null;
}

/** Column generation under decisions, until its bound reaches `enough`, it is complete, or time is up. */
export function generateColumns(
  context: SearchContext,
  moveBase: readonly Float64Array[],
  decisions: readonly Decision[],
  enough: () => number,
  effort: Effort,
): Relaxation {
  const { objective, master } = context;
  const now: Relaxation = { best: null, values: new Float64Array(0), complete: false, plan: null };
  for (let still = 0; ; still++) {
    const relaxed = master.solve(objective, context.left());
    if (!relaxed) return now;
    effort.rounds++;
    now.values = relaxed.values;
    const most = still < STANDSTILL ? USUAL_PATTERNS : ALL_PATTERNS;
    const priced = priceAll(context, relaxed.pricing, moveBase, decisions, most);
    if (!now.best || priced.bound > now.best.bound + 1e-6) still = 0;
    if (!now.best || priced.bound > now.best.bound) now.best = priced;
    if (roundUp(now.best.bound) >= enough()) return now;
    const rows = master.broken(relaxed.values);
    master.addRows(objective, rows);
    const added = master.addColumns(objective, priced.added);
    if (rows.length === 0 && added === 0) {
      now.complete = true;
      // Any positive share of slack means that a requirement is not met.
      const chosen = master.columns.filter((c, j) => relaxed.values[j]! > (pays(c) ? 1e-6 : 0.5));
      if (isWhole(master.columns, relaxed.values)) now.plan = planOf(objective.instance, chosen);
      return now;
    }
    if (context.left() <= 0) return now;
  }
}

/** Keeps a plan that is better than the current one. */
export function takePlan(objective: Objective, out: Outcome, plan: Plan | null): void {
  const cost = plan ? planCost(objective, plan) : Infinity;
  if (cost < out.cost) Object.assign(out, { plan, cost });
}

/** Rounds a relaxed solution to a plan, if plans may be made that way, and keeps it if it is better. */
export function takeRounded(context: SearchContext, out: Outcome, values: Float64Array): void {
  const { insertion, objective, master } = context;
  if (!insertion) return;
  insertion.round(master.columns, values);
  const rounded = { plan: insertion.plan(), cost: insertion.cost() };
  if (insertion.holds())
    takePlan(objective, out, improve(insertion, rounded, IMPROVE_ROUNDS, context.seed, () => context.left() <= 0).plan);
}
