/** The same input gives the same output; hostile problems get a plan or a clear refusal. */
import { coverDay, hostileDays, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem } from '../problem.ts';
import { solveDay } from './engine-under-test.ts';
import { judgeAnswer } from './judge-answer.ts';

test('given the same problem twice, the results are equal byte for byte, whatever was solved in between', async () => {
  const days = [
    ...Array.from({ length: 60 }, (_, i) => tinyDay(60_000 + i, true)),
    ...[1, 2, 3].map((seed) => coverDay({ seed, therapists: 25, clients: 28, absent: 0.15, hard: seed === 2 })),
  ];
  const first: string[] = [];
  for (const problem of days) first.push(JSON.stringify(await solveDay(problem, 5)));
  for (const [i, problem] of [...days.entries()].reverse())
    expect(JSON.stringify(await solveDay(structuredClone(problem), 5)), `day ${i}`).toBe(first[i]);
});

test('when the engine solves a problem, it leaves the problem unchanged', async () => {
  for (let seed = 61_000; seed < 61_100; seed++) {
    const problem = tinyDay(seed);
    const before = JSON.stringify(problem);
    await solveDay(problem, 5);
    expect(JSON.stringify(problem)).toBe(before);
  }
});

test.each(hostileDays().map((h) => [h.name, h] as const))(
  'given a hostile day (%s), the engine returns legal plans or a clear refusal',
  async (_, { problem, expect: wanted }) => {
    const answer = await solveDay(problem, 5);
    if (wanted === 'plan') expect(answer.refused).toBeUndefined();
    if (wanted === 'refusal') expect(answer.refused).toBeDefined();
    if (answer.refused) {
      expect(answer.options).toEqual([]);
      expect(answer.refused.code).toMatch(/^[a-z_-]+$/);
      expect(answer.refused.detail.length).toBeGreaterThan(10);
    } else {
      expect(answer.options.length).toBeGreaterThan(0);
      expect(judgeAnswer(problem as CoverProblem, answer)).toEqual([]);
    }
  },
);
