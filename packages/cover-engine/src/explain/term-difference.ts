/** How the score's terms differ between two plans, and which terms the explanations name. */
import { scorePlan } from '../judge.ts';
import type { CoverModel, Plan } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { TERM_NAMES, TERMS, type Term } from '../terms.ts';

/**
 * For each term that differs, the points of the second plan minus those of the first. For the engine, not for users.
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

/** The terms that differ, each with its points, largest difference first. */
export const largestFirst = (terms: Partial<Record<Term, number>>): [Term, number][] =>
  TERM_NAMES.map((term): [Term, number] => [term, terms[term] ?? 0])
    .filter(([, points]) => points !== 0)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));

/** The terms that cost more in the second plan, the costliest first. */
export const risingTerms = (terms: Partial<Record<Term, number>>): Term[] =>
  largestFirst(terms).flatMap(([term, points]) => (points > 0 ? [term] : []));

export const isNamedByChoices = (term: Term): boolean => TERMS[term].namedBy === 'all';
export const isNamedByNextBest = (term: Term): boolean => TERMS[term].namedBy !== 'none';
