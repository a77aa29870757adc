/**
 * Proves that a plan has the least of a lead by a relaxation with slightly more points for the lead (*Options* in
 * docs/cover-engine.md). Such a relaxation need not close the gap that the other points leave.
 */
import type { Effort, Outcome, SearchContext } from './column-generation.ts';
import { generateColumns, moveCosts, roundUp } from './column-generation.ts';
import type { Limited } from './limited.ts';
import { columnUnits, makeObjective } from './objective.ts';
import { MORE_THAN_ENOUGH, NEARLY_WHOLE } from './tuned.ts';

/** A relaxed solution's units of a term. */
function unitsOf(term: Limited, { objective, master }: SearchContext, values: Float64Array): number {
  let units = objective.fixedUnits[term];
  master.columns.forEach((column, j) => {
    if (values[j]! > 1e-9) units += values[j]! * columnUnits(objective.instance, term, column);
  });
  return units;
}

/** Whether a relaxed solution has a whole number of units of a term, so that only its points can leave a gap. */
export function isWholeIn(term: Limited, context: SearchContext, values: Float64Array): boolean {
  const units = unitsOf(term, context, values);
  return Math.abs(units - Math.round(units)) < NEARLY_WHOLE;
}

/**
 * Whether every plan with at most `units` of a term costs at least `cost`. The context's objective has `more` points for
 * each unit of the term than `cost` counts, so such a plan costs at most that much more for it.
 */
function noneWithLess(context: SearchContext, cost: number, more: number, units: number, effort: Effort): boolean {
  const enough = cost + more * units;
  const { best } = generateColumns(context, moveCosts(context.objective), () => enough, effort);
  return best !== null && roundUp(best.bound) >= enough;
}

/**
 * Whether the best plan is proven because no plan has fewer points, and none with less of the lead is cheaper.
 * `relaxed` is the bound of the relaxation, and `values` its solution.
 */
export function hasLeastOfBoth(
  context: SearchContext,
  { cost, effort }: Outcome,
  relaxed: number,
  values: Float64Array,
): boolean {
  const { objective, master, graphs, together } = context;
  if (!together) return false;
  const { lead, points, least } = together;
  // If this is a whole number, the plan has that many units of the lead, or there is nothing to prove here.
  const units = (cost - least) / points;
  const beyond = unitsOf(lead, context, values) - (units - 1);
  if (!Number.isInteger(units) || beyond < NEARLY_WHOLE) return false;
  const more = Math.ceil((MORE_THAN_ENOUGH * (cost - relaxed)) / beyond);
  const weights = { ...objective.weights, [lead]: objective.weights[lead] + more };
  const weigh = (by: typeof objective): void => {
    for (const graph of graphs) graph.weigh(by);
    master.reweigh(by);
  };
  const heavy = makeObjective(objective.instance, weights, objective.limits);
  weigh(heavy);
  const proven = noneWithLess({ ...context, objective: heavy }, cost, more, units - 1, effort);
  weigh(objective);
  return proven;
}
