/**
 * Closes the gap between bound and plan (*From bound to proof*, steps 4 to 6, in docs/cover-engine.md): every column
 * that a better plan could use is listed, cuts that charge the listed columns raise the bound, and the rest is solved
 * to the end as a small mixed-integer program.
 */
import type { Column } from './column.ts';
import type { Decision } from './branching.ts';
import { enumerateColumns } from './enumerate-columns.ts';
import { ColumnPool } from './column-pool.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import type { Outcome, Priced, SearchContext } from './column-generation.ts';
import { nextAfter, roundUp } from './column-generation.ts';
import { addCuts } from './cutting-planes.ts';

/** A list of at most this length is solved at once. */
const FEW = 250;
/** Most columns listed, for each that may be in the final program. */
const LISTED_FOR_EACH = 16;

/** Shares of these, solved one after the other, nearest to the bound first: usually the first is enough. */
const STAGES = [0.04, 0.3];

/** Most columns listed at once. */
export const mostInPool = (context: SearchContext): number => context.mostListed * LISTED_FOR_EACH;

/**
 * The bound of all plans that cost at most `reach`, if every column of a better one is listed; a better plan is kept.
 * If too much is left after cutting, the columns nearest to the bound are solved: a plan within that limit is the best.
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
      // A plan with any other column costs at least this, and may cost exactly this.
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

/** Without a plan: how far above the bound to look first. */
const FIRST_ROOM = 0.05;

/**
 * Lists and solves: with every column within `limit` of the bound listed, a plan of at most bound + limit is the best
 * there is, and without one the bound rises by the limit. Ends with the proof, or when too much would be listed.
 */
export function closeGap(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { never } = context.master;
  for (;;) {
    const all = Number.isFinite(out.cost) ? out.cost - best.bound - 1 + 1e-5 : never - best.bound;
    const known = Math.max(0, out.bound - best.bound);
    // Without a plan the search extends outward from what is known, in steps that double.
    const further = 2 * known + FIRST_ROOM * Math.abs(best.bound) + 200;
    let limit = Number.isFinite(out.cost) ? all : Math.min(all, further);
    let listed = enumerateColumns(context, best.pricing, limit, moveBase, mostInPool(context));
    if (listed && limit < all) {
      // If nothing more lies further out, there is no need to go there in steps.
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
    // A list that was complete but not decided is branched on instead.
    if (out.bound >= out.cost || limit === all || context.left() <= 0) return;
    if (out.cost === before.cost && out.bound === before.bound) return;
  }
}
