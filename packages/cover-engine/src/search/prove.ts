/**
 * The best plan of one strategy, and the proof that there is none better. See `docs/cover-engine.md`.
 *
 * 1. Column generation: the relaxation over ways and moves, columns priced by dynamic programming over all of them,
 *    rows added when broken. Every round gives a true lower bound (Lagrange), whatever the prices.
 * 2. Every way and move whose reduced cost is under a limit is listed; no plan under bound + limit holds any other.
 * 3. What is listed is solved to the end as a small mixed-integer program.
 * 4. Where too much would be listed, the plans are cut in two, and each half is relaxed, listed, cut again.
 */
import type { Plan } from '../model.ts';
import { branch } from './branch.ts';
import { columnsOf, restColumns } from './columns.ts';
import type { Field } from './field.ts';
import { finish } from './finish.ts';
import { noPrices } from './prices.ts';
import type { Pricing } from './pricing.ts';
import type { Effort, Outcome, Workshop } from './relax.ts';
import { moveCosts, priceAll, relax, roundUp, takePlan, takeRounded } from './relax.ts';

/**
 * Solves one strategy from a plan at hand (or none). Anytime: past the deadline it gives the best so far, and a bound
 * that holds.
 */
export function prove(shop: Workshop, start: { plan: Plan | null; cost: number }): Outcome {
  const { field, master } = shop;
  const effort: Effort = { rounds: 0, columns: 0, rows: 0, listed: 0, finishes: 0, branches: 0, relaxed: -Infinity };
  const out: Outcome = { plan: start.plan, cost: start.cost, bound: -Infinity, proven: false, effort };
  const moveBase = moveCosts(field);
  const done = () => {
    effort.columns = master.columns.length;
    effort.rows = master.rows.length;
    out.proven = out.bound >= out.cost;
    if (out.cost < Infinity) out.bound = Math.min(out.bound, out.cost);
    return out;
  };
  master.addColumns(field, restColumns(field.ground));
  if (out.plan) master.addColumns(field, columnsOf(field.ground, out.plan));
  out.bound = roundUp(priceAll(shop, unpriced(field), moveBase, []).bound);
  if (out.bound >= out.cost) return done();
  const { best, values, complete, plan } = relax(shop, moveBase, [], () => out.cost, effort);
  if (!best) return done();
  out.bound = Math.max(out.bound, roundUp(best.bound));
  takePlan(field, out, plan);
  if (!complete) return done();
  effort.relaxed = best.bound;
  if (out.bound >= master.never) {
    // Dearer than any plan: what must move cannot, or nothing else keeps what an alternative has to.
    out.bound = Infinity;
    return done();
  }
  if (out.bound >= out.cost) return done();
  takeRounded(shop, out, values);
  if (out.bound < out.cost) finish(shop, out, best, moveBase);
  if (out.bound < out.cost && shop.left() > 0) branch(shop, out, moveBase);
  return done();
}

/** No prices on anything: the bound that is to be had at once. */
function unpriced({ ground, fixedCost }: Field): Pricing {
  const { movable, open } = ground;
  return {
    prices: noPrices(ground),
    credits: new Float64Array(movable.length),
    moveDuals: new Float64Array(movable.length),
    partDuals: new Float64Array(open.length).fill(-Infinity),
    cuts: [],
    constant: fixedCost,
  };
}
