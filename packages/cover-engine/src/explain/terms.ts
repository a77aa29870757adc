/** The score's terms as reasons people understand, and how they differ between two plans. */
import { scorePlan } from '../judge.ts';
import type { CoverModel, Plan } from '../model.ts';
import type { Strategy, Term } from '../problem.ts';

/** What a term that is higher means, as the object of a sentence. */
export const TERM_WORDS: Readonly<Record<Term, string>> = {
  uncovered: 'more time with nobody',
  gap: 'a gap inside a session',
  change: 'one more handover',
  swap: 'a change for another child',
  short: 'a visit under an hour',
  new: 'a face that is new to the child',
  known: 'someone who is not on the care team',
  bcba: 'a BCBA’s time',
  admin: 'admin time',
  taken: 'time that the booked therapist is there',
  callin: 'time outside their booked day',
  added: 'more extra work',
  overload: 'heavy extra work for one person',
  lunch: 'a lunch break',
};

/** Points by term of the second plan less the first's; terms that do not differ are left out. For the engine, not for people. */
export function termDifference(
  model: CoverModel,
  first: Plan,
  second: Plan,
  strategy: Strategy,
): { total: number; terms: Partial<Record<Term, number>> } {
  const { total: before, ...had } = scorePlan(model, first, strategy);
  const { total: after, ...has } = scorePlan(model, second, strategy);
  const terms: Partial<Record<Term, number>> = {};
  for (const term of Object.keys(TERM_WORDS) as Term[]) {
    const more = (has[term] ?? 0) - (had[term] ?? 0);
    if (more !== 0) terms[term] = more;
  }
  return { total: after - before, terms };
}

/** The terms that the second plan has more of, dearest first. */
export function termsThatRise(model: CoverModel, first: Plan, second: Plan, strategy: Strategy): Term[] {
  const { terms } = termDifference(model, first, second, strategy);
  return (Object.entries(terms) as [Term, number][])
    .filter(([, points]) => points > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([term]) => term);
}
