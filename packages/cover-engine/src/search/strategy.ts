/**
 * Finds the best plan of a strategy without limits: Option 1 (*Options* in docs/cover-engine.md). The strategies that
 * Option 1 limits are in `held.ts`.
 */
import type { Plan } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { weightsOf } from '../strategies.ts';
import type { SolveContext } from './alternatives.ts';
import type { Clock, Outcome } from './column-generation.ts';
import { Insertion } from './insertion.ts';
import { neverCost } from './dearest.ts';
import { greedy, improve, type Found } from './neighbourhood-search.ts';
import type { Basis } from './basis.ts';
import type { Kept } from './master.ts';
import type { Objective } from './objective.ts';
import { makeObjective, planCost } from './objective.ts';
import { prove } from './prove.ts';
import { FIRST_ROUNDS } from './tuned.ts';

/**
 * The plan to start from: a new heuristic plan or an earlier plan, whichever costs less; null if no such plan stays
 * within the limits.
 */
function firstPlan(
  objective: Objective,
  insertion: Insertion,
  earlier: readonly Plan[],
  bench: SolveContext,
): Found | null {
  let best: Found | null = null;
  const stop = () => bench.left() <= 0;
  if (insertion.begin()) {
    const made = improve(insertion, greedy(insertion), FIRST_ROUNDS, bench.seed, stop);
    best = { plan: made.plan, cost: planCost(objective, made.plan) };
  }
  for (const plan of earlier) {
    const cost = planCost(objective, plan);
    if (!best || cost < best.cost) best = { plan, cost };
  }
  return best && best.cost < Infinity ? best : null;
}

/** What is known of Option 1: its plan, its bound, the last basis of its relaxation, and its program. */
export interface First {
  readonly plan: Plan;
  readonly bound: number;
  readonly basis: Basis | null;
  readonly kept: Kept;
}

/** What an earlier search for the same strategy found. */
export type Known = Pick<Outcome, 'plan' | 'bound' | 'basis'>;

/** Solves a strategy that is not limited by Option 1. */
export function solveFree(
  bench: SolveContext,
  strategy: Strategy,
  earlier: readonly Plan[],
  left: Clock,
  known: Known | null,
): Outcome {
  const objective = makeObjective(bench.instance, weightsOf(strategy));
  for (const graph of bench.graphs) graph.weigh(objective);
  const insertion = new Insertion(objective, bench.graphs);
  const sure = earlier.length > 0 ? cheapest(objective, earlier) : null;
  const start = sure && known && sure.cost <= known.bound ? sure : firstPlan(objective, insertion, earlier, bench);
  bench.master.take(objective, neverCost(bench.instance, objective.weights), known?.basis);
  return prove({ ...bench, objective, insertion, left }, start ?? { plan: null, cost: Infinity }, known?.bound);
}

/** The first of the cheapest of these plans, of which there must be at least one. */
export const cheapest = (objective: Objective, plans: readonly Plan[]): Found =>
  plans.map((plan) => ({ plan, cost: planCost(objective, plan) })).reduce((a, b) => (b.cost < a.cost ? b : a));
