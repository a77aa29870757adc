/**
 * Finds the best plan of one strategy (*Options* in docs/cover-engine.md). For a strategy that is limited by Option 1,
 * the relaxation of its whole score often proves a plan at once. If not, the strategy is solved in two steps: first for
 * the lowest value of the term that it puts first (its lead), then for the fewest points among the plans with no more
 * of the lead. In these steps, no program mixes the very large points of the lead with the other points, because such a
 * mix could hide a gap.
 */
import { viewPlan } from '../constraints/view.ts';
import { countUnits } from '../count.ts';
import type { Plan } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { HELD_TERMS, STRATEGIES, weightsOf } from '../strategies.ts';
import { POINTS, TERM_NAMES, TERMS, type Weights } from '../terms.ts';
import type { SolveContext } from './alternatives.ts';
import type { Clock, Outcome, SearchContext } from './column-generation.ts';
import { generateColumns, moveCosts, roundUp, shareOf } from './column-generation.ts';
import { Insertion } from './insertion.ts';
import { dearest, type Instance } from './instance.ts';
import { greedy, improve, type Found } from './neighbourhood-search.ts';
import type { Limited, Limits } from './limited.ts';
import type { Basis } from './master.ts';
import type { Objective } from './objective.ts';
import { makeObjective, planCost } from './objective.ts';
import { PricingGraph } from './pricing-graph.ts';
import { noEffort, prove } from './prove.ts';
import { SLOTS } from '../slots.ts';

/** How many rounds of local search make a strategy's first plan. */
const FIRST_ROUNDS = 20;

/**
 * The two steps follow if the relaxation of the whole score leaves a gap wider than this share of a unit of the lead.
 * Some plan may then have less of the lead than the best plan so far.
 */
const WIDEST = 0.3;

/**
 * After a relaxation that ran out of time, making a plan may take this share of the time that all strategies have left:
 * such a plan is usually far better than the one before it.
 */
const LATE_SHARE = 0.25;

/** Returns a cost above that of any plan at these weights. */
export function neverCost({ model, mustPoints }: Instance, weights: Weights): number {
  return 2 * dearest(model.parts, weights) + 2 * SLOTS * mustPoints;
}

/** The pricing graphs of all open parts, with the weights of an objective. */
function graphsFor(objective: Objective): PricingGraph[] {
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

/** What is known of Option 1: its plan, its bound, and the bound and last basis of its relaxation. */
export interface First {
  readonly plan: Plan;
  readonly bound: number;
  readonly relaxed: number;
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
  const start = firstPlan(objective, insertion, earlier, bench);
  bench.master.take(objective, neverCost(bench.instance, objective.weights), known?.basis);
  return prove(
    { ...bench, objective, insertion: () => insertion, caps: [], left },
    start ?? { plan: null, cost: Infinity },
    known?.bound,
  );
}

/** The first of the cheapest of these plans, of which there must be at least one. */
const cheapest = (objective: Objective, plans: readonly Plan[]): Found =>
  plans.map((plan) => ({ plan, cost: planCost(objective, plan) })).reduce((a, b) => (b.cost < a.cost ? b : a));

/** The units of uncovered time of any two plans differ by a multiple of this number. */
function uncoveredStep({ open }: Instance): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return open.reduce((n, part) => divisor(n, TERMS.uncovered.of(part)), 0);
}

/**
 * Solves the strategy that puts uncovered time first, without other limits. A plan that leaves no less time uncovered
 * than Option 1 costs at least Option 1's bound and the lead's points for that time. So only a plan that leaves less
 * could be better. With slightly more points for the lead, the relaxation usually shows that there is none, without
 * closing any gap.
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
  const weights = weightsOf(strategy);
  const objective = makeObjective(instance, weights);
  const given = cheapest(objective, [option1.plan, ...earlier]);
  const { uncovered } = countUnits(viewPlan(instance.model, option1.plan));
  const points = weights.uncovered - POINTS.uncovered;
  const beyond = Math.min(given.cost, option1.bound + points * uncovered);
  const effort = noEffort();
  const ready = { ...given, bound: beyond, proven: beyond >= given.cost, effort, basis: null };
  const step = Math.max(1, uncoveredStep(instance));
  const less = uncovered - step;
  if (less < 0) return ready;
  // A plan with at most `less` costs at least the relaxation at these points, without the points that are too many.
  const more = Math.ceil(Math.max(0, given.cost - points * uncovered - option1.relaxed) / step);
  if (Number.isFinite(more)) {
    const heavy = makeObjective(instance, { ...weights, uncovered: weights.uncovered + more });
    for (const graph of bench.graphs) graph.weigh(heavy);
    master.take(heavy, neverCost(instance, heavy.weights), option1.basis);
    const context = { ...bench, objective: heavy, insertion: null, caps: [], left };
    const enough = given.cost + more * less;
    const { best } = generateColumns(context, moveCosts(heavy), [], () => enough, effort);
    if (best && roundUp(best.bound) >= enough) return ready;
  }
  const found = solveFree(bench, strategy, [option1.plan, ...earlier], left, before);
  return { ...found, bound: Math.min(found.cost, found.bound) };
}

/** Weights with which the heuristic search usually finds plans within the limits. */
const steering = (lead: Limited, points: number): Weights => ({
  ...POINTS,
  uncovered: 100,
  swap: 1_000_000,
  lunch: 1_000_000,
  [lead]: POINTS[lead] + points,
});

/** Solves a strategy that is limited by Option 1, given Option 1's plan and bound. */
export function solveHeld(
  bench: SolveContext,
  strategy: Strategy,
  option1: First,
  earlier: readonly Plan[],
  left: Clock,
  before: Known | null,
): Outcome {
  const { instance, master } = bench;
  const { lead }: { lead: { term: Limited; points: number } | null } = STRATEGIES[strategy];
  if (!lead) throw new Error(`${strategy} puts no term first`);
  const what = lead.term;
  const unitsOf = (plan: Plan) => countUnits(viewPlan(instance.model, plan));
  const held = unitsOf(option1.plan);
  const limits: Limits = Object.fromEntries(HELD_TERMS.map((term) => [term, held[term]]));
  const together = makeObjective(instance, weightsOf(strategy), limits);
  const none = Object.fromEntries(TERM_NAMES.map((term) => [term, 0])) as Weights;
  const alone = makeObjective(instance, { ...none, [lead.term]: 1 }, limits);
  const known = [...new Set([option1.plan, ...earlier])];
  const best = (objective: Objective): Found => cheapest(objective, known);
  const effort = noEffort();
  // The lead cannot be below zero units, and no plan has fewer points than Option 1's bound.
  const ready = best(together);
  if (ready.cost <= option1.bound) return { ...ready, bound: ready.cost, proven: true, effort, basis: null };
  const steered = makeObjective(instance, steering(lead.term, lead.points), limits);
  let made: Insertion | null = null;
  const insertion = () => (made ??= new Insertion(steered, graphsFor(steered)));
  const atMost = (units: number) => makeObjective(instance, POINTS, { ...limits, [what]: units });
  const level = (
    objective: Objective,
    start: { plan: Plan | null; cost: number },
    floor: number,
    from: Basis | null,
    also: Pick<SearchContext, 'inUnits' | 'together'> = {},
  ): Outcome => {
    for (const graph of bench.graphs) graph.weigh(objective);
    master.take(objective, neverCost(instance, objective.weights), from);
    const late = () => shareOf(bench.left, LATE_SHARE);
    const context = { ...bench, ...also, objective, insertion, caps: [], left, late };
    const found = prove(context, start, floor);
    for (const key of ['rounds', 'listed', 'finishes', 'branches'] as const) effort[key] += found.effort[key];
    Object.assign(effort, { columns: found.effort.columns, rows: found.effort.rows, relaxed: found.effort.relaxed });
    if (found.plan) known.push(found.plan);
    return found;
  };
  master.addRows(
    alone,
    [...HELD_TERMS, what].map((term) => ({ kind: 'limit', what: term })),
  );
  const floor = Math.max(option1.bound, before?.bound ?? -Infinity);
  const start = before?.basis ?? option1.basis;
  const whole = level(together, best(together), floor, start, {
    together: { widest: WIDEST * lead.points, lead: what },
  });
  // Without the whole relaxation, the levels would begin with prices that mean little, and end nowhere.
  const stopped = Number.isFinite(left()) && whole.effort.relaxed === -Infinity;
  if (whole.proven || stopped || left() <= 0) return { ...whole, effort };
  const least = level(alone, best(alone), 0, whole.basis, { inUnits: true });
  const most = best(alone).cost;
  const points = level(atMost(most), best(atMost(most)), option1.bound, whole.basis);
  let bound = lead.points * Math.max(0, Math.ceil(least.bound - 1e-6)) + points.bound;
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
