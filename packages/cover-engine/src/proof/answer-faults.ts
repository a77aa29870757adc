/**
 * Lists what is wrong with the engine's answer, compared with the true optimum: broken rules, wrong scores, false
 * proofs, wrong alternatives, and missing options.
 */
import type { CoverAnswer, CoverOption, PlannedSession } from '../answer.ts';
import type { CoverProblem, Strategy } from '../problem.ts';
import { exhaustive } from './exhaustive.ts';
import { judge, type Verdict } from './judge.ts';
import { difference, judgeAnswer } from './judge-answer.ts';
import { HELD, JUDGE_STRATEGIES, judgeModel, mostBeside, type JudgeHeld } from './judge-model.ts';

const STRATEGIES = (Object.keys(JUDGE_STRATEGIES) as Strategy[]).filter((s) => s !== 'alternative');
/** Days that need more nodes than this are not searched exhaustively; the tests check that such days are few. */
const NODES = 20_000;

/** The total of an option under a strategy; Infinity if it breaks a rule or exceeds the strategy's limits. */
function scoreUnder(problem: CoverProblem, option: CoverOption, strategy: Strategy, first: Verdict | null): number {
  const { broken, score } = judge(problem, option, strategy, undefined, first);
  return broken.length > 0 ? Infinity : score.total;
}

/** The limits that Option 1 sets for a strategy; empty if the strategy is not limited by Option 1. */
export function heldTo(first: Verdict | null, strategy: Strategy): JudgeHeld {
  return JUDGE_STRATEGIES[strategy].held && first
    ? Object.fromEntries(HELD.map((unit) => [unit, mostBeside(unit, first.units[unit])]))
    : {};
}

/**
 * Compares an answer with the true best scores and lists its errors, except those in its alternatives; null if the day
 * is too big for the exhaustive search.
 */
export function answerFaults(problem: CoverProblem, answer: CoverAnswer): string[] | null {
  const faults: string[] = [];
  const best = new Map<Strategy, number | null>();
  const [option1] = answer.options;
  const first = option1 ? judge(problem, option1, 'balanced') : null;
  try {
    for (const strategy of STRATEGIES)
      best.set(strategy, exhaustive(problem, strategy, { limit: NODES, held: heldTo(first, strategy) }).total);
  } catch {
    return null;
  }
  if (best.get('balanced') === null)
    return answer.refused && answer.options.length === 0 ? [] : ['pins that cannot be kept were accepted'];
  if (answer.refused) return [`refused: ${answer.refused.detail}`];
  faults.push(...judgeAnswer(problem, answer));
  if (answer.unfinished) faults.push(`unfinished without a deadline: ${answer.unfinished.join(', ')}`);
  for (const strategy of STRATEGIES) {
    const least = Math.min(...answer.options.map((o) => scoreUnder(problem, o, strategy, first)));
    if (least !== best.get(strategy)) faults.push(`${strategy}: ${least}, best is ${best.get(strategy)}`);
    const at = answer.options.findIndex((o) => o.strategy === strategy);
    const option = answer.options[at];
    if (!option) continue;
    if (!option.proven || option.bound !== option.score.total) faults.push(`${strategy} is not proven`);
    if (option.score.total !== best.get(strategy))
      faults.push(`${strategy} is ${option.score.total}, best is ${best.get(strategy)}`);
    if (answer.options.slice(0, at).some((o) => scoreUnder(problem, o, strategy, first) === best.get(strategy)))
      faults.push(`${strategy} is given although an earlier option reaches its best score`);
  }
  return faults;
}

/** The cost of the cheapest plan that could still be an alternative to these options; null if there is none. */
function cheapestAlternative(problem: CoverProblem, options: readonly CoverOption[]): number | null {
  const model = judgeModel(problem);
  const uncovered = judge(problem, options[0] as CoverOption, 'balanced', model).score.uncovered;
  const accept = (sessions: PlannedSession[]): boolean =>
    options.every((o) => difference(model, o, { sessions }) >= 0.3) &&
    judge(problem, { sessions }, 'balanced', model).score.uncovered <= uncovered;
  return exhaustive(problem, 'balanced', { limit: 20 * NODES, accept }).total;
}

/**
 * Lists the errors in the alternatives of an answer to a request for three or more options; null if the day is too big
 * for the exhaustive search.
 */
export function alternativeFaults(problem: CoverProblem, { options }: CoverAnswer): string[] | null {
  const faults: string[] = [];
  if (options.length === 0) return faults;
  try {
    options.forEach((o, i) => {
      if (o.strategy !== 'alternative') return;
      if (i >= 3) faults.push(`option ${i + 1} is an alternative although three plans differ already`);
      const least = cheapestAlternative(problem, options.slice(0, i));
      if (o.score.total !== least)
        faults.push(`option ${i + 1} is ${o.score.total}, the cheapest alternative ${least}`);
    });
    const further = options.length < 3 ? cheapestAlternative(problem, options) : null;
    if (further !== null) faults.push(`there is a further alternative at ${further}`);
  } catch {
    return null;
  }
  return faults;
}
