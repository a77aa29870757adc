/**
 * Finds the best plan of one strategy (*Options* in docs/cover-engine.md): of Option 1 and of the strategy that puts
 * uncovered time first. The strategies that Option 1 limits are in `held.ts`.
 */
import { viewPlan } from '../constraints/view.ts';
import { countUnits } from '../count.ts';
import type { Plan } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { weightsOf } from '../strategies.ts';
import { POINTS, TERMS } from '../terms.ts';
import type { SolveContext } from './alternatives.ts';
import type { Clock, Outcome } from './column-generation.ts';
import { Insertion } from './insertion.ts';
import { neverCost } from './dearest.ts';
import type { Instance } from './instance.ts';
import { greedy, improve, type Found } from './neighbourhood-search.ts';
import type { Basis } from './basis.ts';
import { noneWithLess } from './least-lead.ts';
import type { Kept } from './master.ts';
import type { Objective } from './objective.ts';
import { makeObjective, planCost } from './objective.ts';
import { PricingGraph } from './pricing-graph.ts';
import { noEffort, prove } from './prove.ts';

/** How many rounds of local search make a strategy's first plan. */
const FIRST_ROUNDS = 20;

/** The pricing graphs of all open parts, with the weights of an objective. */
export function graphsFor(objective: Objective): PricingGraph[] {
  return objective.instance.open.map((part, i) => {
    const graph = new PricingGraph(objective.instance, part, i);
    graph.weigh(objective);
    return graph;
  });
}

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

/** What is known of Option 1: its plan, its bound, the bound and last basis of its relaxation, and its program. */
export interface First {
  readonly plan: Plan;
  readonly bound: number;
  readonly relaxed: number;
  readonly basis: Basis | null;
  readonly kept: Kept;
  /** What is known of the other strategies from the same day with fewer pins. */
  readonly handed: ReadonlyMap<Strategy, Handed>;
}

/** What is known of a strategy from the same day with fewer pins. */
export interface Handed {
  /** No plan of the strategy costs less. */
  readonly bound: number;
  readonly basis: Basis | null;
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
  return prove(
    { ...bench, objective, insertion: () => insertion, caps: [], left },
    start ?? { plan: null, cost: Infinity },
    known?.bound,
  );
}

/** The first of the cheapest of these plans, of which there must be at least one. */
export const cheapest = (objective: Objective, plans: readonly Plan[]): Found =>
  plans.map((plan) => ({ plan, cost: planCost(objective, plan) })).reduce((a, b) => (b.cost < a.cost ? b : a));

/** The units of uncovered time of any two plans differ by a multiple of this number. */
function uncoveredStep({ open }: Instance): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return open.reduce((n, part) => divisor(n, TERMS.uncovered.of(part)), 0);
}

/** What Option 1 says of the strategy that puts uncovered time first. */
function careOf(instance: Instance, strategy: Strategy, option1: First, earlier: readonly Plan[]) {
  const weights = weightsOf(strategy);
  const { plan, cost } = cheapest(makeObjective(instance, weights), [option1.plan, ...earlier]);
  const { uncovered } = countUnits(viewPlan(instance.model, option1.plan));
  const points = weights.uncovered - POINTS.uncovered;
  const step = Math.max(1, uncoveredStep(instance));
  const handed = option1.handed.get(strategy)?.bound ?? -Infinity;
  // A plan that leaves no less time uncovered than Option 1 costs at least this.
  const bound = Math.min(cost, option1.bound + points * uncovered);
  const ready: Outcome = { plan, cost, bound, proven: bound >= cost, effort: noEffort(), basis: null };
  return { ready, handed, weights, points, uncovered, step };
}

/**
 * Returns the best known plan of this strategy. A search is worthwhile only if a plan could leave less uncovered. All
 * that is known of such a plan is that it has no fewer points than Option 1's bound.
 */
export function knownMostCare(
  instance: Instance,
  strategy: Strategy,
  option1: First,
  earlier: readonly Plan[],
): { known: Outcome; worthSearching: boolean } {
  const { ready, handed, uncovered, step } = careOf(instance, strategy, option1, earlier);
  if (uncovered < step) return { known: ready, worthSearching: false };
  const bound = Math.min(ready.cost, Math.max(option1.bound, handed));
  return { known: { ...ready, bound, proven: bound >= ready.cost }, worthSearching: handed < ready.cost };
}

/**
 * Solves the strategy that puts uncovered time first, without other limits. Only a plan that leaves less time uncovered
 * than Option 1 could be better than the known plans. With slightly more points for the lead, the relaxation usually
 * shows that there is none, without closing any gap.
 */
export function solveMostCare(
  bench: SolveContext,
  strategy: Strategy,
  option1: First,
  earlier: readonly Plan[],
  left: Clock,
  before: Known | null,
): Outcome {
  const { instance, master } = bench;
  const { ready, handed, weights, points, uncovered, step } = careOf(instance, strategy, option1, earlier);
  // A plan with less uncovered time costs at least the relaxation at these points, without the points that are too many.
  const more = Math.ceil(Math.max(0, ready.cost - points * uncovered - option1.relaxed) / step);
  if (Number.isFinite(more)) {
    const heavy = makeObjective(instance, { ...weights, uncovered: weights.uncovered + more });
    for (const graph of bench.graphs) graph.weigh(heavy);
    master.take(heavy, neverCost(instance, heavy.weights), option1.basis);
    const context = { ...bench, objective: heavy, insertion: null, caps: [], left };
    if (noneWithLess(context, ready.cost, more, uncovered - step, ready.effort)) return ready;
  }
  const known = before ?? { plan: null, bound: handed, basis: null };
  const found = solveFree(bench, strategy, [option1.plan, ...earlier], left, known);
  return { ...found, bound: Math.min(found.cost, found.bound) };
}
