/**
 * The search takes a cost for one that no plan has, and concludes that there is no plan when its bound reaches it. So no
 * plan may cost that much, whatever a day's points are.
 */
import { coverDay, randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { readPlan, scorePlan } from '../judge.ts';
import type { CoverProblem } from '../problem.ts';
import { neverCost } from '../search/dearest.ts';
import { solve } from '../solve.ts';
import { STRATEGY_ORDER, weightsOf } from '../strategies.ts';
import { highs, solveDay } from './engine-under-test.ts';
import { exhaustive } from './exhaustive.ts';
import { judge } from './judge.ts';
import { judgeModel } from './judge-model.ts';
import { mutate } from './mutate.ts';

/** A tiny day on which everything but time without a therapist is dear. */
function dearDay(seed: number): CoverProblem {
  const problem: CoverProblem = { ...tinyDay(seed, true), format: 'cover-problem/3', pins: [] };
  const random = randomFrom(seed);
  for (const t of problem.therapists)
    Object.assign(t, { credential: 'BCBA', call: 1000, load: random.pick([[[0, 50_000]], [[0, 1_000_000]]]) });
  for (const client of problem.clients) Object.assign(client, { priority: 0, prefers: ['a', 'b', 'c', 'd', 'e'] });
  return problem;
}

test('given random plans of dear days, none costs more than half of the cost that no plan has', () => {
  let tried = 0;
  for (let seed = 70_000; seed < 70_060; seed++) {
    const problem = dearDay(seed);
    const random = randomFrom(seed);
    const model = buildModel(problem);
    const outside = judgeModel(problem);
    const from = model.parts
      .filter((part) => part.affected)
      .map(({ session: { id } }) => ({ session: id, pieces: problem.sessions.find((s) => s.id === id)! }))
      .map(({ session, pieces: { start, end } }) => ({ session, pieces: [{ therapist: null, start, end }] }));
    for (let i = 0; i < 40; i++) {
      const sessions = mutate(random, problem, from, 3);
      if (judge(problem, { sessions }, 'balanced', outside).broken.length > 0) continue;
      tried++;
      for (const strategy of STRATEGY_ORDER) {
        const never = neverCost({ model, mustCover: null, mustPoints: 0 }, weightsOf(strategy));
        expect(2 * scorePlan(model, readPlan(model, sessions).plan, strategy).total, `seed ${seed}`).toBeLessThan(
          never,
        );
      }
    }
  }
  expect(tried).toBeGreaterThan(300);
});

// One large integer program for the whole day (`plain-milp.ts`) finds the same scores, in seconds.
test.each([
  { therapists: 10, absent: 0.3, priority: 30, seed: 13, best: 384_256 },
  { therapists: 16, absent: 0.35, priority: 50, seed: 4, best: 656_548 },
])(
  'given $therapists therapists, most of them BCBAs, the option with the fewest BCBA hours is the best',
  async ({ therapists, absent, priority, seed, best }) => {
    const problem = coverDay({ seed, therapists, clients: therapists + 2, absent });
    const random = randomFrom(seed);
    for (const t of problem.therapists) if (random.chance(0.8)) t.credential = 'BCBA';
    for (const client of problem.clients) client.priority = priority;
    const { options } = await solveDay(problem, 2, ['balanced', 'bcba-free']);
    expect(options.at(-1)).toMatchObject({ strategy: 'bcba-free', proven: true, score: { total: best } });
  },
);

test('given a stretch that only dear therapists can cover, the engine finds the cheapest plan that covers it', async () => {
  let covered = 0;
  for (let seed = 71_000; seed < 71_030; seed++) {
    const problem = dearDay(seed);
    for (const { id, start, end, service } of problem.sessions) {
      if (service === 'admin') continue;
      const mustCover = [{ session: id, start, end }];
      let best: number | null;
      try {
        best = exhaustive(problem, 'balanced', { mustCover, limit: 10_000 }).total;
      } catch {
        continue;
      }
      const solved = solve(problem, { highs: await highs(), options: 1, strategies: ['balanced'], mustCover });
      expect(solved.ok ? solved.options[0]?.option.score.total : null, `seed ${seed}, ${id}`).toBe(best);
      if (best !== null && best > 1_000_000) covered++;
    }
  }
  expect(covered).toBeGreaterThan(5);
});
