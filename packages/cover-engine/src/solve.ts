/**
 * Takes a problem and returns options. Pure: the solver, the clock, the seed and the number of options are arguments,
 * and the same input gives the same answer unless time runs out.
 */
import type { Highs } from 'highs';
import { viewPlan } from './constraints/view.ts';
import { countUnits, type Units } from './count.ts';
import type { MustCover } from './explain/what-it-takes.ts';
import { scorePlan, writePlan } from './judge.ts';
import type { CoverModel, Plan } from './model.ts';
import { buildModel } from './build-model.ts';
import { parseProblem } from './parse.ts';
import type { CoverAnswer, CoverOption, Refusal } from './answer.ts';
import type { Strategy } from './problem.ts';
import { alternative, type SolveContext } from './search/alternatives.ts';
import { shareOf, type Clock, type Effort, type Outcome } from './search/column-generation.ts';
import { buildInstance } from './search/instance.ts';
import { Master } from './search/master.ts';
import { makeObjective } from './search/objective.ts';
import { checkPins, pinRefusal } from './search/pins.ts';
import { PricingGraph } from './search/pricing-graph.ts';
import { neverCost, solveFree, solveHeld, solveMostCare, type First } from './search/strategy.ts';
import { AGAIN_SHARE, nearestFirst, shareFor, type Unproven } from './shares.ts';
import { slotOf, SLOTS } from './slots.ts';
import {
  ENOUGH_PLANS,
  HELD_TERMS,
  MOST_OPTIONS,
  placeOption,
  rankOf,
  STRATEGIES,
  STRATEGY_ORDER,
} from './strategies.ts';
import { POINTS } from './terms.ts';

export interface SolveSettings {
  highs: Highs;
  /** The maximum number of options to return; 5 by default. */
  options?: number;
  /** Returns the seconds left until the deadline; called many times. There is no deadline by default. */
  left?: Clock;
  seed?: number;
  /**
   * The limits on columns are multiples of this number; 1200 by default. Before the cuts, up to 16 times as many
   * columns are listed. A program after the cuts may have 4.8 times as many, and a program over pieces 20 times as many
   * (`search/arc-program.ts`).
   */
  mostListed?: number;
  /** With more patterns than this within the gap, the program lists pieces instead; 250 by default. */
  fewPatterns?: number;
  /**
   * The node limit of HiGHS in the later stages of `search/close-gap.ts`, before the search branches. The first stage
   * has no limit.
   */
  mostNodes?: number;
  /**
   * Stretches that must have a therapist throughout. If no plan covers them, the result is a refusal (`cannot_cover`).
   */
  mustCover?: readonly MustCover[];
  /** If given, only these strategies are solved, in the table's order, and no alternatives are added. */
  strategies?: readonly Strategy[];
  /** Called with each option when it is found. */
  onOption?: (option: CoverOption, plan: Plan) => void;
}

/** An option in the file format, and its plan. */
export interface SolvedOption {
  option: CoverOption;
  plan: Plan;
}

export type Solved =
  | { ok: true; model: CoverModel; options: SolvedOption[]; efforts: { strategy: Strategy; effort: Effort }[] }
  | { ok: false; refusal: Refusal };

/** The default of `mostListed`; a larger number does not help (measured). */
const MOST_LISTED = 1200;
const FEW_PATTERNS = 250;
/** A program that needs more of HiGHS's nodes than this is slower than branching. */
const MOST_NODES = 200;
/** Whether a plan has no more units of each limited term than Option 1. */
function keepsTo(model: CoverModel, plan: Plan, option1: Plan): boolean {
  const [units, held] = [plan, option1].map((p) => countUnits(viewPlan(model, p))) as [Units, Units];
  return HELD_TERMS.every((term) => units[term] <= held[term]);
}

function optionOf(model: CoverModel, strategy: Strategy, outcome: Outcome & { plan: Plan }): SolvedOption {
  const score = scorePlan(model, outcome.plan, strategy);
  // The search and `scorePlan` must agree on the cost; if they do not, the plan does not count as proven.
  const proven = outcome.proven && score.total === outcome.cost;
  const bound = Number.isFinite(outcome.bound) ? Math.min(outcome.bound, score.total) : null;
  return { option: { strategy, proven, bound, score, sessions: writePlan(model, outcome.plan) }, plan: outcome.plan };
}

/** At [part × 48 + slot]: whether the part must have a therapist there. Null when nothing is required. */
function markMust(model: CoverModel, asked: readonly MustCover[]): Uint8Array | null {
  if (asked.length === 0) return null;
  const marks = new Uint8Array(model.parts.length * SLOTS);
  for (const { session, start, end } of asked)
    for (const part of model.sessionById.get(session)?.parts ?? [])
      for (let k = Math.max(part.from, slotOf(start)); k < Math.min(part.to, slotOf(end)); k++)
        marks[part.index * SLOTS + k] = 1;
  return marks;
}

/** The refusal when required times stay uncovered: no plan covers them (`proven`), or none was found in time. */
function uncoverable(proven: boolean): Refusal {
  if (proven) return { code: 'cannot_cover', detail: 'No plan has a therapist at every time that must be covered.' };
  return {
    code: 'no_time',
    detail: 'No plan with a therapist at every time that must be covered was found in the time given.',
  };
}

/** Checks and solves a problem; `problem` may be any value. A refusal says why there is no result. */
export function solve(problem: unknown, settings: SolveSettings): Solved {
  const parsed = parseProblem(problem);
  if (!parsed.ok) return parsed;
  const model = buildModel(parsed.problem);
  const instance = buildInstance(model, markMust(model, settings.mustCover ?? []));
  const clashes = checkPins(model, instance);
  if (clashes.length > 0) return { ok: false, refusal: pinRefusal(clashes) };
  const { highs, options: most = MOST_OPTIONS, left = () => Infinity, seed = 1 } = settings;
  const { mostListed = MOST_LISTED, mostNodes = MOST_NODES, fewPatterns = FEW_PATTERNS } = settings;
  const bench: SolveContext = {
    instance,
    graphs: instance.open.map((part, i) => new PricingGraph(instance, part, i)),
    master: new Master(highs, makeObjective(instance, POINTS), neverCost(instance, POINTS)),
    highs,
    left,
    seed,
    mostListed,
    fewPatterns,
    mostNodes,
  };
  try {
    return solveStrategies(bench, settings, most);
  } finally {
    bench.master.dispose();
  }
}

/** Joins the results of two searches for one strategy: the cheaper plan and the higher bound. */
function together(first: Outcome, second: Outcome): Outcome {
  const { plan, cost } = second.cost < first.cost ? second : first;
  const bound = Math.min(cost, Math.max(first.bound, second.bound));
  return { plan, cost, bound, proven: bound >= cost, effort: second.effort, basis: second.basis ?? first.basis };
}

/** Solves the strategies one after another, tries each unproven strategy once more, and then looks for alternatives. */
function solveStrategies(bench: SolveContext, settings: SolveSettings, most: number): Solved {
  const { instance, left } = bench;
  const { model } = instance;
  const asked: readonly Strategy[] = STRATEGY_ORDER.filter((s) => settings.strategies?.includes(s) ?? true);
  // Option 1 limits some strategies, so it is solved before them, even when it is not asked for.
  const wanted = asked.some((s) => STRATEGIES[s].held) ? [...new Set<Strategy>(['balanced', ...asked])] : asked;
  const solved: SolvedOption[] = [];
  const efforts: { strategy: Strategy; effort: Effort }[] = [];
  const plans = () => solved.map((s) => s.plan);
  let option1: First | null = null;
  const give = (strategy: Strategy, outcome: Outcome & { plan: Plan }) => {
    const option = optionOf(model, strategy, outcome);
    placeOption(solved, option);
    settings.onOption?.(option.option, option.plan);
  };
  /** Searches for a strategy's best plan. `before` is what an earlier search for it found. */
  const search = (strategy: Strategy, clock: Clock, before: Outcome | null = null): Outcome => {
    const earlier = before?.plan ? [before.plan, ...plans()] : plans();
    const { lead, held } = STRATEGIES[strategy];
    const outcome =
      !option1 || !lead
        ? solveFree(bench, strategy, earlier, clock, before)
        : held
          ? solveHeld(bench, strategy, option1, earlier, clock, before)
          : solveMostCare(bench, strategy, option1, earlier, clock, before);
    efforts.push({ strategy, effort: outcome.effort });
    return outcome;
  };
  /** Whether a plan costs at most `cost` under a strategy and stays within the strategy's limits. */
  const reaches = (strategy: Strategy, cost: number, plan: Plan): boolean =>
    scorePlan(model, plan, strategy).total <= cost &&
    (!STRATEGIES[strategy].held || option1 === null || keepsTo(model, plan, option1.plan));
  const open: Unproven[] = [];
  for (const [i, strategy] of wanted.entries()) {
    if (solved.length >= most && i > 0) break;
    const outcome = search(strategy, shareOf(left, most > 1 && wanted.length > 1 ? shareFor(strategy, wanted, i) : 1));
    const { plan } = outcome;
    if (!plan) {
      if (outcome.bound === Infinity || left() > 0)
        return { ok: false, refusal: pinRefusal(checkPins(model, instance, false)) };
      return {
        ok: false,
        refusal: { code: 'no_time', detail: 'No plan that keeps the pins was found in the time given.' },
      };
    }
    if (instance.mustCover && outcome.cost >= instance.mustPoints)
      return { ok: false, refusal: uncoverable(outcome.bound >= instance.mustPoints) };
    if (strategy === 'balanced')
      option1 = { plan, bound: outcome.bound, relaxed: outcome.effort.relaxed, basis: outcome.basis };
    if (!asked.includes(strategy)) continue;
    if (!outcome.proven) open.push({ strategy, outcome: { ...outcome, plan } });
    if (!plans().some((p) => reaches(strategy, outcome.cost, p))) give(strategy, { ...outcome, plan });
  }
  open.sort(nearestFirst);
  for (const [i, { strategy, outcome }] of open.entries()) {
    if (left() <= 0) break;
    const given = solved.some((s) => s.option.strategy === strategy);
    const last = i === open.length - 1 && solved.length >= ENOUGH_PLANS;
    const further = together(outcome, search(strategy, shareOf(left, last ? 1 : AGAIN_SHARE), outcome));
    const others = solved.map((s) => s.option).filter((o) => o.strategy !== strategy);
    const later = others.filter((o) => rankOf(o.strategy) > rankOf(strategy));
    // Option 1 keeps its plan even if a cheaper one is found, because Option 1 limits other strategies. Another option
    // does not take a cheaper plan that would make a later option superfluous.
    const stays =
      strategy === 'balanced' || later.some((o) => reaches(o.strategy, o.score.total, further.plan ?? outcome.plan));
    const { plan, cost } = stays ? outcome : { ...further, plan: further.plan ?? outcome.plan };
    const bound = Math.min(cost, further.bound);
    if (strategy === 'balanced') option1 = { plan, bound, relaxed: further.effort.relaxed, basis: further.basis };
    if (given ? cost === outcome.cost && bound === outcome.bound : solved.length >= most) continue;
    if (!given && plans().some((p) => reaches(strategy, cost, p))) continue;
    give(strategy, { ...outcome, plan, cost, bound, proven: bound >= cost });
  }
  while (!settings.strategies && solved.length < Math.min(ENOUGH_PLANS, most) && left() > 0) {
    const found = alternative(bench, plans(), neverCost(instance, POINTS));
    if (!found?.plan) break;
    efforts.push({ strategy: 'alternative', effort: found.effort });
    give('alternative', { ...found, plan: found.plan });
  }
  return { ok: true, model, options: solved, efforts };
}

/** Writes the result in the file format, `cover-options/1`. */
export function toAnswer(solved: Solved): CoverAnswer {
  if (!solved.ok) return { format: 'cover-options/1', options: [], refused: solved.refusal };
  return { format: 'cover-options/1', options: solved.options.map((o) => o.option) };
}
