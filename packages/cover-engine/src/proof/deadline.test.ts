/** At any deadline: a legal plan, a valid bound, and no false proof. Here the clock stops on a count. */
import { coverDay, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem } from '../problem.ts';
import { solve, toAnswer } from '../solve.ts';
import { highs } from './engine-under-test.ts';
import { heldTo } from './answer-faults.ts';
import { exhaustive } from './exhaustive.ts';
import { judge } from './judge.ts';
import { judgeAnswer } from './judge-answer.ts';

/** Time is up after the engine has asked this many times. */
function strikesAfter(asked: number): () => number {
  let left = asked;
  return () => (left-- > 0 ? 60 : 0);
}

const STRIKES = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55];

test("whenever time runs out, a tiny day's plans are legal and its bounds are valid", async () => {
  let unproven = 0;
  for (let seed = 90_000; seed < 90_150; seed++) {
    const problem: CoverProblem = { ...tinyDay(seed, true), pins: [] };
    const best = new Map<string, number | null>();
    for (const asked of STRIKES) {
      const answer = toAnswer(solve(problem, { highs: await highs(), options: 6, left: strikesAfter(asked) }));
      expect(answer.options.length, `seed ${seed}, struck after ${asked}`).toBeGreaterThan(0);
      expect(judgeAnswer(problem, answer), `seed ${seed}, struck after ${asked}`).toEqual([]);
      const first = judge(problem, answer.options[0] ?? { sessions: [] }, 'balanced');
      for (const { strategy, bound, proven, score } of answer.options) {
        if (strategy === 'alternative' || bound === null) continue;
        const held = heldTo(first, strategy);
        const key = `${strategy} ${JSON.stringify(held)}`;
        if (!best.has(key)) best.set(key, exhaustive(problem, strategy, { held }).total);
        expect(bound, `seed ${seed}, struck after ${asked}: ${strategy}`).toBeLessThanOrEqual(best.get(key) ?? 0);
        if (proven) expect(score.total).toBe(best.get(key));
        else unproven++;
      }
    }
  }
  expect(unproven).toBeGreaterThan(20);
});

test.each([
  [40, 45, 12],
  [100, 110, 2],
])(
  '[%i x %i] whenever time runs out, the current plan is legal and its bound valid',
  async (therapists, clients, days) => {
    for (let seed = 1; seed <= days; seed++) {
      const problem = coverDay({ seed, therapists, clients, absent: 0.2, hard: seed % 2 === 0 });
      let [plan, bound] = [Infinity, -Infinity];
      for (const asked of STRIKES) {
        const answer = toAnswer(solve(problem, { highs: await highs(), options: 2, left: strikesAfter(asked) }));
        expect(judgeAnswer(problem, answer), `seed ${seed}, struck after ${asked}`).toEqual([]);
        const first = answer.options[0];
        plan = Math.min(plan, first?.score.total ?? Infinity);
        bound = Math.max(bound, first?.bound ?? -Infinity);
        // Any bound from one run lies below any plan from another.
        expect(bound, `seed ${seed}, struck after ${asked}`).toBeLessThanOrEqual(plan);
      }
    }
  },
);
