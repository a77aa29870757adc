/** What one option gains and costs compared with another, in words that schedulers use. */
import { readPlan } from '../judge.ts';
import type { CoverModel, Plan } from '../model.ts';
import type { CoverOption } from '../problem.ts';
import { planFigures, type PlanFigures } from './figures.ts';
import { count, duration } from './words.ts';

export interface Comparison {
  /** What is better in the second plan, most important first; may be empty. */
  gains: string[];
  /** What is worse in the second plan, most important first. */
  costs: string[];
  /** Gains and costs on one line: `1 h more care, 2 sessions of other children change`. */
  text: string;
  first: PlanFigures;
  second: PlanFigures;
}

interface Measure {
  figure: keyof PlanFigures;
  /** Whether a higher or a lower figure is better. */
  better: 'more' | 'less';
  /**
   * The words when the second plan has `n` more or `n` less (`n` > 0). `from` is the first plan's figure, `to` the
   * second's.
   */
  more: (n: number, from: number) => string;
  less: (n: number, to: number) => string;
}

const otherChildren = (n: number, more: string): string =>
  n === 1 ? `1 ${more}session of another child changes` : `${n} ${more}sessions of other children change`;

/** What is compared, in order of importance: care, matches, familiar people, unaffected people, and staff's load. */
const MEASURES: readonly Measure[] = [
  {
    figure: 'uncoveredMinutes',
    better: 'less',
    more: (n) => `${duration(n)} less care`,
    less: (n) => `${duration(n)} more care`,
  },
  {
    figure: 'gaps',
    better: 'less',
    more: (n) => `${count(n, 'more gap')} inside sessions`,
    less: (n) => `${count(n, 'fewer gap')} inside sessions`,
  },
  {
    figure: 'newFaces',
    better: 'less',
    more: (n, from) => (from === 0 ? count(n, 'new face') : count(n, 'more new face')),
    less: (n, to) => (to === 0 ? 'no new faces' : count(n, 'fewer new face')),
  },
  {
    figure: 'teamMinutes',
    better: 'more',
    more: (n) => `${duration(n)} more with the care team`,
    less: (n) => `${duration(n)} less with the care team`,
  },
  {
    figure: 'swaps',
    better: 'less',
    more: (n, from) => otherChildren(n, from === 0 ? '' : 'more '),
    less: (n, to) => (to === 0 ? 'no session of another child changes' : otherChildren(n, 'fewer ')),
  },
  {
    figure: 'handovers',
    better: 'less',
    more: (n, from) => (from === 0 ? count(n, 'handover') : count(n, 'more handover')),
    less: (n, to) => (to === 0 ? 'no handovers' : count(n, 'fewer handover')),
  },
  {
    figure: 'shortVisits',
    better: 'less',
    more: (n) => `${count(n, 'more visit')} under an hour`,
    less: (n) => `${count(n, 'fewer visit')} under an hour`,
  },
  {
    figure: 'bcbaMinutes',
    better: 'less',
    more: (n) => `${duration(n)} more of BCBAs running sessions`,
    less: (n) => `${duration(n)} less of BCBAs running sessions`,
  },
  {
    figure: 'lunchMinutes',
    better: 'less',
    more: (n) => `${duration(n)} more lunch lost`,
    less: (n) => `${duration(n)} less lunch lost`,
  },
  {
    figure: 'takenMinutes',
    better: 'less',
    more: (n) => `${duration(n)} more taken from therapists who are working`,
    less: (n) => `${duration(n)} less taken from therapists who are working`,
  },
  {
    figure: 'callInMinutes',
    better: 'less',
    more: (n) => `${duration(n)} more called in on free time`,
    less: (n) => `${duration(n)} less called in on free time`,
  },
  {
    figure: 'adminMinutes',
    better: 'less',
    more: (n) => `${duration(n)} more admin time given up`,
    less: (n) => `${duration(n)} less admin time given up`,
  },
  {
    figure: 'overloadMinutes',
    better: 'less',
    more: (n) => `${duration(n)} more on people who cover a lot`,
    less: (n) => `${duration(n)} less on people who cover a lot`,
  },
  {
    figure: 'mismatchMinutes',
    better: 'less',
    more: (n) => `${duration(n)} more with a therapist who is a weaker match`,
    less: (n) => `${duration(n)} less with a therapist who is a weaker match`,
  },
  {
    figure: 'calls',
    better: 'less',
    more: (n, from) => (from === 0 ? count(n, 'call') : count(n, 'more call')),
    less: (n, to) => (to === 0 ? 'no calls' : count(n, 'fewer call')),
  },
  {
    figure: 'notInYet',
    better: 'less',
    more: (n) => `${count(n, 'more call')} to ${n === 1 ? 'someone' : 'people'} not in yet`,
    less: (n) => `${count(n, 'fewer call')} to ${n === 1 ? 'someone' : 'people'} not in yet`,
  },
  {
    figure: 'helpers',
    better: 'less',
    more: (n) => `${count(n, 'more person helps', 'more people help')}`,
    less: (n) => `${count(n, 'fewer person helps', 'fewer people help')}`,
  },
];

/** How many sessions have different pieces in the two plans. */
function sessionsThatDiffer(model: CoverModel, a: Plan, b: Plan): number {
  const differ = model.parts.filter((p) => JSON.stringify(a[p.index]) !== JSON.stringify(b[p.index]));
  return new Set(differ.map((p) => p.session.index)).size;
}

/** Compares two plans of one problem in words: hours, changes and new faces, but never points. */
export function comparePlans(model: CoverModel, a: Plan, b: Plan): Comparison {
  const [first, second] = [planFigures(model, a), planFigures(model, b)];
  const gains: string[] = [];
  const costs: string[] = [];
  for (const { figure, better, more, less } of MEASURES) {
    const n = second[figure] - first[figure];
    if (n === 0) continue;
    const words = n > 0 ? more(n, first[figure]) : less(-n, second[figure]);
    (n > 0 === (better === 'more') ? gains : costs).push(words);
  }
  const others = sessionsThatDiffer(model, a, b);
  const same = others === 0 ? 'The same plan' : `Different people in ${count(others, 'session')}, otherwise the same`;
  // A column's header has room for two gains and two costs; the lists hold all of them.
  const told = [...gains.slice(0, 2), ...costs.slice(0, 2)];
  return { gains, costs, text: told.length > 0 ? told.join(', ') : same, first, second };
}

/** What an option gains and costs compared with Option 1. */
export function compareOptions(
  model: CoverModel,
  option1: Pick<CoverOption, 'sessions'>,
  option: Pick<CoverOption, 'sessions'>,
): Comparison {
  return comparePlans(model, readPlan(model, option1.sessions).plan, readPlan(model, option.sessions).plan);
}
