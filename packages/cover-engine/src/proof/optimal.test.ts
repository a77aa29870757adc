/**
 * Compares the engine with the exhaustive search: many tiny days, every strategy, and every claim in an answer.
 */
import { tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { alternativeFaults, answerFaults } from './answer-faults.ts';
import { solveDay } from './engine-under-test.ts';
import { repeats } from './repeats.ts';

test.each([
  ['tiny days', repeats(3000), 0, false],
  ['larger ones', repeats(600), 50_000, true],
])('on %s, the engine finds the best plan for every strategy and proves it', async (_, days, first, larger) => {
  let left = 0;
  for (let seed = first; seed < first + days; seed++) {
    const problem = tinyDay(seed, larger);
    const faults = answerFaults(problem, await solveDay(problem, 9));
    if (faults === null) left++;
    else expect(faults, `seed ${seed}`).toEqual([]);
  }
  expect(left).toBeLessThan(days / 20);
});

test('when the engine’s integer programs must be small, it finds and proves the same best plans as the exhaustive solver', async () => {
  for (let seed = 30_000; seed < 30_000 + repeats(400); seed++) {
    const problem = tinyDay(seed, seed % 4 === 0);
    const faults = answerFaults(problem, await solveDay(problem, 9, undefined, { mostListed: 10 }));
    if (faults) expect(faults, `seed ${seed}`).toEqual([]);
  }
});

test('alternatives are listed exactly when any exist, and each is the cheapest possible', async () => {
  const days = repeats(400);
  let [given, none, left] = [0, 0, 0];
  for (let seed = 10_000; seed < 10_000 + days; seed++) {
    const problem = { ...tinyDay(seed), pins: [] };
    const answer = await solveDay(problem, 9, undefined, seed % 3 === 0 ? { mostListed: 10 } : {});
    const faults = alternativeFaults(problem, answer);
    if (faults === null) left++;
    else expect(faults, `seed ${seed}`).toEqual([]);
    if (answer.options.some((o) => o.strategy === 'alternative')) given++;
    if (answer.options.length < 3) none++;
  }
  expect(Math.min(given, none)).toBeGreaterThan(days / 20);
  expect(left).toBeLessThan(days / 10);
});

test('when fewer options are requested, the engine returns at most that many, and the score of Option 1 does not change', async () => {
  for (let seed = 20_000; seed < 20_000 + repeats(100); seed++) {
    const problem = { ...tinyDay(seed), pins: [] };
    const all = await solveDay(problem, 9);
    for (const most of [1, 2, 3]) {
      const few = await solveDay(problem, most);
      expect(few.options.length, `seed ${seed}`).toBe(Math.min(most, all.options.length));
      expect(few.options[0]?.score).toEqual(all.options[0]?.score);
    }
  }
});
