import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { loadHighs } from '../load-highs.ts';
import { STRATEGY_ORDER } from '../strategies.ts';
import { solve } from '../solve.ts';

const highs = await loadHighs();

/**
 * Solves a day for every strategy. Returns for each option whether it is proven and its total score, and the number of
 * nodes searched.
 */
function best(seed: number, mostListed: number, mostNodes = 200): { scores: unknown; branches: number } {
  const problem = coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: true });
  let branches = 0;
  const scores = STRATEGY_ORDER.map((strategy) => {
    const fewPatterns = Math.min(250, mostListed);
    const solved = solve(problem, { highs, strategies: [strategy], mostListed, fewPatterns, mostNodes });
    if (!solved.ok) return solved.refusal;
    for (const { effort } of solved.efforts) branches += effort.branches;
    return solved.options.map((o) => [o.option.proven, o.option.score.total]);
  });
  return { scores, branches };
}

test('when the columns nearest to the bound are solved first, the same best plans are found and proven', () => {
  for (let seed = 1; seed <= 8; seed++)
    expect(best(seed, 25).scores, `seed ${seed}`).toEqual(best(seed, 100_000).scores);
});

test('when the search gives up on its integer programs, branching finds and proves the same best plans', () => {
  for (let seed = 1; seed <= 8; seed++)
    expect(best(seed, 25, 0).scores, `seed ${seed}`).toEqual(best(seed, 100_000).scores);
});

test('when no columns may be listed, branching alone finds and proves the same best plans', () => {
  let branches = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const cut = best(seed, 0);
    expect(cut.scores, `seed ${seed}`).toEqual(best(seed, 100_000).scores);
    branches += cut.branches;
  }
  expect(branches).toBeGreaterThan(20);
});
