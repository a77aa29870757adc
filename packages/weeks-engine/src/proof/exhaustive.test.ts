import { loadHighs } from '@clinic/cover-engine/highs';
import { expect, test } from 'vitest';
import { solveWeeks } from '../solve.ts';
import { bestMakeup, bestStanding, bestTimes } from './exhaustive.ts';
import { judge, type JsonOption, type JsonProblem } from './judge.ts';
import { smallMakeup, smallStanding, smallTimes } from './small-problems.ts';

const solve = async (problem: JsonProblem): Promise<JsonOption[]> => {
  const answer = await solveWeeks(problem, { highs: loadHighs, left: () => 60, options: 5 });
  expect(answer).not.toHaveProperty('refused');
  expect(answer).not.toHaveProperty('unfinished');
  const options: JsonOption[] = answer.options;
  for (const { broken } of judge(problem, options)) expect(broken).toEqual([]);
  for (const { proven } of options) expect(proven).toBe(true);
  return options;
};

const LEADS = [
  { strategy: 'balanced', unit: 'open', points: 0, held: false },
  { strategy: 'most-covered', unit: 'open', points: 100, held: false },
  { strategy: 'fewest-faces', unit: 'strange', points: 100_000, held: true },
  { strategy: 'one-person', unit: 'persons', points: 100_000, held: true },
] as const;
const NO_WEIGHTS = { open: 0, strange: 0, persons: 0 };

test('given 40 small standing ranges, when each strategy is solved, then its best score is that of an exhaustive search', async () => {
  let [differing, covered] = [0, 0];
  for (let seed = 0; seed < 40; seed++) {
    const problem = smallStanding(seed);
    const options = await solve(problem);
    const judged = judge(problem, options);
    const base = judged.map(({ total, units }, i) => {
      const lead = LEADS.find(({ strategy }) => strategy === options[i]!.strategy)!;
      return { total: total - lead.points * units[lead.unit], units };
    });
    for (const { strategy, unit, points, held } of LEADS) {
      const mostOpen = held ? judged[0]!.units.open : Infinity;
      const best = bestStanding(problem, { ...NO_WEIGHTS, [unit]: points, mostOpen });
      const own = options.findIndex((o) => o.strategy === strategy);
      const earlier = base.slice(0, own < 0 ? base.length : own).map((b) => b.total + points * b.units[unit]);
      if (own < 0) expect(Math.min(...earlier), `seed ${seed} ${strategy}`).toBe(best);
      else {
        expect(judged[own]!.total, `seed ${seed} ${strategy}`).toBe(best);
        expect(Math.min(Infinity, ...earlier), 'an option that differs in nothing').toBeGreaterThan(best);
      }
    }
    if (options.length > 1) differing++;
    if (judged[0]!.units.open === 0) covered++;
  }
  expect(differing).toBeGreaterThan(5);
  expect(covered).toBeLessThan(35);
});

test('given 40 small searches for times, then every option is the cheapest that differs enough from those before', async () => {
  let found = 0;
  for (let seed = 0; seed < 40; seed++) {
    const problem = smallTimes(seed);
    const options = await solve(problem);
    found += options.length;
    for (let i = 0; i <= options.length && i < 5; i++) {
      const best = bestTimes(problem, options.slice(0, i));
      expect(options[i]?.score?.total ?? Infinity, `seed ${seed}, option ${i + 1}`).toBe(best);
    }
  }
  expect(found).toBeGreaterThan(40);
});

test('given 40 small lists of lost time, then the pieces have the score of an exhaustive search', async () => {
  let pieces = 0;
  for (let seed = 0; seed < 40; seed++) {
    const problem = smallMakeup(seed);
    const [option] = await solve(problem);
    pieces += option?.pieces?.length ?? 0;
    expect(option?.score?.total, `seed ${seed}`).toBe(bestMakeup(problem));
  }
  expect(pieces).toBeGreaterThan(20);
});
