/**
 * The independent checker of the engine's whole answer. Checks its scores, bounds, proofs and order, and that its
 * options differ.
 */
import type { CoverAnswer } from '../answer.ts';
import type { CoverProblem } from '../problem.ts';
import type { Term } from '../terms.ts';
import { judge, type Plan, type Verdict } from './judge.ts';
import { JUDGE_STRATEGIES, judgeModel, slotOf, type JudgeModel } from './judge-model.ts';

const whoBySlot = (plan: Plan): Map<string, string | null> => {
  const who = new Map<string, string | null>();
  for (const s of plan.sessions)
    for (const p of s.pieces)
      for (let k = slotOf(p.start); k < slotOf(p.end); k++) who.set(`${s.session}:${k}`, p.therapist ?? null);
  return who;
};

/** Writes the whole plan slot by slot in a fixed form, so that equal plans give equal strings. */
export function planText(model: JudgeModel, plan: Plan): string {
  const who = new Map<string, string | null>();
  for (const p of model.parts) for (let k = p.from; k < p.to; k++) who.set(`${p.session.id}:${k}`, p.session.therapist);
  for (const [slot, therapist] of whoBySlot(plan)) who.set(slot, therapist);
  return JSON.stringify([...who].sort());
}

/** The share of affected slots that have different therapists in the two plans, 0 to 1. */
export function difference(model: JudgeModel, a: Plan, b: Plan): number {
  const [A, B] = [whoBySlot(a), whoBySlot(b)];
  const slots = model.parts
    .filter((p) => p.affected)
    .flatMap((p) => Array.from({ length: p.to - p.from }, (_, i) => `${p.session.id}:${p.from + i}`));
  return slots.length === 0 ? 0 : slots.filter((s) => A.get(s) !== B.get(s)).length / slots.length;
}

/**
 * Lists every error in an answer: broken rules, wrong scores by term, bounds, proofs and order, options that are too
 * alike, and alternatives with more uncovered time than Option 1.
 */
export function judgeAnswer(problem: CoverProblem, answer: CoverAnswer, model = judgeModel(problem)): string[] {
  const faults: string[] = [];
  const order = Object.keys(JUDGE_STRATEGIES);
  let firstUncovered = 0;
  let first: Verdict | null = null;
  answer.options.forEach((option, i) => {
    const fault = (text: string): number => faults.push(`option ${i + 1} (${option.strategy}): ${text}`);
    const verdict = judge(problem, option, option.strategy, model, first);
    first ??= verdict;
    const { broken, score } = verdict;
    broken.forEach(fault);
    for (const [term, value] of Object.entries(option.score))
      if ((score[term as Term] ?? 0) !== value) fault(`states ${term} ${value}, is ${score[term as Term] ?? 0}`);
    if (option.bound !== null && option.bound > score.total + 1e-6) fault(`bound ${option.bound} above its score`);
    if (option.proven && option.bound !== score.total) fault('called proven, but the bound is not its score');
    answer.options.slice(0, i).forEach((earlier, k) => {
      const alike =
        option.strategy === 'alternative'
          ? difference(model, option, earlier) < 0.3
          : planText(model, option) === planText(model, earlier);
      if (alike) fault(`too like option ${k + 1}`);
    });
    if (i === 0) firstUncovered = score.uncovered;
    if (i === 0 && option.strategy !== 'balanced') fault('stands first');
    if (option.strategy === 'alternative' && score.uncovered > firstUncovered)
      fault('leaves more uncovered than option 1');
    const before = answer.options[i - 1];
    if (before && order.indexOf(option.strategy) < order.indexOf(before.strategy)) fault('out of order');
  });
  return faults;
}
