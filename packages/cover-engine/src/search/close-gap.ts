/**
 * Closes the gap between bound and plan (*From bound to proof*, steps 4 to 6, in docs/cover-engine.md). It lists
 * every column that a better plan could use, raises the bound with cuts over these columns, and solves the rest as a
 * small integer program.
 */
import type { Column } from './column.ts';
import type { Decision } from './branching.ts';
import { enumerateColumns } from './enumerate-columns.ts';
import { ColumnPool } from './column-pool.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import type { Outcome, Priced, SearchContext } from './column-generation.ts';
import { nextAfter, roundUp } from './column-generation.ts';
import { addCuts } from './cutting-planes.ts';

/** A list of at most this many columns is solved at once, without cuts. */
const FEW = 250;
/** How many columns may be listed at once, as a multiple of `mostListed`. */
const LISTED_FOR_EACH = 16;

/**
 * The columns are solved in stages, those nearest to the bound first. Each stage solves this share of the longest list
 * allowed; usually the first stage is enough.
 */
const STAGES = [0.04, 0.3];

/** The maximum number of columns that are listed at once. */
export const mostInPool = (context: SearchContext): number => context.mostListed * LISTED_FOR_EACH;

/**
 * Returns a bound for all plans that cost at most `reach`, and keeps any better plan in `out`. Every column that a
 * better plan could use must be listed. If too many columns are left after the cuts, solves those nearest to the bound
 * first; a plan found within their limit is the best.
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
      // A plan that uses any column outside the list costs this much or more.
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

/** How far above the bound to look first when there is no plan yet: this share of the bound, plus 200 points. */
const FIRST_ROOM = 0.05;

/**
 * Lists every column within a limit above the bound, and solves the program over these columns. If the program finds a
 * plan that costs at most bound + limit, that plan is the best. If not, the bound rises by the limit, and the next
 * limit is higher. Stops when the plan is proven, the whole gap has been listed, there would be too many columns, time
 * is up, or a round changes nothing.
 */
export function closeGap(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { never } = context.master;
  for (;;) {
    const all = Number.isFinite(out.cost) ? out.cost - best.bound - 1 + 1e-5 : never - best.bound;
    const known = Math.max(0, out.bound - best.bound);
    // Without a plan, the search moves up from the known bound in growing steps.
    const further = 2 * known + FIRST_ROOM * Math.abs(best.bound) + 200;
    let limit = Number.isFinite(out.cost) ? all : Math.min(all, further);
    let listed = enumerateColumns(context, best.pricing, limit, moveBase, mostInPool(context));
    if (listed && limit < all) {
      // If the rest of the gap adds few columns, the whole gap is listed at once.
      const more = enumerateColumns(context, best.pricing, all, moveBase, Math.max(FEW, 2 * listed.length));
      if (more) [listed, limit] = [more, all];
    }
    // Costs are whole numbers, so a limit under half a point allows only plans at the bound itself.
    for (; !listed && limit / 2 > Math.max(known, 0.5) && context.left() > 0; limit /= 2)
      listed = enumerateColumns(context, best.pricing, limit / 2, moveBase, mostInPool(context));
    if (!listed) return;
    const before = { cost: out.cost, bound: out.bound };
    const reached = decide(context, out, listed, best.bound + limit, moveBase, []);
    out.bound = Math.max(out.bound, Math.min(out.cost, reached));
    if (out.bound >= never) out.bound = Infinity;
    // The list was complete but could not be solved, so branching continues from here.
    if (out.bound >= out.cost || limit === all || context.left() <= 0) return;
    if (out.cost === before.cost && out.bound === before.bound) return;
  }
}
