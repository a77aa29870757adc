/**
 * Finds the options of a day: solves Option 1, then the other strategies, tries each unproven strategy once more, and
 * then looks for alternatives.
 */
import { viewPlan } from './constraints/view.ts';
import { countUnits } from './count.ts';
import type { CoverOption, Refusal } from './answer.ts';
import { nearlySame } from './explain/nearly-same.ts';
import { scorePlan, writePlan } from './judge.ts';
import { searchInTurn, type LaterSearch } from './later.ts';
import type { CoverModel, Plan } from './model.ts';
import type { Strategy } from './problem.ts';
import { alternative, type SolveContext } from './search/alternatives.ts';
import { shareOf, type Effort, type Outcome } from './search/column-generation.ts';
import type { Column } from './search/column.ts';
import { makeObjective } from './search/objective.ts';
import { checkPins, pinRefusal } from './search/pins.ts';
import { neverCost } from './search/dearest.ts';
import { solveFree, type First } from './search/strategy.ts';
import { AGAIN_SHARE, FIRST_SHARE, nearestFirst, type Unproven } from './shares.ts';
import { ENOUGH_PLANS, heldTo, isWithin, placeOption, rankOf, STRATEGIES, STRATEGY_ORDER } from './strategies.ts';
import { POINTS } from './terms.ts';

/** An option in the file format, and its plan. */
export interface SolvedOption {
  option: CoverOption;
  plan: Plan;
}

export type Solved =
  | {
      ok: true;
      model: CoverModel;
      options: SolvedOption[];
      /** The strategies that have no option although their search did not end; see `CoverAnswer`. */
      unfinished: Strategy[];
      efforts: { strategy: Strategy; effort: Effort }[];
    }
  | { ok: false; refusal: Refusal };

export interface Wanted {
  /** The most options to find. */
  readonly most: number;
  /** If given, only these strategies are solved, and no alternatives are added. */
  readonly strategies: readonly Strategy[] | undefined;
  /** Whether an alternative is looked for in place of each option that is nearly the same as an earlier one. */
  readonly distinct: boolean;
  readonly onOption: ((option: CoverOption, plan: Plan) => void) | undefined;
}

type Found = Outcome & { plan: Plan };

/** Whether a plan keeps the limits that Option 1 sets. */
const keepsTo = (model: CoverModel, plan: Plan, option1: Plan): boolean =>
  isWithin(countUnits(viewPlan(model, plan)), heldTo(countUnits(viewPlan(model, option1))));

function optionOf(model: CoverModel, strategy: Strategy, outcome: Found): SolvedOption {
  const score = scorePlan(model, outcome.plan, strategy);
  // The search and `scorePlan` must agree on the cost; if they do not, the plan does not count as proven.
  const proven = outcome.proven && score.total === outcome.cost;
  const bound = Number.isFinite(outcome.bound) ? Math.min(outcome.bound, score.total) : null;
  return { option: { strategy, proven, bound, score, sessions: writePlan(model, outcome.plan) }, plan: outcome.plan };
}

/** The refusal when required times stay uncovered: no plan covers them (`proven`), or none was found in time. */
function uncoverable(proven: boolean): Refusal {
  if (proven) return { code: 'cannot_cover', detail: 'No plan has a therapist at every time that must be covered.' };
  return {
    code: 'no_time',
    detail: 'No plan with a therapist at every time that must be covered was found in the time given.',
  };
}

/** The refusal if the first search found no plan that can be given; null if it found one. */
function refusalOf({ instance }: SolveContext, { plan, cost, bound }: Outcome): Refusal | null {
  if (plan) return instance.mustCover && cost >= instance.mustPoints ? uncoverable(bound >= instance.mustPoints) : null;
  if (bound === Infinity) return pinRefusal(checkPins(instance.model, instance, false));
  return { code: 'no_time', detail: 'No plan that keeps the pins was found in the time given.' };
}

/** Joins the results of two searches for one strategy: the cheaper plan and the higher bound. */
function together(first: Found, second: Outcome): Found {
  const { plan, cost } = second.plan && second.cost < first.cost ? { plan: second.plan, cost: second.cost } : first;
  const bound = Math.min(cost, Math.max(first.bound, second.bound));
  return { plan, cost, bound, proven: bound >= cost, effort: second.effort, basis: second.basis ?? first.basis };
}

function hasPlan(outcome: Outcome): asserts outcome is Found {
  if (!outcome.plan) throw new Error('Option 1 is a plan of every strategy');
}

/** The options found so far, in the order of their strategies. */
class Options {
  readonly solved: SolvedOption[] = [];
  readonly efforts: { strategy: Strategy; effort: Effort }[] = [];
  /** What was found for strategies that are not proven. */
  readonly open: Unproven[] = [];
  /** The strategies of which it is not certain that an option with the best plan is given. */
  private readonly unended = new Set<Strategy>();
  private readonly model: CoverModel;
  private readonly wanted: Wanted;
  private readonly option1: Plan;
  constructor(model: CoverModel, wanted: Wanted, option1: Plan) {
    this.model = model;
    this.wanted = wanted;
    this.option1 = option1;
  }

  get plans(): readonly Plan[] {
    return this.solved.map(({ plan }) => plan);
  }

  /** The strategies that have no option, though a plan that no earlier option reaches may exist. */
  get unfinished(): Strategy[] {
    return STRATEGY_ORDER.filter(
      (s) => this.unended.has(s) && !this.solved.some(({ option }) => option.strategy === s),
    );
  }

  get full(): boolean {
    return this.solved.length >= this.wanted.most;
  }

  give(strategy: Strategy, outcome: Found): void {
    const solved = optionOf(this.model, strategy, outcome);
    placeOption(this.solved, solved);
    this.wanted.onOption?.(solved.option, solved.plan);
  }

  /** Takes what a first search found; it becomes an option unless an earlier option is as good under this strategy. */
  take(strategy: Strategy, found: Found): void {
    if (!found.proven) {
      this.open.push({ strategy, outcome: found });
      this.unended.add(strategy);
    }
    if (!this.isReached(strategy, found.cost)) this.give(strategy, found);
  }

  /** Improves an unproven option by what a further search found, or adds the option if it was not given before. */
  improve({ strategy, outcome }: Unproven, found: Outcome): void {
    const further = together(outcome, found);
    if (further.proven && this.isReached(strategy, further.cost)) this.unended.delete(strategy);
    const later = this.solved.map(({ option }) => option).filter((o) => rankOf(o.strategy) > rankOf(strategy));
    // Option 1 keeps its plan even if a cheaper one is found, because Option 1 limits other strategies. Another option
    // does not take a cheaper plan that would make a later option superfluous.
    const stays = strategy === 'balanced' || later.some((o) => this.reaches(o.strategy, o.score.total, further.plan));
    const { plan, cost } = stays ? outcome : further;
    const bound = Math.min(cost, further.bound);
    const given = this.solved.some(({ option }) => option.strategy === strategy);
    if (given ? cost === outcome.cost && bound === outcome.bound : this.full || this.isReached(strategy, cost)) return;
    this.give(strategy, { ...outcome, plan, cost, bound, proven: bound >= cost });
  }

  /** Whether a plan costs at most `cost` under a strategy and stays within the strategy's limits. */
  private reaches(strategy: Strategy, cost: number, plan: Plan): boolean {
    if (scorePlan(this.model, plan, strategy).total > cost) return false;
    return !STRATEGIES[strategy].held || keepsTo(this.model, plan, this.option1);
  }

  private isReached(strategy: Strategy, cost: number): boolean {
    return this.plans.some((plan) => this.reaches(strategy, cost, plan));
  }
}

/** The strategies to solve. Option 1 limits some, so it is solved before them even when it is not asked for. */
function strategiesFor({ strategies }: Wanted): readonly [Strategy, ...Strategy[]] {
  const asked = STRATEGY_ORDER.filter((s) => strategies?.includes(s) ?? true);
  const [one = 'balanced', ...others] = asked;
  return one !== 'balanced' && asked.some((s) => STRATEGIES[s].held) ? ['balanced', ...asked] : [one, ...others];
}

/** Finds the options that are wanted. */
export function findOptions(bench: SolveContext, wanted: Wanted): Solved {
  const { instance, left } = bench;
  const { most, strategies } = wanted;
  const [one, ...others] = strategiesFor(wanted);
  const inShares = most > 1 && others.length > 0;
  let found = solveFree(bench, one, [], shareOf(left, inShares ? FIRST_SHARE : 1), null);
  // Without a first plan, the other strategies have no use for their shares.
  if (inShares && !found.plan && !found.proven && left() > 0) found = solveFree(bench, one, [], left, found);
  const refusal = refusalOf(bench, found);
  if (refusal) return { ok: false, refusal };
  hasPlan(found);
  const options = new Options(instance.model, wanted, found.plan);
  options.efforts.push({ strategy: one, effort: found.effort });
  if (!strategies || strategies.includes(one)) options.take(one, found);
  const columns = new Set<Column>();
  const first = options.solved.length < most && others.length > 0 ? firstOf(bench, found) : null;
  if (first) {
    const share = inShares ? 'equal' : 1;
    const searches = others.map((strategy): LaterSearch => ({ strategy, before: null, plans: [], share }));
    for (const [i, outcome] of searchInTurn(bench, first, searches)) {
      const strategy = others[i]!;
      options.efforts.push({ strategy, effort: outcome.effort });
      hasPlan(outcome);
      options.take(strategy, outcome);
      for (const { column } of outcome.basis?.columns.values() ?? []) columns.add(column);
      if (options.full) break;
    }
  }
  searchAgain(bench, first, options);
  const named = options.solved.map(({ option }) => option);
  const alike = wanted.distinct ? nearlySame(instance.model, named).filter((near) => near !== null).length : 0;
  const enough = Math.max(Math.min(ENOUGH_PLANS, most), named.length) + alike;
  const lacksPlans = () => !strategies && options.solved.length < (alike > 0 ? enough : Math.min(ENOUGH_PLANS, most));
  // Alternatives need fewer rounds in a program that knows the columns of the strategies' plans.
  if (lacksPlans() && left() > 0) bench.master.addColumns(makeObjective(instance, POINTS), [...columns]);
  let none = false;
  while (lacksPlans() && left() > 0) {
    const next = alternative(bench, options.plans, neverCost(instance, POINTS));
    none = !next || (!next.plan && next.bound === Infinity);
    if (!next?.plan) break;
    options.efforts.push({ strategy: 'alternative', effort: next.effort });
    options.give('alternative', { ...next, plan: next.plan });
  }
  const unfinished = [...options.unfinished, ...(lacksPlans() && !none ? ['alternative' as const] : [])];
  return { ok: true, model: instance.model, options: options.solved, unfinished, efforts: options.efforts };
}

const firstOf = ({ master }: SolveContext, { plan, bound, basis }: Found): First => ({
  plan,
  bound,
  basis,
  kept: master.keep(),
});

/** Searches once more for the strategies that are not proven, as far as time allows. */
function searchAgain(bench: SolveContext, first: First | null, options: Options): void {
  const { left } = bench;
  const { plans, efforts, open } = options;
  open.sort(nearestFirst);
  const enough = options.solved.length >= ENOUGH_PLANS;
  const shareAt = (i: number): number => (i === open.length - 1 && enough ? 1 : AGAIN_SHARE);
  const later = open.filter(({ strategy }) => STRATEGIES[strategy].lead);
  if (first && later.length > 0 && left() > 0) {
    const searches = later.map(({ strategy, outcome }, i): LaterSearch => {
      return { strategy, before: outcome, plans, share: shareAt(i) };
    });
    for (const [i, further] of searchInTurn(bench, first, searches)) {
      const unproven = later[i]!;
      efforts.push({ strategy: unproven.strategy, effort: further.effort });
      options.improve(unproven, further);
    }
  }
  const freely = open.find(({ strategy }) => !STRATEGIES[strategy].lead || !first);
  if (!freely || left() <= 0) return;
  const { strategy, outcome } = freely;
  const further = solveFree(
    bench,
    strategy,
    [outcome.plan, ...options.plans],
    shareOf(left, shareAt(open.length - 1)),
    outcome,
  );
  efforts.push({ strategy, effort: further.effort });
  options.improve(freely, further);
}
