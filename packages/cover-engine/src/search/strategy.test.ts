import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { scorePlan } from '../judge.ts';
import { loadHighs } from '../load-highs.ts';
import type { Strategy } from '../problem.ts';
import { solve } from '../solve.ts';
import { buildInstance } from './instance.ts';
import { knownMostCare } from './strategy.ts';

const highs = await loadHighs();

function solved(seed: number, strategies: Strategy[]) {
  const problem = coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: true });
  const result = solve(problem, { highs, strategies });
  if (!result.ok) throw new Error(result.refusal.detail);
  return result;
}

test('after Option 1, most care needs no program of its own, and is as good as when it is searched alone', () => {
  let [without, better] = [0, 0];
  for (let seed = 1; seed <= 12; seed++) {
    const [alone] = solved(seed, ['most-care']).options;
    const both = solved(seed, ['balanced', 'most-care']);
    expect(both.options.every((o) => o.option.proven)).toBe(true);
    const scores = both.options.map((o) => scorePlan(both.model, o.plan, 'most-care').total);
    expect(Math.min(...scores), `seed ${seed}`).toBe(alone?.option.score.total);
    if (both.efforts.at(-1)?.effort.finishes === 0) without++;
    if (both.options.length > 1) better++;
  }
  expect(without).toBeGreaterThan(6);
  expect(better).toBeGreaterThan(0);
});

test('what is known of most care without a search is never above the cost of its best plan', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { model, options } = solved(seed, ['balanced', 'most-care']);
    const [one, most = one] = options;
    const first = { plan: one!.plan, bound: one!.option.score.total, relaxed: -Infinity, basis: null };
    const none = { kept: { columns: [], rows: [] }, handed: new Map() };
    const { known } = knownMostCare(buildInstance(model, null), 'most-care', { ...first, ...none }, []);
    expect(known.bound, `seed ${seed}`).toBeLessThanOrEqual(scorePlan(model, most!.plan, 'most-care').total);
  }
});
