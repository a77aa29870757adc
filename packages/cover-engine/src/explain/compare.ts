/** Compares two options in words that schedulers use: what the second option gains, and what it costs. */
import { readPlan } from '../judge.ts';
import type { CoverModel, Plan } from '../model.ts';
import type { CoverOption } from '../answer.ts';
import { COMPARED, countPlan } from './figures.ts';
import { count } from './words.ts';

export interface Comparison {
  /** What is better in the second plan, most important first; may be empty. */
  gains: string[];
  /** What is worse in the second plan, most important first. */
  costs: string[];
  /** Gains and costs on one line: `1 h more care, 2 sessions of other children change`. */
  text: string;
}

/** How many sessions have different pieces in the two plans. */
function sessionsThatDiffer(model: CoverModel, a: Plan, b: Plan): number {
  const differ = model.parts.filter((p) => JSON.stringify(a[p.index]) !== JSON.stringify(b[p.index]));
  return new Set(differ.map((p) => p.session.index)).size;
}

/** Compares two plans of one problem in words: hours, changes and new faces, but never points. */
export function comparePlans(model: CoverModel, a: Plan, b: Plan): Comparison {
  const [first, second] = [countPlan(model, a), countPlan(model, b)];
  const gains: string[] = [];
  const costs: string[] = [];
  for (const { of, better, more, less } of COMPARED) {
    const [from, to] = [of(first), of(second)];
    const n = to - from;
    if (n === 0) continue;
    const words = n > 0 ? more(n, from) : less(-n, to);
    (n > 0 === (better === 'more') ? gains : costs).push(words);
  }
  const others = sessionsThatDiffer(model, a, b);
  const same = others === 0 ? 'The same plan' : `Different people in ${count(others, 'session')}, otherwise the same`;
  // `text` must fit in a column's header, so it has at most two gains and two costs. `gains` and `costs` have no limit.
  const told = [...gains.slice(0, 2), ...costs.slice(0, 2)];
  return { gains, costs, text: told.length > 0 ? told.join(', ') : same };
}

/** Compares an option with Option 1 in words. */
export function compareOptions(
  model: CoverModel,
  option1: Pick<CoverOption, 'sessions'>,
  option: Pick<CoverOption, 'sessions'>,
): Comparison {
  return comparePlans(model, readPlan(model, option1.sessions).plan, readPlan(model, option.sessions).plan);
}
