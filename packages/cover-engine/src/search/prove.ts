/**
 * The best plan of one strategy, and the proof that none is better. See `docs/cover-engine.md`.
 * 1. Column generation: the relaxation over patterns and moves, columns priced by dynamic programming over all of them,
 * rows added when broken. Every round gives a true lower bound (Lagrange), whatever the prices.
 * 2. The pieces of every pattern with a reduced cost within the gap are solved to the end as a mixed-integer program.
 * 3. If there are too many, the patterns below a limit are listed; no plan below bound + limit uses any other.
 * 4. If too much would be listed, the search branches, and each branch is relaxed, listed and branched again.
 */
import type { Plan } from '../model.ts';
import { solveArcs } from './arc-program.ts';
import { branchAndPrice } from './branch-and-price.ts';
import { columnsOf, uncoveredColumns } from './columns.ts';
import type { Objective } from './objective.ts';
import { closeGap } from './close-gap.ts';
import { noPrices } from './prices.ts';
import type { Pricing } from './dual-prices.ts';
import { ColumnPool } from './column-pool.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import type { Effort, Outcome, Priced, SearchContext } from './column-generation.ts';
import { moveCosts, priceAll, generateColumns, roundUp, takePlan, takeRounded } from './column-generation.ts';

/**
 * Solves one strategy from a plan at hand (or none). Anytime: past the deadline it gives the best so far, and a bound
 * that holds. `floor`: what any plan is known to cost at least.
 */
export function prove(context: SearchContext, start: { plan: Plan | null; cost: number }, floor = -Infinity): Outcome {
  const { objective, master } = context;
  const effort: Effort = { rounds: 0, columns: 0, rows: 0, listed: 0, finishes: 0, branches: 0, relaxed: -Infinity };
  const out: Outcome = { plan: start.plan, cost: start.cost, bound: floor, proven: false, effort };
  const moveBase = moveCosts(objective);
  const done = () => {
    effort.columns = master.columns.length;
    effort.rows = master.rows.length;
    out.proven = out.bound >= out.cost;
    if (out.cost < Infinity) out.bound = Math.min(out.bound, out.cost);
    return out;
  };
  if (out.bound >= out.cost) return done();
  master.addColumns(objective, uncoveredColumns(objective.instance));
  if (out.plan) master.addColumns(objective, columnsOf(objective.instance, out.plan));
  out.bound = Math.max(out.bound, roundUp(priceAll(context, unpriced(objective), moveBase, []).bound));
  if (out.bound >= out.cost) return done();
  const { best, values, complete, plan } = generateColumns(context, moveBase, [], () => out.cost, effort);
  if (!best) return done();
  out.bound = Math.max(out.bound, roundUp(best.bound));
  takePlan(objective, out, plan);
  if (!complete) return done();
  effort.relaxed = best.bound;
  if (out.bound >= master.never) {
    // Costs more than any plan: a required move is impossible, or an alternative's requirement cannot be met.
    out.bound = Infinity;
    return done();
  }
  if (out.bound >= out.cost) return done();
  takeRounded(context, out, values);
  if (out.bound < out.cost && Object.keys(objective.limits).length > 0) tryMaster(context, out, best, moveBase);
  if (out.bound < out.cost) solveArcs(context, out, best, moveBase);
  if (out.bound < out.cost) closeGap(context, out, best, moveBase);
  if (out.bound < out.cost && context.left() > 0) branchAndPrice(context, out, moveBase);
  return done();
}

/** Columns of the master that are tried together, nearest to the bound first, and most nodes of HiGHS's search. */
const MOST_TRIED = 600;
const MOST_TRIED_NODES = 300;

/** A plan of the columns that the relaxation knows: heuristic plans rarely satisfy limits. */
function tryMaster(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const columns = context.master.columns.filter((c) => c.kind === 'pattern' || c.kind === 'move');
  const pool = new ColumnPool(context.objective, columns, moveBase);
  const { partDuals, moveDuals } = best.pricing;
  const reduced = pool
    .price(best.pricing)
    .map(
      (value, j) =>
        value -
        (pool.group[j]! < partDuals.length
          ? partDuals[pool.group[j]!]!
          : Math.min(0, moveDuals[pool.group[j]! - partDuals.length]!)),
    );
  const near = [...reduced.keys()].sort((a, b) => reduced[a]! - reduced[b]! || a - b).slice(0, MOST_TRIED);
  const tried = near.sort((a, b) => a - b).map((j) => columns[j]!);
  solveRestrictedMip(context, out, tried, -Infinity, [], MOST_TRIED_NODES);
}

/** No prices on anything: the bound that is available at once. */
function unpriced({ instance, fixedCost }: Objective): Pricing {
  const { movable, open } = instance;
  return {
    prices: noPrices(instance),
    credits: new Float64Array(movable.length),
    moveDuals: new Float64Array(movable.length),
    partDuals: new Float64Array(open.length).fill(-Infinity),
    cuts: [],
    constant: fixedCost,
  };
}
