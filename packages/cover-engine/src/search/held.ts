/**
 * Solves the strategies that Option 1 limits (*Options* in docs/cover-engine.md). The relaxation of the whole score
 * often proves a plan at once. If not, the strategy is solved in two steps: first for the lowest value of the term that
 * it puts first (its lead), then for the fewest points among the plans with no more of the lead. In these steps, no
 * program mixes the very large points of the lead with the other points, because such a mix could hide a gap.
 */
import { viewPlan } from '../constraints/view.ts';
import { countUnits } from '../count.ts';
import type { Plan } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { heldTo, STRATEGIES, weightsOf } from '../strategies.ts';
import { POINTS, TERM_NAMES, type Weights } from '../terms.ts';
import type { SolveContext } from './alternatives.ts';
import type { Clock, Outcome, SearchContext } from './column-generation.ts';
import { shareOf } from './column-generation.ts';
import type { Instance } from './instance.ts';
import type { Found } from './neighbourhood-search.ts';
import { LIMITED, type LimitedTerm, type Limits } from './limited.ts';
import type { Basis } from './basis.ts';
import type { Objective } from './objective.ts';
import { makeObjective, planCost } from './objective.ts';
import { noEffort, prove } from './prove.ts';
import { cheapest, type First, type Known } from './strategy.ts';
import { neverCost } from './dearest.ts';
import { LATE, WIDEST } from './tuned.ts';

const limitsOf = ({ model }: Instance, { plan }: First): Limits => heldTo(countUnits(viewPlan(model, plan)));

/**
 * Returns the best known plan of a strategy that Option 1 limits, without a search. The lead cannot be below zero
 * units, and no plan has fewer points than Option 1's bound.
 */
export function knownHeld(
  instance: Instance,
  strategy: Strategy,
  option1: First,
  earlier: readonly Plan[],
): { known: Outcome; worthSearching: boolean } {
  const objective = makeObjective(instance, weightsOf(strategy), limitsOf(instance, option1));
  const { plan, cost } = cheapest(objective, [option1.plan, ...earlier]);
  const bound = Math.min(cost, option1.bound);
  const known = { plan, cost, bound, proven: bound >= cost, effort: noEffort(), basis: null };
  return { known, worthSearching: !known.proven };
}

/**
 * Solves a strategy that is limited by Option 1, given Option 1's plan and bound. The budget seldom matters, and its row
 * touches nearly every column, so the strategy is first solved without it: a best plan that keeps the budget is the best
 * with it.
 */
export function solveHeld(
  bench: SolveContext,
  strategy: Strategy,
  option1: First,
  earlier: readonly Plan[],
  left: Clock,
  before: Known | null,
): Outcome {
  const { instance } = bench;
  const limits = limitsOf(instance, option1);
  const { price: _, ...care } = limits;
  const within = makeObjective(instance, weightsOf(strategy), limits);
  const known = [option1.plan, ...earlier];
  const most = { bench, strategy, option1, left, known };
  const free = solveWithin(most, care, before);
  const best = cheapest(within, known);
  const bound = Math.min(best.cost, free.bound);
  const found = { ...free, ...best, bound, proven: bound >= best.cost };
  if (found.proven || (free.plan && planCost(within, free.plan) < Infinity) || left() <= 0) return found;
  const dear = solveWithin(most, limits, found);
  return { ...dear, ...cheapest(within, known) };
}

interface Held {
  readonly bench: SolveContext;
  readonly strategy: Strategy;
  readonly option1: First;
  readonly left: Clock;
  /** The plans known so far, to which the search adds. */
  readonly known: Plan[];
}

/** Solves a strategy within these limits. */
function solveWithin({ bench, strategy, option1, left, known }: Held, limits: Limits, before: Known | null): Outcome {
  const { instance, master } = bench;
  const { lead }: { lead: { term: LimitedTerm; points: number } | null } = STRATEGIES[strategy];
  if (!lead) throw new Error(`${strategy} puts no term first`);
  const what = lead.term;
  const together = makeObjective(instance, weightsOf(strategy), limits);
  const none = Object.fromEntries(TERM_NAMES.map((term) => [term, 0])) as Weights;
  const alone = makeObjective(instance, { ...none, [lead.term]: 1 }, limits);
  const best = (objective: Objective): Found => cheapest(objective, known);
  const effort = noEffort();
  const atMost = (units: number, least = 0) =>
    makeObjective(instance, POINTS, { ...limits, [what]: units }, least > 0 ? { [what]: least } : {});
  const level = (
    objective: Objective,
    start: { plan: Plan | null; cost: number },
    floor: number,
    from: Basis | null,
    also: Pick<SearchContext, 'inUnits' | 'together'> = {},
  ): Outcome => {
    for (const graph of bench.graphs) graph.weigh(objective);
    master.take(objective, neverCost(instance, objective.weights), from);
    const late = () => shareOf(bench.left, LATE);
    const context = { ...bench, ...also, objective, insertion: null, left, late };
    const found = prove(context, start, floor);
    for (const key of ['rounds', 'listed', 'finishes'] as const) effort[key] += found.effort[key];
    Object.assign(effort, { columns: found.effort.columns, rows: found.effort.rows, relaxed: found.effort.relaxed });
    if (found.plan) known.push(found.plan);
    return found;
  };
  master.addRows(
    alone,
    [what, ...LIMITED.filter((limit) => limits[limit] !== undefined)].map((limit) => ({ kind: 'limit', what: limit })),
  );
  const floor = Math.max(option1.bound, before?.bound ?? -Infinity);
  const start = before?.basis ?? option1.basis;
  const whole = level(together, best(together), floor, start, {
    together: { lead: what, widest: WIDEST * lead.points },
  });
  // Without the whole relaxation, the levels would begin with prices that mean little, and end nowhere.
  const stopped = Number.isFinite(left()) && whole.effort.relaxed === -Infinity;
  if (whole.proven || stopped || left() <= 0) return { ...whole, effort };
  const least = level(alone, best(alone), 0, whole.basis, { inUnits: true });
  const most = best(alone).cost;
  const sureLead = Math.max(0, Math.ceil(least.bound - 1e-6));
  const within = atMost(most, sureLead);
  const points = level(within, best(within), option1.bound, whole.basis);
  let bound = lead.points * sureLead + points.bound;
  // A plan with more units of the lead may still cost fewer points in all, so the search continues with one more unit
  // at a time.
  for (let units = most + 1; ; units++) {
    const { plan, cost } = best(together);
    const beyond = lead.points * units + option1.bound;
    const sure = Math.max(whole.bound, Math.min(bound, beyond));
    const given = { plan, cost, bound: Math.min(sure, cost), proven: sure >= cost, effort, basis: whole.basis };
    if (bound < cost || beyond >= cost || left() <= 0) return given;
    const further = level(atMost(units), { plan: null, cost: cost - lead.points * units }, option1.bound, points.basis);
    bound = Math.min(bound, lead.points * units + further.bound);
  }
}
