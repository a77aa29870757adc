/**
 * Problem in, options out. Pure: the solver, the clock, the seed and the number of options are arguments; the same
 * input gives the same answer unless the clock ran out.
 */
import type { Highs } from 'highs';
import type { MustCover } from './explain/what-it-takes.ts';
import { scorePlan, writePlan } from './judge.ts';
import type { CoverModel, Plan } from './model.ts';
import { buildModel } from './build-model.ts';
import { parseProblem } from './parse.ts';
import type { CoverAnswer, CoverOption, Refusal, Strategy } from './problem.ts';
import { alternative, type SolveContext } from './search/alternatives.ts';
import { Insertion } from './search/insertion.ts';
import type { Objective } from './search/objective.ts';
import { makeObjective, planCost } from './search/objective.ts';
import type { Instance } from './search/instance.ts';
import { dearest, buildInstance } from './search/instance.ts';
import type { Found } from './search/neighbourhood-search.ts';
import { greedy, improve } from './search/neighbourhood-search.ts';
import { Master } from './search/master.ts';
import { PricingGraph } from './search/pricing-graph.ts';
import { checkPins, pinRefusal } from './search/pins.ts';
import type { Clock, Effort, Outcome } from './search/column-generation.ts';
import { prove } from './search/prove.ts';
import { slotOf, SLOTS } from './slots.ts';
import { ENOUGH_PLANS, STRATEGY_ORDER, WEIGHTS } from './strategies.ts';

export interface SolveSettings {
  highs: Highs;
  /** Most options to give; 5 when left out. */
  options?: number;
  /** Seconds left until the deadline, asked again and again; Infinity when left out. */
  left?: Clock;
  seed?: number;
  /** A sixteenth of the most columns listed, see `search/close-gap.ts`; 1200 when left out. */
  mostListed?: number;
  /** Most nodes of HiGHS's own search for a program that is not small; beyond them the plans are cut in two. */
  mostNodes?: number;
  /** Stretches (`HH:MM`) that must have somebody all the time; a plan that cannot is no answer (`cannot_cover`). */
  mustCover?: readonly MustCover[];
  /** Only these strategies, in the table's order, and no alternatives; all when left out. */
  strategies?: readonly Strategy[];
  /** Called with each option as it is found. */
  onOption?: (option: CoverOption, plan: Plan) => void;
}

/** A plan with its option, as the server needs them; `effort` is for the bench. */
export interface SolvedOption {
  option: CoverOption;
  plan: Plan;
}

export type Solved =
  | { ok: true; model: CoverModel; options: SolvedOption[]; efforts: { strategy: Strategy; effort: Effort }[] }
  | { ok: false; refusal: Refusal };

/** Sixteen times as many columns are listed at most: more are not worth their time (measured). */
const MOST_LISTED = 1200;
/** A program that takes HiGHS so many nodes is slower than cutting the plans in two. */
const MOST_NODES = 200;
/** Rounds of search for the first plan of a strategy. */
const FIRST_ROUNDS = 20;
/** Share of the time left that a strategy may take: the first one half of it, the others evenly. */
const SHARE_OF_FIRST = 0.5;

/** A clock that strikes when this share of what another has left is over. */
function shareOf(left: Clock, share: number): Clock {
  const now = left();
  if (!Number.isFinite(now)) return left;
  const keep = now * (1 - share);
  return () => left() - keep;
}

/** The best plan at hand for a strategy: plans of earlier options under these weights, or one made from nothing. */
function firstPlan(
  objective: Objective,
  insertion: Insertion,
  earlier: readonly Plan[],
  bench: SolveContext,
): { plan: Plan | null; cost: number } {
  const can = insertion.begin();
  let best: Found | null = null;
  if (can) best = improve(insertion, greedy(insertion), FIRST_ROUNDS, bench.seed, () => bench.left() <= 0);
  for (const plan of earlier) {
    const cost = planCost(objective, plan);
    if (!best || cost < best.cost) best = { plan, cost };
  }
  return best ?? { plan: null, cost: Infinity };
}

function solveStrategy(
  bench: SolveContext,
  strategy: Strategy,
  master: Master | null,
  earlier: readonly Plan[],
  left: Clock,
): { outcome: Outcome; master: Master } {
  const objective = makeObjective(bench.instance, WEIGHTS[strategy]);
  for (const graph of bench.graphs) graph.weigh(objective);
  const insertion = new Insertion(objective, bench.graphs);
  const start = firstPlan(objective, insertion, earlier, bench);
  const kept = master ?? new Master(bench.highs, objective, neverCost(bench.instance, STRATEGY_ORDER));
  if (master) kept.reweigh(objective);
  return {
    outcome: prove(
      {
        ...bench,
        objective,
        insertion,
        master: kept,
        caps: [],
        left,
      },
      start,
    ),
    master: kept,
  };
}

/** Dearer than any plan could be worth, under the dearest of these strategies. */
function neverCost({ model, mustPoints }: Instance, strategies: readonly Strategy[]): number {
  return 2 * Math.max(...strategies.map((s) => dearest(model.parts, WEIGHTS[s]))) + 2 * SLOTS * mustPoints;
}

function optionOf(model: CoverModel, strategy: Strategy, outcome: Outcome & { plan: Plan }): SolvedOption {
  const score = scorePlan(model, outcome.plan, strategy);
  // The search and the judge count alike; should they ever differ, nothing is claimed.
  const proven = outcome.proven && score.total === outcome.cost;
  const bound = Number.isFinite(outcome.bound) ? Math.min(outcome.bound, score.total) : null;
  return { option: { strategy, proven, bound, score, sessions: writePlan(model, outcome.plan) }, plan: outcome.plan };
}

/** [part × 48 + slot]: somebody has to be here. Null when nothing is asked. */
function markMust(model: CoverModel, asked: readonly MustCover[]): Uint8Array | null {
  if (asked.length === 0) return null;
  const marks = new Uint8Array(model.parts.length * SLOTS);
  for (const { session, start, end } of asked)
    for (const part of model.sessionById.get(session)?.parts ?? [])
      for (let k = Math.max(part.from, slotOf(start)); k < Math.min(part.to, slotOf(end)); k++)
        marks[part.index * SLOTS + k] = 1;
  return marks;
}

/** Why nothing covers what was asked for: there is no such plan (`proven`), or none was found in the time given. */
function uncoverable(proven: boolean): Refusal {
  if (proven) return { code: 'cannot_cover', detail: 'No plan has somebody at every moment that was asked for.' };
  return {
    code: 'no_time',
    detail: 'No plan that has somebody at every moment asked for was found in the time given.',
  };
}

/** Solves a problem of any origin. A refusal says why there is no answer at all. */
export function solve(problem: unknown, settings: SolveSettings): Solved {
  const parsed = parseProblem(problem);
  if (!parsed.ok) return parsed;
  const model = buildModel(parsed.problem);
  const instance = buildInstance(model, markMust(model, settings.mustCover ?? []));
  const clashes = checkPins(model, instance);
  if (clashes.length > 0) return { ok: false, refusal: pinRefusal(clashes) };
  const { highs, options: most = 5, left = () => Infinity, seed = 1 } = settings;
  const { mostListed = MOST_LISTED, mostNodes = MOST_NODES } = settings;
  const bench: SolveContext = {
    instance,
    graphs: instance.open.map((part) => new PricingGraph(instance, part)),
    highs,
    left,
    seed,
    mostListed,
    mostNodes,
  };
  const wanted = STRATEGY_ORDER.filter((s) => settings.strategies?.includes(s) ?? true);
  const solved: SolvedOption[] = [];
  const efforts: { strategy: Strategy; effort: Effort }[] = [];
  const plans = () => solved.map((s) => s.plan);
  const give = (option: SolvedOption) => {
    solved.push(option);
    settings.onOption?.(option.option, option.plan);
  };
  let master: Master | null = null;
  try {
    for (const [i, strategy] of wanted.entries()) {
      if (solved.length >= most && i > 0) break;
      const share = i === 0 ? SHARE_OF_FIRST : 1 / (wanted.length - i + 1);
      const clock = shareOf(left, most > 1 && wanted.length > 1 ? share : 1);
      const result = solveStrategy(bench, strategy, master, plans(), clock);
      master = result.master;
      efforts.push({ strategy, effort: result.outcome.effort });
      const { outcome } = result;
      if (!outcome.plan) {
        if (outcome.bound === Infinity || left() > 0)
          return { ok: false, refusal: pinRefusal(checkPins(model, instance, false)) };
        return {
          ok: false,
          refusal: { code: 'no_time', detail: 'No plan that keeps what is held fixed was found in the time given.' },
        };
      }
      if (instance.mustCover && outcome.cost >= instance.mustPoints)
        return { ok: false, refusal: uncoverable(outcome.bound >= instance.mustPoints) };
      const reached = plans().some((plan) => scorePlan(model, plan, strategy).total <= outcome.cost);
      if (!reached) give(optionOf(model, strategy, { ...outcome, plan: outcome.plan }));
    }
  } finally {
    master?.dispose();
  }
  while (!settings.strategies && solved.length < Math.min(ENOUGH_PLANS, most) && left() > 0) {
    const found = alternative(bench, plans(), neverCost(instance, ['alternative']));
    if (!found?.plan) break;
    efforts.push({ strategy: 'alternative', effort: found.effort });
    give(optionOf(model, 'alternative', { ...found, plan: found.plan }));
  }
  return { ok: true, model, options: solved, efforts };
}

/** What the file format says of an answer. */
export function toAnswer(solved: Solved): CoverAnswer {
  if (!solved.ok) return { format: 'cover-options/1', options: [], refused: solved.refusal };
  return { format: 'cover-options/1', options: solved.options.map((o) => o.option) };
}
