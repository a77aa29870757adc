import { uniformDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { highs } from '../proof/engine-under-test.ts';
import { judgeAnswer } from '../proof/judge-answer.ts';
import { solve, toAnswer } from '../solve.ts';

test('given a uniform day, the search for alternatives starts from the strategies’ columns', async () => {
  const problem = uniformDay({ seed: 7007, therapists: 21, spare: 2, away: 3, knows: 20, shifts: true });
  const solved = solve(problem, { highs: await highs(), options: 5 });
  if (!solved.ok) throw new Error(solved.refusal.detail);
  expect(judgeAnswer(problem, toAnswer(solved))).toEqual([]);
  const efforts = solved.efforts.filter((e) => e.strategy === 'alternative').map((e) => e.effort);
  expect(efforts.length).toBeGreaterThan(1);
  for (const { rounds } of efforts)
    // Before the search reused the strategies' columns, these alternatives took 33 and 49 rounds.
    expect(rounds).toBeLessThan(20);
});
