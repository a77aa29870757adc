/** How the score's terms differ between two plans. */
import { scorePlan } from '../judge.ts';
import type { CoverModel, Plan } from '../model.ts';
import type { Strategy, Term } from '../problem.ts';
import { TERM_NAMES } from '../terms.ts';

/**
 * For each term that differs, the points of the second plan minus those of the first. For the engine, not for people.
 */
export function termDifference(
  model: CoverModel,
  first: Plan,
  second: Plan,
  strategy: Strategy,
): { total: number; terms: Partial<Record<Term, number>> } {
  const { total: before, ...had } = scorePlan(model, first, strategy);
  const { total: after, ...has } = scorePlan(model, second, strategy);
  const terms: Partial<Record<Term, number>> = {};
  for (const term of TERM_NAMES) {
    const more = (has[term] ?? 0) - (had[term] ?? 0);
    if (more !== 0) terms[term] = more;
  }
  return { total: after - before, terms };
}

/** The terms that cost more in the second plan, the costliest first. */
export function termsThatRise(model: CoverModel, first: Plan, second: Plan, strategy: Strategy): Term[] {
  const { terms } = termDifference(model, first, second, strategy);
  return (Object.entries(terms) as [Term, number][])
    .filter(([, points]) => points > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([term]) => term);
}
