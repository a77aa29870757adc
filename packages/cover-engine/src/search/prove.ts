/**
 * Finds the best plan of one strategy and proves that none is better (`docs/cover-engine.md`). 1. Column generation
 * solves the relaxation over patterns and moves. Every round gives a true lower bound. 2. All patterns that are near
 * enough to the bound, or their pieces if there are many such patterns, become an integer program, which is solved to
 * the end; in steps, if there are many pieces.
 */
import type { Plan } from '../model.ts';
import { solveArcs } from './arc-program.ts';
import { columnsOf, uncoveredColumns } from './columns.ts';
import type { LimitedTerm } from './limited.ts';
import { columnUnits } from './objective.ts';
import { NEARLY_WHOLE, RELAXING, TRIED, TRIED_NODES, WIDE } from './tuned.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import type { Effort, Outcome, SearchContext } from './column-generation.ts';
import { generateColumns, moveCosts, roundUp, shareOf, takePlan, takeRounded } from './column-generation.ts';

/** The effort of a search that has not begun. */
export const noEffort = (): Effort => ({
  rounds: 0,
  columns: 0,
  rows: 0,
  listed: 0,
  finishes: 0,
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
  const limited = Object.keys(objective.limits).length > 0;
  const hurried = { ...context, left: shareOf(context.left, RELAXING) };
  const { best, values, reduced, complete, plan } = generateColumns(hurried, moveBase, () => out.cost, effort);
  out.basis = master.basis(complete || (best !== null && roundUp(best.bound) >= out.cost));
  if (!best) return done();
  out.bound = Math.max(out.bound, roundUp(best.bound));
  if (complete || out.bound >= out.cost) effort.relaxed = best.bound;
  takePlan(objective, out, plan);
  if (!complete) {
    if (out.bound < out.cost) planLate(context, out, values, reduced);
    return done();
  }
  if (out.bound >= master.never) {
    // The bound is above the cost of any plan: a required move is impossible, or no plan satisfies the rows for an
    // alternative.
    out.bound = Infinity;
    return done();
  }
  if (out.bound >= out.cost) return done();
  takeRounded(context, out, values);
  // A better plan uses only columns whose reduced cost is at most `room`. When the costs are units of one term, the
  // search first looks only for a plan as cheap as the bound.
  const room = (context.inUnits ? out.bound : out.cost - 1) - best.bound + 1e-5;
  const tries = limited || out.cost - best.bound > WIDE * Math.abs(best.bound);
  if (out.bound < out.cost && tries) tryMaster(context, out, reduced, room);
  // With a fraction of the lead, the levels that follow raise the bound to the next unit without such a program.
  if (together && out.cost - best.bound > together.widest && !isWholeIn(together.lead, context, values)) return done();
  if (out.bound < out.cost) solveArcs(context, out, best, moveBase);
  return done();
}

/** Whether a relaxed solution has a whole number of units of a term, so that only its points can leave a gap. */
function isWholeIn(term: LimitedTerm, { objective, master }: SearchContext, values: Float64Array): boolean {
  let units = objective.fixedUnits[term];
  master.columns.forEach((column, j) => {
    if (values[j]! > 1e-9) units += values[j]! * columnUnits(objective.instance, term, column);
  });
  return Math.abs(units - Math.round(units)) < NEARLY_WHOLE;
}

/**
 * Looks for a plan among the columns that the relaxation knows. This helps after a relaxation that ran out of time, and
 * for strategies with limits, since heuristic plans rarely stay within the limits. `reduced`: the columns' reduced costs
 * in the relaxation's solution.
 */
function tryMaster(
  context: SearchContext,
  out: Outcome,
  reduced: Float64Array,
  room = Infinity,
  sizes: readonly number[] = [TRIED.patterns],
): void {
  const { columns } = context.master;
  const over = (j: number): number => reduced[j] ?? Infinity;
  const near = [...columns.keys()]
    .filter((j) => (columns[j]!.kind === 'pattern' || columns[j]!.kind === 'move') && over(j) <= room)
    .sort((a, b) => (over(a) < over(b) ? -1 : over(a) > over(b) ? 1 : a - b));
  for (const [i, most] of sizes.entries()) {
    if (i > 0 && (near.length <= sizes[i - 1]! || context.left() <= 0)) return;
    const tried = near.slice(0, most).sort((a, b) => a - b);
    const listed = tried.map((j) => columns[j]!);
    solveRestrictedMip(context, out, listed, -Infinity, TRIED_NODES);
  }
}

/** Makes a better plan after a relaxation that ran out of time: from its solution or its columns. */
function planLate(context: SearchContext, out: Outcome, values: Float64Array, reduced: Float64Array): void {
  if (Object.keys(context.objective.limits).length === 0) {
    takeRounded(context, out, values);
    if (context.left() > 0) tryMaster(context, out, reduced);
    return;
  }
  const late = context.late?.() ?? context.left;
  const left = () => Math.max(late(), context.left());
  tryMaster({ ...context, left }, out, reduced, Infinity, [TRIED.patterns, 2 * TRIED.patterns]);
}
