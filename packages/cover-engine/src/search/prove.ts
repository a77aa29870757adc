/**
 * Finds the best plan of one strategy and proves that none is better (`docs/cover-engine.md`). 1. Column generation
 * solves the relaxation over patterns and moves. Every round gives a true lower bound. 2. All patterns that are near
 * enough to the bound, or their pieces if there are many such patterns, become an integer program, which is solved to
 * the end. 3. If there are too many pieces, all patterns below a limit are listed; no plan below bound + limit uses any
 * other pattern. 4. If there are too many patterns as well, the search branches, and solves each branch in the same
 * way.
 */
import type { Plan } from '../model.ts';
import { solveArcs } from './arc-program.ts';
import { branchAndPrice } from './branch-and-price.ts';
import { columnsOf, uncoveredColumns } from './columns.ts';
import type { Objective } from './objective.ts';
import { closeGap } from './close-gap.ts';
import { hasLeastOfBoth, isWholeIn } from './least-lead.ts';
import { searchLong } from './neighbourhood-search.ts';
import { noPrices } from './prices.ts';
import type { Pricing } from './dual-prices.ts';
import { ColumnPool } from './column-pool.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import type { Effort, Outcome, Priced, SearchContext } from './column-generation.ts';
import { generateColumns, moveCosts, priceAll, roundUp, shareOf, takePlan, takeRounded } from './column-generation.ts';

/**
 * The share of a strategy's time that its relaxation may take. The rest is for making a plan from the columns found by
 * then, since a bound is not a plan. From `MANY_PARTS` open parts on, a relaxation takes more than a few seconds, and
 * local search needs more of the time.
 */
const RELAXING = { usual: 0.85, withManyParts: 0.7 };
const MANY_PARTS = 55;

/** The effort of a search that has not begun. */
export const noEffort = (): Effort => ({
  rounds: 0,
  columns: 0,
  rows: 0,
  listed: 0,
  finishes: 0,
  branches: 0,
  relaxed: -Infinity,
});

/**
 * Solves one strategy, starting from a plan if there is one. When time is up, it returns the best plan so far and a
 * valid bound. `floor` is a lower bound that is already known.
 */
export function prove(context: SearchContext, start: { plan: Plan | null; cost: number }, floor = -Infinity): Outcome {
  const { objective, master, together } = context;
  const effort = noEffort();
  const out: Outcome = { plan: start.plan, cost: start.cost, bound: floor, proven: false, effort, basis: null };
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
  const limited = Object.keys(objective.limits).length > 0;
  const share = objective.instance.open.length < MANY_PARTS ? RELAXING.usual : RELAXING.withManyParts;
  const hurried = { ...context, left: shareOf(context.left, share) };
  const { best, values, complete, plan } = generateColumns(hurried, moveBase, [], () => out.cost, effort);
  out.basis = master.basis(complete || (best !== null && roundUp(best.bound) >= out.cost));
  if (!best) return done();
  out.bound = Math.max(out.bound, roundUp(best.bound));
  if (complete || out.bound >= out.cost) effort.relaxed = best.bound;
  takePlan(objective, out, plan);
  if (!complete) {
    if (out.bound < out.cost) planLate(context, out, best, values, moveBase);
    return done();
  }
  if (out.bound >= master.never) {
    // The bound is above the cost of any plan: a required move is impossible, or no plan satisfies the rows for an
    // alternative.
    out.bound = Infinity;
    return done();
  }
  if (hasLeastOfBoth(context, out, best.bound, values)) out.bound = out.cost;
  if (out.bound >= out.cost) return done();
  takeRounded(context, out, values);
  // A better plan uses only columns whose reduced cost is at most `room`. When the costs are units of one term, the
  // search first looks only for a plan as cheap as the bound.
  const room = (context.inUnits ? out.bound : out.cost - 1) - best.bound + 1e-5;
  const tries = limited || out.cost - best.bound > WIDE * Math.abs(best.bound);
  if (out.bound < out.cost && tries) tryMaster(context, out, best, moveBase, room);
  // With a fraction of the lead, the levels that follow raise the bound to the next unit without such a program.
  if (together && out.cost - best.bound > together.widest && !isWholeIn(together.lead, context, values)) return done();
  if (out.bound < out.cost) solveArcs(context, out, best, moveBase);
  if (together) return done();
  if (out.bound < out.cost) closeGap(context, out, best, moveBase);
  if (out.bound < out.cost && context.left() > 0) branchAndPrice(context, out, moveBase);
  return done();
}

/**
 * A gap above this share of the bound is wide. A better plan makes a wide gap cheaper to close, so the columns that the
 * relaxation knows are tried together first.
 */
const WIDE = 0.01;

/**
 * `tryMaster` tries this many of the master's columns together (those nearest to the bound), and HiGHS may search this
 * many nodes with these columns.
 */
const MOST_TRIED = 600;
const MOST_TRIED_NODES = 300;
/**
 * After a relaxation that ran out of time, reduced costs say less, so more columns are tried next, as far as time
 * allows.
 */
const TRIED_LATE = [MOST_TRIED, 1200];

/**
 * Looks for a plan among the columns that the relaxation knows. This helps after a relaxation that ran out of time, and
 * for strategies with limits, since heuristic plans rarely stay within the limits.
 */
function tryMaster(
  context: SearchContext,
  out: Outcome,
  best: Priced,
  moveBase: readonly Float64Array[],
  room = Infinity,
  sizes: readonly number[] = [MOST_TRIED],
): void {
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
  const near = [...reduced.keys()]
    .filter((j) => reduced[j]! <= room)
    .sort((a, b) => reduced[a]! - reduced[b]! || a - b);
  for (const [i, most] of sizes.entries()) {
    if (i > 0 && (near.length <= sizes[i - 1]! || context.left() <= 0)) return;
    const tried = near.slice(0, most).sort((a, b) => a - b);
    const listed = tried.map((j) => columns[j]!);
    solveRestrictedMip(context, out, listed, -Infinity, [], MOST_TRIED_NODES);
  }
}

/**
 * After a relaxation that ran out of time, local search ends after so many rounds or, if the strategy's own time is
 * over, after this share of the time that is left for the plan.
 */
const LATE_ROUNDS = 3000;
const SEARCHING_LATE = 0.3;

/**
 * Makes a better plan after a relaxation that ran out of time: from its solution or its columns, and then by local
 * search.
 */
function planLate(
  context: SearchContext,
  out: Outcome,
  best: Priced,
  values: Float64Array,
  moveBase: readonly Float64Array[],
): void {
  const { objective, insertion, seed } = context;
  const before = out.cost;
  const limited = Object.keys(objective.limits).length > 0;
  const late = context.late?.() ?? context.left;
  const left = () => Math.max(late(), context.left());
  if (limited) tryMaster({ ...context, left }, out, best, moveBase, Infinity, TRIED_LATE);
  const searching = shareOf(left, SEARCHING_LATE);
  if (out.cost === before) takeRounded(context, out, values);
  if (!limited && context.left() > 0) tryMaster(context, out, best, moveBase);
  const { plan, cost } = out;
  const stop = () => Math.max(searching(), context.left()) <= 0;
  if (!plan || !insertion || out.bound >= cost || stop()) return;
  const search = { judge: objective, rounds: LATE_ROUNDS, worse: 0, seed, stop };
  const found = searchLong(insertion(), { plan, cost }, search);
  takePlan(objective, out, found.plan);
}

/** Prices that are all zero; the bound at these prices is known without solving anything. */
function unpriced({ instance, fixedCost }: Objective): Pricing {
  const { charges, movable, open } = instance;
  return {
    prices: noPrices(instance),
    credits: new Float64Array(movable.length),
    moveDuals: new Float64Array(movable.length),
    partDuals: new Float64Array(open.length).fill(-Infinity),
    cuts: [],
    dues: new Float64Array(charges.length),
    constant: fixedCost,
  };
}
