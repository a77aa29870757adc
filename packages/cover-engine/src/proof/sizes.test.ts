/** Believable days of every size through the outside judge, and the proofs against a plain program of the whole day. */
import { coverDay, type CoverDayOptions } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem, Strategy } from '../problem.ts';
import { highs, solveDay } from './engine-under-test.ts';
import { judge } from './judge.ts';
import { judgeAnswer } from './judge-answer.ts';
import { plainMilp } from './plain-milp.ts';

const day = (seed: number, therapists: number, clients: number, more: Partial<CoverDayOptions> = {}): CoverProblem =>
  coverDay({
    ...{ seed, therapists, clients, absent: seed % 3 === 0 ? 0.2 : 0.1, hard: seed % 2 === 1 },
    ...{ now: seed % 5 === 0 ? '09:40' : null, doubleBooked: seed % 4 === 0 ? 2 : 0, groups: seed % 7 === 0 ? 0.2 : 0 },
    ...more,
  });

test.each([
  ...[
    [1, 1, 30],
    [1, 4, 30],
    [3, 2, 30],
    [6, 5, 30],
    [12, 12, 40],
    [25, 30, 12],
    [40, 45, 8],
  ],
  ...[
    [60, 50, 3],
    [100, 110, 1],
  ],
])(
  '[%i x %i] every option of every day is legal, states its true score and keeps its word',
  async (therapists, clients, days) => {
    for (let seed = 0; seed < days; seed++) {
      const problem = day(seed, therapists, clients);
      const answer = await solveDay(problem, 5);
      expect(judgeAnswer(problem, answer), `seed ${seed}`).toEqual([]);
      expect(answer.options.length, `seed ${seed}`).toBeGreaterThan(0);
      for (const o of answer.options) if (o.strategy !== 'alternative') expect(o.proven, `seed ${seed}`).toBe(true);
    }
  },
);

const STRATEGIES = ['balanced', 'fewest-changes', 'most-familiar', 'most-care', 'whole-sessions', 'bcba-free'] as const;

test.each([
  [8, 8, 24],
  [12, 14, 24],
  [20, 22, 6],
])('[%i x %i] the proven best is the best of the whole day as one plain program', async (therapists, clients, days) => {
  for (let seed = 100; seed < 100 + days; seed++) {
    const problem = day(seed, therapists, clients);
    const strategy: Strategy = STRATEGIES[seed % STRATEGIES.length] ?? 'balanced';
    const plain = (await highs()).solve(plainMilp(problem, strategy), { mip_rel_gap: 0, output_flag: false });
    const { options } = await solveDay(problem, 9);
    const least = Math.min(...options.map((o) => judge(problem, o, strategy).score.total));
    expect(least, `seed ${seed} ${strategy}`).toBe(Math.round(plain.ObjectiveValue));
  }
});
