import { expect, test } from 'vitest';
import type { Strategy } from './problem.ts';
import { noEffort } from './search/prove.ts';
import { nearestFirst, type Unproven } from './shares.ts';

const unproven = (strategy: Strategy, bound: number, relaxed: number): Unproven => ({
  strategy,
  outcome: { plan: [], cost: 100, bound, proven: false, effort: { ...noEffort(), relaxed }, basis: null },
});

test('a finished relaxation is searched again first, then the smallest gap, and Option 1 last', () => {
  const all = [
    unproven('balanced', 99, 99),
    unproven('fewest-calls', 50, -Infinity),
    unproven('bcba-free', 90, -Infinity),
    unproven('fewest-faces', 70, 70),
    unproven('whole-sessions', 80, 80),
  ];
  expect(all.sort(nearestFirst).map(({ strategy }) => strategy)).toEqual([
    'whole-sessions',
    'fewest-faces',
    'bcba-free',
    'fewest-calls',
    'balanced',
  ]);
});
