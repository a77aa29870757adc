/** Tests a refresh, which solves the day again with choices from an earlier solve pinned. */
import { randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem, Pin } from '../problem.ts';
import { solveDay } from './engine-under-test.ts';
import { heldTo } from './answer-faults.ts';
import { exhaustive } from './exhaustive.ts';
import { judge } from './judge.ts';
import { judgeAnswer } from './judge-answer.ts';
import { JUDGE_STRATEGIES } from './judge-model.ts';
import { mutate } from './mutate.ts';
import { repeats } from './repeats.ts';

test('given pins from an earlier option, the pins are kept exactly, and the rest of the plan is the best possible with these pins', async () => {
  const days = repeats(1000);
  let pinned = 0;
  for (let seed = 30_000; seed < 30_000 + days; seed++) {
    const day: CoverProblem = { ...tinyDay(seed), pins: [] };
    const random = randomFrom(seed);
    const { options } = await solveDay(day, 5);
    const pins: Pin[] = random.sample(random.pick(options).sessions, random.int(1, 2));
    const problem = { ...day, pins };
    const best = exhaustive(problem, 'balanced', { limit: 50_000 }).total;
    const answer = await solveDay(problem, 5);
    expect(answer.refused, `seed ${seed}`).toBeUndefined();
    expect(judgeAnswer(problem, answer), `seed ${seed}`).toEqual([]);
    expect(answer.options[0]?.score.total, `seed ${seed}`).toBe(best);
    expect(answer.options[0]?.proven, `seed ${seed}`).toBe(true);
    if (pins.length > 0) pinned++;
  }
  expect(pinned).toBeGreaterThan(days / 2);
});

test('given arbitrary pins, the engine accepts them exactly when some plan keeps them, and otherwise refuses and names the clash', async () => {
  let [taken, refused] = [0, 0];
  const days = repeats(1000);
  for (let seed = 40_000; seed < 40_000 + days; seed++) {
    const day: CoverProblem = { ...tinyDay(seed), pins: [] };
    const random = randomFrom(seed);
    const sessions = mutate(random, day, exhaustive(day, 'balanced').sessions, random.int(0, 2));
    const known = sessions.filter((s, i) => sessions.findIndex((x) => x.session === s.session) === i);
    const therapists = new Set([null, ...day.therapists.map((t) => t.id)]);
    const pins = random
      .sample(known, random.int(1, 3))
      .filter((s) => s.pieces.every((p) => p.start < p.end && therapists.has(p.therapist)));
    const problem = { ...day, pins };
    const best = exhaustive(problem, 'balanced', { limit: 50_000 }).total;
    const answer = await solveDay(problem, 1);
    if (best === null) {
      refused++;
      expect(answer, `seed ${seed}`).toMatchObject({ options: [], refused: { code: expect.any(String) as string } });
      expect(answer.refused?.detail).not.toBe('');
      expect(answer.refused?.conflicts?.length, `seed ${seed}`).toBeGreaterThan(0);
    } else {
      taken++;
      expect(answer.options[0]?.score.total, `seed ${seed}: ${answer.refused?.detail ?? ''}`).toBe(best);
    }
  }
  expect(Math.min(taken, refused)).toBeGreaterThan(days / 10);
});

test('given pins, the options include the best possible score for each strategy', async () => {
  for (let seed = 45_000; seed < 45_000 + repeats(300); seed++) {
    const day: CoverProblem = { ...tinyDay(seed), pins: [] };
    const { options } = await solveDay(day, 2);
    const problem = { ...day, pins: randomFrom(seed).sample(options.at(-1)?.sessions ?? [], 1) };
    const answer = await solveDay(problem, 9);
    const first = judge(problem, answer.options[0] ?? { sessions: [] }, 'balanced');
    for (const strategy of Object.keys(JUDGE_STRATEGIES).slice(0, 6) as (keyof typeof JUDGE_STRATEGIES)[]) {
      const best = exhaustive(problem, strategy, { limit: 50_000, held: heldTo(first, strategy) }).total;
      const keeping = answer.options
        .map((o) => judge(problem, o, strategy, undefined, first))
        .filter((v) => v.broken.length === 0);
      const least = Math.min(...keeping.map((v) => v.score.total));
      expect(least, `seed ${seed} ${strategy}`).toBe(best);
    }
  }
});
