import { coverDay, randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem } from './problem.ts';
import type { KnownDay } from './known-day.ts';
import type { LaterWork } from './later.ts';
import { highs } from './proof/engine-under-test.ts';
import { judgeAnswer } from './proof/judge-answer.ts';
import type { Outcome } from './search/column-generation.ts';
import { helpSolve, solve, toAnswer } from './solve.ts';

/** Helpers that are so quick that some searches are done when they are offered; a few of them are given back. */
async function quickHelpers(problem: CoverProblem, seed: number) {
  const random = randomFrom(seed);
  const solver = await highs();
  const done = { offers: 0, used: 0, givenBack: 0 };
  const offer = (work: LaterWork) => {
    done.offers++;
    // Between threads, everything is copied.
    const sent = structuredClone(work);
    const helped = new Set(sent.order.filter(() => random.chance(0.6)));
    const todo = sent.order.filter((i) => helped.has(i));
    const results = new Map<number, Outcome>();
    const left = () => 100_000;
    helpSolve(problem, { highs: solver, left }, sent, {
      next: () => todo.shift() ?? null,
      give: (i, outcome) => void results.set(i, structuredClone(outcome)),
      threads: () => 2,
      unclaimed: () => todo.length,
    });
    return {
      claim: (i: number) => !helped.has(i),
      result: (i: number) => {
        if (random.chance(0.2)) {
          done.givenBack++;
          return null;
        }
        done.used++;
        return results.get(i) ?? null;
      },
      threads: () => 2,
      unclaimed: () => 1,
      end: () => undefined,
    };
  };
  return { helpers: { offer }, done };
}

const days: [string, (seed: number) => CoverProblem, number][] = [
  ['tiny days', (seed) => tinyDay(seed, true), 40],
  ['hard days', (seed) => coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: true }), 8],
  ['ordinary days', (seed) => coverDay({ seed, therapists: 40, clients: 45, absent: 0.1 }), 2],
];

test.each(days)('on %s, whichever searches other threads do, the answer is the same', async (_, day, count) => {
  let [used, givenBack] = [0, 0];
  for (let seed = 1; seed <= count; seed++) {
    const problem = day(seed);
    const alone = solve(problem, { highs: await highs() });
    const { helpers, done } = await quickHelpers(problem, seed);
    const helped = solve(problem, { highs: await highs(), helpers });
    expect(toAnswer(helped), `seed ${seed}`).toEqual(toAnswer(alone));
    // The searches themselves are the same too, down to each round.
    expect(helped, `seed ${seed}`).toMatchObject(alone.ok ? { efforts: alone.efforts } : {});
    used += done.used;
    givenBack += done.givenBack;
  }
  expect(used).toBeGreaterThan(count / 4);
  expect(givenBack).toBeGreaterThan(0);
});

test('whichever searches other threads do, the solve knows the same afterwards, and a solve with pins is the same with it', async () => {
  let used = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const day = coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: true });
    const known: KnownDay[] = [];
    const onKnown = (each: KnownDay) => void known.push(each);
    const free = toAnswer(solve(day, { highs: await highs(), onKnown }));
    solve(day, { highs: await highs(), onKnown, helpers: (await quickHelpers(day, seed)).helpers });
    expect(known[1], `seed ${seed}`).toEqual(known[0]);
    const problem = { ...day, pins: free.options.at(-1)!.sessions.slice(0, 1) };
    const { helpers, done } = await quickHelpers(problem, seed);
    const knownDay = () => structuredClone(known[0]!);
    const helped = solve(problem, { highs: await highs(), knownDay, helpers });
    const alone = solve(problem, { highs: await highs(), knownDay });
    expect(toAnswer(helped), `seed ${seed}`).toEqual(toAnswer(alone));
    expect(helped, `seed ${seed}`).toMatchObject(alone.ok ? { efforts: alone.efforts } : {});
    used += done.used;
  }
  expect(used).toBeGreaterThan(0);
});

test('given strategies that are searched twice, what other threads find is legal, with valid bounds', async () => {
  let again = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const problem = coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: true });
    const best = toAnswer(solve(problem, { highs: await highs() })).options[0]!.score.total;
    for (const readings of [12, 25]) {
      let read = 0;
      // The clock stalls five times, after so many readings each, and the search of that moment loses all its time.
      const stalls = () => 100_000 * 0.4 ** Math.min(5, Math.floor(read++ / readings));
      const { helpers, done } = await quickHelpers(problem, seed);
      const answer = toAnswer(solve(problem, { highs: await highs(), left: stalls, helpers }));
      expect(judgeAnswer(problem, answer), `seed ${seed}, every ${readings}`).toEqual([]);
      if (done.offers > 1) again++;
      expect(answer.options[0]?.bound, `seed ${seed}, every ${readings}`).toBeLessThanOrEqual(best);
    }
  }
  expect(again).toBeGreaterThan(1);
});

test('given time that must be covered, of which other threads do not know, they are not asked to help', async () => {
  let covered = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const problem = tinyDay(seed, true);
    const { sessions } = problem;
    const mustCover = sessions.slice(0, 2).map(({ id, start, end }) => ({ session: id, start, end }));
    const alone = solve(problem, { highs: await highs(), mustCover });
    const { helpers, done } = await quickHelpers(problem, seed);
    const helped = solve(problem, { highs: await highs(), mustCover, helpers });
    expect(toAnswer(helped), `seed ${seed}`).toEqual(toAnswer(alone));
    expect(done.offers).toBe(0);
    if (alone.ok) covered++;
  }
  expect(covered).toBeGreaterThan(2);
});
