import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { loadHighs } from '../load-highs.ts';
import { solve } from '../solve.ts';

const highs = await loadHighs();

test('when Option 1 has the fewest calls, a relaxation proves it without a program', () => {
  const problem = coverDay({ seed: 16, therapists: 12, clients: 12, absent: 0.1 });
  const solved = solve(problem, { highs, strategies: ['balanced', 'fewest-calls'] });
  if (!solved.ok) throw new Error(solved.refusal.detail);
  // Fewest calls is left out, since it is sure that no plan is better than Option 1's.
  expect(solved.options.map(({ option }) => [option.strategy, option.proven])).toEqual([['balanced', true]]);
  const { effort } = solved.efforts.find(({ strategy }) => strategy === 'fewest-calls')!;
  expect(effort.rounds).toBeGreaterThan(0);
  expect(effort.finishes).toBe(0);
});
