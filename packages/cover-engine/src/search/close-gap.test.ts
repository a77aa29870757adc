import { coverDay } from '@clinic/testkit';
import { expect, test, vi } from 'vitest';
import { loadHighs } from '../load-highs.ts';
import { solve } from '../solve.ts';
import { PricingGraph } from './pricing-graph.ts';

test('when no limit makes the list short enough, the search soon stops lowering the limit', async () => {
  const price = vi.spyOn(PricingGraph.prototype, 'price');
  const problem = coverDay({ seed: 5, therapists: 14, clients: 18, absent: 0.3, hard: true });
  const settings = { highs: await loadHighs(), mostListed: 0, fewPatterns: 0 };
  const solved = solve(problem, { ...settings, strategies: ['fewest-calls'] });
  expect(solved.ok && solved.options.every((o) => o.option.proven)).toBe(true);
  // The relaxations price the graphs about 200 times; lowering the limit without end would add a thousand.
  expect(price.mock.calls.length).toBeLessThan(500);
});
