/**
 * The best plan of one strategy, and the proof that there is none better. See `docs/cover-engine.md`.
 *
 * 1. Column generation: the relaxation over ways and moves, columns priced by dynamic programming over all of them,
 *    rows added when broken. Every round gives a true lower bound (Lagrange), whatever the prices.
 * 2. Every way and move whose reduced cost is under a limit is listed; no plan under bound + limit holds any other.
 * 3. What is listed is solved to the end as a small mixed-integer program.
 */
import type { Highs } from 'highs';
import type { Plan } from '../model.ts';
import type { Column } from './columns.ts';
import { columnsOf, moveColumn, planOf, restColumns, wayColumn } from './columns.ts';
import type { Draft } from './draft.ts';
import type { Field } from './field.ts';
import { planCost, slotCost } from './field.ts';
import { finish } from './finish.ts';
import { improve } from './improve.ts';
import type { Master } from './master.ts';
import type { Pricing } from './pricing.ts';
import type { PartGraph } from './part-graph.ts';
import { readWay, variety } from './ways.ts';
import { piecePrice } from './prices.ts';

/** Costs are whole: a bound this close under a whole number is that number. */
export const roundUp = (bound: number): number => Math.ceil(bound - 1e-5);

/** Seconds left; Infinity when there is no deadline. */
export type Clock = () => number;

export interface Workshop {
  readonly highs: Highs;
  readonly field: Field;
  readonly graphs: readonly PartGraph[];
  /** Null where a plan has to keep more than the rules (alternatives): nothing is improved by hand then. */
  readonly draft: Draft | null;
  readonly master: Master;
  readonly left: Clock;
  readonly seed: number;
}

/** What it took, for the bench and for curious people. */
export interface Effort {
  rounds: number;
  columns: number;
  rows: number;
  /** Columns listed for the last programs. */
  listed: number;
  finishes: number;
  /** Bound after column generation. */
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

/** A bound, and the prices it was had at. */
export interface Priced {
  bound: number;
  pricing: Pricing;
  /** Columns that would lower the relaxation. */
  added: Column[];
}

/** Points of every move, by movable part and target. */
export function moveCosts({ ground, weights }: Field): Float64Array[] {
  return ground.movable.map((m) =>
    Float64Array.from(m.targets, (t) => {
      let cost = weights.swap;
      for (let k = m.part.from; k < m.part.to; k++) cost += slotCost(ground, weights, m.part, t, k);
      return cost;
    }),
  );
}

/** Columns added for a part in one round. */
const VARIETY = 6;
/** Rounds of search before the programs, when the relaxation is not whole. */
const IMPROVE_ROUNDS = 30;

/** Prices everything there is: the bound at these prices, and the columns that would lower the relaxation. */
function priceAll(shop: Workshop, pricing: Pricing, moveBase: readonly Float64Array[]): Priced {
  const { ground } = shop.field;
  let bound = pricing.constant;
  const added: Column[] = [];
  shop.graphs.forEach((graph, i) => {
    const least = graph.price(pricing.prices);
    bound += least;
    const dual = pricing.partDuals[i] as number;
    if (least >= dual - 1e-6) return;
    added.push(wayColumn(i, graph.part, readWay(graph)));
    for (const way of variety(graph, dual - 1e-6, VARIETY)) added.push(wayColumn(i, graph.part, way));
  });
  ground.movable.forEach((m, i) => {
    let least = m.must ? Infinity : 0;
    m.targets.forEach((target, j) => {
      const cost =
        (moveBase[i]?.[j] as number) -
        (pricing.credits[i] as number) +
        piecePrice(ground, pricing.prices, target, m.part.from, m.part.to);
      least = Math.min(least, cost);
      if (cost - (pricing.moveDuals[i] as number) < -1e-6) added.push(moveColumn(ground, i, target));
    });
    bound += least;
  });
  return { bound, added, pricing };
}

/** Stands for something that no plan may do. */
const pays = (column: Column): boolean => column.kind === 'slack' || column.kind === 'unmoved';

function isWhole(columns: readonly Column[], values: Float64Array): boolean {
  return columns.every(
    (c, j) =>
      (c.kind !== 'way' && c.kind !== 'move') ||
      Math.abs((values[j] as number) - Math.round(values[j] as number)) < 1e-6,
  );
}

/**
 * Solves one strategy from a plan at hand (or none). Anytime: past the deadline it gives the best so far, and a bound
 * that holds.
 */
export function prove(shop: Workshop, start: { plan: Plan | null; cost: number }): Outcome {
  const { field, master } = shop;
  const effort: Effort = { rounds: 0, columns: 0, rows: 0, listed: 0, finishes: 0, relaxed: -Infinity };
  const out: Outcome = { plan: start.plan, cost: start.cost, bound: -Infinity, proven: false, effort };
  const moveBase = moveCosts(field);
  const take = (plan: Plan | null) => {
    const cost = plan ? planCost(field, plan) : Infinity;
    if (cost < out.cost) Object.assign(out, { plan, cost });
  };
  const done = () => {
    effort.columns = master.columns.length;
    effort.rows = master.rows.length;
    out.proven = out.bound >= out.cost;
    if (out.cost < Infinity) out.bound = Math.min(out.bound, out.cost);
    return out;
  };
  master.addColumns(field, restColumns(field.ground));
  if (out.plan) master.addColumns(field, columnsOf(field.ground, out.plan));
  let best: Priced | null = null;
  let values: Float64Array;
  for (;;) {
    const relaxed = master.solve(field, shop.left());
    if (!relaxed) return done();
    effort.rounds++;
    values = relaxed.values;
    const priced = priceAll(shop, relaxed.pricing, moveBase);
    if (!best || priced.bound > best.bound) best = priced;
    out.bound = Math.max(out.bound, roundUp(best.bound));
    if (out.bound >= out.cost) return done();
    const rows = master.broken(relaxed.values);
    master.addRows(field, rows);
    const added = master.addColumns(field, priced.added);
    if (rows.length === 0 && added === 0) {
      if (isWhole(master.columns, relaxed.values))
        take(
          planOf(
            field.ground,
            // A share of slack, however small, is a plan that does not keep what it has to.
            master.columns.filter((c, j) => (relaxed.values[j] as number) > (pays(c) ? 1e-6 : 0.5)),
          ),
        );
      break;
    }
    if (shop.left() <= 0) return done();
  }
  effort.relaxed = best.bound;
  if (out.bound >= master.never) {
    // Dearer than any plan: what must move cannot, or nothing else keeps what an alternative has to.
    out.bound = Infinity;
    return done();
  }
  if (out.bound >= out.cost) return done();
  if (shop.draft) {
    const { draft } = shop;
    draft.round(master.columns, values);
    const rounded = { plan: draft.plan(), cost: draft.cost() };
    if (draft.holds()) take(improve(draft, rounded, IMPROVE_ROUNDS, shop.seed, () => shop.left() <= 0).plan);
    if (out.bound >= out.cost) return done();
  }
  finish(shop, out, best, moveBase);
  return done();
}
