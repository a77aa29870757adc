/**
 * Closes the gap between bound and plan (*From bound to proof*, steps 3 to 5, in docs/cover-engine.md): every column
 * that a better plan could hold is listed, the bound is lifted by cuts that charge what is listed, and what is left
 * then is solved to the end as a small mixed-integer program.
 */
import type { Column } from './column.ts';
import type { Decision } from './branching.ts';
import { enumerateColumns } from './enumerate-columns.ts';
import { ColumnPool } from './column-pool.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import type { Outcome, Priced, SearchContext } from './column-generation.ts';
import { nextAfter, roundUp } from './column-generation.ts';
import { addCuts } from './cutting-planes.ts';

/** A list this long at most is solved as it is. */
const FEW = 250;
/** Columns listed at most, for each that may be in the last program. */
const LISTED_FOR_EACH = 16;

/**
 * Shares of that which are solved one after the other, the nearest to the bound first: most often the first will do.
 */
const STAGES = [0.04, 0.3];

/** Most columns listed at once. */
export const mostInPool = (context: SearchContext): number => context.mostListed * LISTED_FOR_EACH;

/**
 * The bound of all plans at most `reach` dear, of which no better one holds a column that is not listed; a better plan
 * is kept. Where too much is left after cutting, what is nearest to the bound is solved: a plan within it is the best.
 */
export function decide(
  context: SearchContext,
  out: Outcome,
  listed: readonly Column[],
  reach: number,
  moveBase: readonly Float64Array[],
  decisions: readonly Decision[],
): number {
  if (listed.length <= Math.min(FEW, context.mostListed)) return solveRestrictedMip(context, out, listed, reach);
  const pool = new ColumnPool(context.objective, listed, moveBase);
  try {
    const { bound, excess, cuts } = addCuts(context, out, pool, reach, decisions);
    const lifted = Math.min(roundUp(bound), nextAfter(reach));
    if (!excess || lifted >= Math.min(out.cost, context.master.never) || context.left() <= 0) return lifted;
    let reached = lifted;
    for (const [stage, share] of STAGES.entries()) {
      const most = Math.ceil(share * mostInPool(context));
      const room = Math.min(out.cost - 1 + 1e-5, reach) - bound;
      const order = [...excess.keys()].filter((j) => excess[j]! <= room);
      if (order.length > most) order.sort((a, b) => excess[a]! - excess[b]! || a - b);
      const few = order.slice(0, most);
      const beyond = order[most];
      // A plan with any other of them costs at least this, and may cost just this.
      const limit = beyond === undefined ? reach : bound + excess[beyond]! - 2e-5;
      const columns = few.sort((a, b) => a - b).map((j) => listed[j] as Column);
      const nodes = stage === 0 ? Infinity : context.mostNodes;
      const solved = solveRestrictedMip(context, out, columns, Math.min(limit, reach), cuts, nodes);
      reached = Math.max(reached, solved);
      if (beyond === undefined || solved < nextAfter(limit) || reached >= out.cost || context.left() <= 0)
        return reached;
    }
    return reached;
  } finally {
    context.master.release(context.objective);
  }
}

/** Without a plan: how far over the bound to look first. */
const FIRST_ROOM = 0.05;

/**
 * Lists and solves: with every column within `limit` of the bound listed, a plan at most bound + limit is the best
 * there is, and without one the bound grows by the limit. Ends with the proof, or where too much would be listed.
 */
export function closeGap(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { never } = context.master;
  for (;;) {
    const all = Number.isFinite(out.cost) ? out.cost - best.bound - 1 + 1e-5 : never - best.bound;
    const known = Math.max(0, out.bound - best.bound);
    // Without a plan the search goes outwards from what is known already, in steps that double.
    const further = 2 * known + FIRST_ROOM * Math.abs(best.bound) + 200;
    let limit = Number.isFinite(out.cost) ? all : Math.min(all, further);
    let listed = enumerateColumns(context, best.pricing, limit, moveBase, mostInPool(context));
    if (listed && limit < all) {
      // Where further out is nothing more, there is no need to go there in steps.
      const more = enumerateColumns(context, best.pricing, all, moveBase, Math.max(FEW, 2 * listed.length));
      if (more) [listed, limit] = [more, all];
    }
    for (; !listed && limit / 2 > known; limit /= 2)
      listed = enumerateColumns(context, best.pricing, limit / 2, moveBase, mostInPool(context));
    if (!listed) return;
    const before = { cost: out.cost, bound: out.bound };
    const reached = decide(context, out, listed, best.bound + limit, moveBase, []);
    out.bound = Math.max(out.bound, Math.min(out.cost, reached));
    if (out.bound >= never) out.bound = Infinity;
    // What was listed whole and not decided is cut in two instead.
    if (out.bound >= out.cost || limit === all || context.left() <= 0) return;
    if (out.cost === before.cost && out.bound === before.bound) return;
  }
}
