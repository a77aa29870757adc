import { readdirSync, readFileSync } from 'node:fs';
import { loadHighs } from '@clinic/cover-engine/highs';
import { expect, test } from 'vitest';
import type { WeeksAnswer } from '../answer.ts';
import { solveWeeks } from '../solve.ts';
import { judge, type JsonOption, type JsonProblem } from './judge.ts';

const folder = new URL('../../fixtures/', import.meta.url);
const STRATEGIES = ['balanced', 'most-covered', 'fewest-faces', 'one-person'];
const POINTS = { open: 100, strange: 100_000, persons: 100_000 };
const UNITS = { 'most-covered': 'open', 'fewest-faces': 'strange', 'one-person': 'persons' } as const;

interface Fixture {
  problem: JsonProblem;
  best: number[];
}
const fixtures = readdirSync(folder).map((name): [string, Fixture] => [
  name,
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Fixture,
]);

const solve = (problem: JsonProblem, more = {}): Promise<WeeksAnswer> =>
  solveWeeks(problem, { highs: loadHighs, left: () => 120, options: 5, ...more });

test.each(fixtures)(
  'given %s, then every option is proven, has its known best score, and breaks no rule',
  async (_name, f) => {
    const options: JsonOption[] = (await solve(f.problem)).options;
    const judged = judge(f.problem, options);
    expect(judged.map(({ broken }) => broken)).toEqual(options.map(() => []));
    expect(options.every(({ proven }) => proven)).toBe(true);
    if (!f.problem.series) return expect(judged.map(({ total }) => total)).toEqual(f.best);
    const reached = STRATEGIES.map((strategy) => {
      const at = options.findIndex((o) => o.strategy === strategy);
      if (at >= 0) return judged[at]!.total;
      // Left out, since another option is as good under this strategy.
      const unit = UNITS[strategy as keyof typeof UNITS];
      const base = judged.map(({ total, units }, i) => {
        const own = UNITS[options[i]!.strategy as keyof typeof UNITS];
        return total - (own ? POINTS[own] * units[own] : 0) + POINTS[unit] * units[unit];
      });
      return Math.min(...base);
    });
    return expect(reached).toEqual(f.best);
  },
);

test('given the same problem twice, then both answers are identical', async () => {
  for (const [, { problem }] of fixtures) expect(await solve(problem)).toEqual(await solve(problem));
});

test('given a strategy, then only Option 1 and the option of that strategy are returned', async () => {
  const { problem } = fixtures.find(([name]) => name === 'standing-two-leaves.json')![1];
  const { options } = await solve(problem, { strategy: 'one-person' });
  expect(options).toMatchObject([{ strategy: 'balanced' }, { strategy: 'one-person' }]);
  expect((await solve(problem, { options: 1 })).options).toHaveLength(1);
});

test('given no time, or time that ends at any step, then the answer keeps all rules and its bound is not above the best', async () => {
  for (const [name, { problem, best }] of fixtures)
    for (const steps of [0, 1, 30, 1000, 20_000]) {
      let left = steps;
      const answer = await solve(problem, { left: () => left-- });
      const options: JsonOption[] = answer.options;
      const judged = judge(problem, options);
      expect(
        judged.map(({ broken }) => broken),
        `${name} after ${steps}`,
      ).toEqual(options.map(() => []));
      if (problem.wanted) expect(options.length > 0 || answer.unfinished).toBeTruthy();
      else expect(options[0]!.bound).toBeLessThanOrEqual(best[0]!);
      if (options[0]?.proven) expect(judged[0]!.total).toBe(best[0]!);
    }
});

test('given an answer, then it says whom the client knows, what a second choice costs, and why dates are open', async () => {
  const { problem } = fixtures.find(([name]) => name === 'standing-two-leaves.json')![1];
  const { options } = await solve(problem);
  const series = options.flatMap((o) => ('series' in o ? o.series : []));
  const seconds = series.flatMap((s) => s.why.runs.flatMap((run) => run?.second ?? []));
  expect(seconds.length).toBeGreaterThan(0);
  // Option 1 is proven: no change of one therapist makes it better.
  const first =
    'series' in options[0]! ? options[0].series.flatMap((s) => s.why.runs.flatMap((r) => r?.second ?? [])) : [];
  expect(first.every(({ points }) => points >= 0)).toBe(true);
  for (const { runs, why, series: id } of series) {
    const dates = problem.series!.find((s) => s.id === id)!.dates;
    const open = dates.filter((d) =>
      runs.some((r) => r.from <= d && d <= r.to && (!r.therapist || r.open?.includes(d))),
    );
    expect(why.open?.dates ?? []).toEqual(open);
    expect(why.runs.map((run) => run === null)).toEqual(runs.map(({ therapist }) => therapist === null));
    if (!why.open) continue;
    const reasons = Object.values(why.open.mayNot).reduce((a, b) => a + b, 0);
    expect(reasons + why.open.notAble + why.open.able.length).toBe(problem.therapists.length);
  }
});
