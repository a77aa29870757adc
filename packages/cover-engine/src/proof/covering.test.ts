/**
 * Tests the search for the cheapest plan that covers a given gap: the engine must find the same cost as the exhaustive
 * search.
 */
import { coverDay, randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { uncoveredStretches } from '../explain/place.ts';
import { coveringOf, whatItWouldTake, type Covering, type MustCover } from '../explain/what-it-takes.ts';
import type { CoverProblem } from '../problem.ts';
import { solve } from '../solve.ts';
import { highs } from './engine-under-test.ts';
import { exhaustive } from './exhaustive.ts';
import { judge } from './judge.ts';
import { repeats } from './repeats.ts';

async function coveringPlan(problem: CoverProblem, mustCover: readonly MustCover[]): Promise<Covering> {
  const covering = coveringOf(
    solve(problem, { highs: await highs(), options: 1, strategies: ['balanced'], mustCover }),
  );
  expect(covering).not.toBe('no-time');
  return covering;
}

test('given a gap, the engine finds the cheapest plan that covers it, or no plan if none exists', async () => {
  const days = repeats(600);
  let [covered, never] = [0, 0];
  for (let seed = 80_000; seed < 80_000 + days; seed++) {
    const problem: CoverProblem = { ...tinyDay(seed, seed % 3 === 0), pins: [] };
    const solved = solve(problem, { highs: await highs(), options: 1 });
    if (!solved.ok) throw new Error(solved.refusal.detail);
    const plan = solved.options[0]?.plan ?? [];
    for (const stretch of uncoveredStretches(solved.model, plan)) {
      let asked: readonly MustCover[] = [];
      const answer = await whatItWouldTake(solved.model, plan, stretch, (p, mustCover) => {
        asked = mustCover;
        return coveringPlan(p, mustCover);
      });
      let best;
      try {
        best = exhaustive(problem, 'balanced', { mustCover: asked, limit: 50_000 }).total;
      } catch {
        continue;
      }
      expect(answer, `seed ${seed}`).toMatchObject({ possible: best !== null, proven: true });
      if (best === null) {
        never++;
        continue;
      }
      covered++;
      const verdict = judge(problem, { sessions: [...answer.sessions] }, 'balanced');
      expect(verdict, `seed ${seed}`).toMatchObject({ broken: [], score: { total: best } });
    }
  }
  expect(Math.min(covered, never)).toBeGreaterThan(days / 12);
});

test('given no time to solve, a gap is reported as impossible to cover only if it really is', async () => {
  let cut = 0;
  for (let seed = 85_000; seed < 85_300; seed++) {
    const problem: CoverProblem = { ...tinyDay(seed, true), pins: [] };
    for (const s of problem.sessions) {
      const mustCover = [{ session: s.id, start: s.start, end: s.end }];
      const asked = { highs: await highs(), options: 1, strategies: ['balanced'] as const, mustCover };
      const answer = solve(problem, { ...asked, left: () => 0 });
      if (answer.ok) continue;
      if (answer.refusal.code === 'no_time') cut++;
      else expect(solve(problem, asked), `seed ${seed} ${s.id}`).toMatchObject({ ok: false });
    }
  }
  expect(cut).toBeGreaterThan(5);
});

test('when time runs out, the result says so, and any plan in it is legal', async () => {
  let [found, none] = [0, 0];
  for (let seed = 1; seed <= 12; seed++) {
    const problem = coverDay({ seed, therapists: 16, clients: 20, absent: 0.3, hard: true });
    const solved = solve(problem, { highs: await highs(), options: 1 });
    if (!solved.ok) throw new Error(solved.refusal.detail);
    const plan = solved.options[0]?.plan ?? [];
    for (const stretch of uncoveredStretches(solved.model, plan).slice(0, 3)) {
      let asks = 0;
      const left = () => 3 - asks++;
      const cut = { highs: await highs(), options: 1, strategies: ['balanced'] as const, left };
      const answer = await whatItWouldTake(solved.model, plan, stretch, (asked, mustCover) =>
        coveringOf(solve(asked, { ...cut, mustCover })),
      );
      if (answer.proven) continue;
      if (answer.possible) {
        found++;
        expect(judge(problem, { sessions: [...answer.sessions] }, 'balanced').broken).toEqual([]);
        expect(answer.text).toContain('There may be a better way');
      } else {
        none++;
        expect(answer.text).toContain('there may be one');
        expect(answer.why?.total).toBe(16);
      }
    }
  }
  expect(found, `${none} without a plan`).toBeGreaterThan(3);
});

test('given a realistic day, the plan that covers a gap is legal, and its description mentions no points', async () => {
  const random = randomFrom(1);
  for (const seed of [4, 5, 6]) {
    const problem = coverDay({ seed, therapists: 25, clients: 30, absent: 0.25, hard: true });
    const solved = solve(problem, { highs: await highs(), options: 1 });
    if (!solved.ok) throw new Error(solved.refusal.detail);
    const plan = solved.options[0]?.plan ?? [];
    for (const stretch of random.sample(uncoveredStretches(solved.model, plan), 3)) {
      const answer = await whatItWouldTake(solved.model, plan, stretch, coveringPlan);
      expect(answer.text).not.toMatch(/point|score/);
      if (answer.possible) expect(judge(problem, { sessions: [...answer.sessions] }, 'balanced').broken).toEqual([]);
      else expect(answer.why?.total).toBe(25);
    }
  }
});
