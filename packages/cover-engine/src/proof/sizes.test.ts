/**
 * Realistic days of every size, checked by the independent checker. The proofs are checked against one plain integer
 * program for the whole day.
 */
import { coverDay, type CoverDayOptions } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem, Strategy } from '../problem.ts';
import { highs, solveDay } from './engine-under-test.ts';
import { heldTo } from './answer-faults.ts';
import { judge } from './judge.ts';
import { judgeAnswer } from './judge-answer.ts';
import { JUDGE_STRATEGIES } from './judge-model.ts';
import { plainMilp } from './plain-milp.ts';

const day = (seed: number, therapists: number, clients: number, more: Partial<CoverDayOptions> = {}): CoverProblem =>
  coverDay({
    seed,
    therapists,
    clients,
    absent: seed % 3 === 0 ? 0.2 : 0.1,
    hard: seed % 2 === 1,
    now: seed % 5 === 0 ? '09:40' : null,
    doubleBooked: seed % 4 === 0 ? 2 : 0,
    groups: seed % 7 === 0 ? 0.2 : 0,
    trade: seed % 2 === 0,
    ...more,
  });

test.each([
  [1, 1, 30],
  [1, 4, 30],
  [3, 2, 30],
  [6, 5, 30],
  [12, 12, 40],
  [25, 30, 4],
  [40, 45, 3],
  [60, 50, 1],
])(
  'given %i therapists and %i clients, every option of every day is legal, states its true score and is proven',
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

const STRATEGIES = (Object.keys(JUDGE_STRATEGIES) as Strategy[]).filter((s) => s !== 'alternative');

test.each([
  [8, 8, 24],
  [12, 14, 24],
  [20, 22, 6],
])(
  'given %i therapists and %i clients, the best option has the same score as one large integer program for the whole day',
  async (therapists, clients, days) => {
    for (let seed = 100; seed < 100 + days; seed++) {
      const problem = day(seed, therapists, clients);
      const strategy: Strategy = STRATEGIES[seed % STRATEGIES.length] ?? 'balanced';
      const { options } = await solveDay(problem, 9);
      const first = judge(problem, options[0] ?? { sessions: [] }, 'balanced');
      const held = heldTo(first, strategy);
      const plain = (await highs()).solve(plainMilp(problem, strategy, held), { mip_rel_gap: 0, output_flag: false });
      const keeping = options
        .map((o) => judge(problem, o, strategy, undefined, first))
        .filter((v) => v.broken.length === 0);
      const least = Math.min(...keeping.map((v) => v.score.total));
      expect(least, `seed ${seed} ${strategy}`).toBe(Math.round(plain.ObjectiveValue));
    }
  },
);
