import { randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem, Strategy } from '../problem.ts';
import { exhaustive } from './exhaustive.ts';
import { judge } from './judge.ts';
import { JUDGE_STRATEGIES, judgeModel } from './judge-model.ts';
import { mutate } from './mutate.ts';
import { repeats } from './repeats.ts';

const STRATEGIES = Object.keys(JUDGE_STRATEGIES) as Strategy[];

test('given a tiny day, the exhaustive solver returns a legal plan with the score it states, and no random legal plan is cheaper', () => {
  const days = repeats(1500);
  let tried = 0;
  for (let seed = 0; seed < days; seed++) {
    const problem = tinyDay(seed);
    const random = randomFrom(seed);
    const strategy = random.pick(STRATEGIES);
    const best = exhaustive(problem, strategy);
    if (best.total === null) continue;
    const outside = judgeModel(problem);
    const verdict = judge(problem, best, strategy, outside);
    expect(verdict, `seed ${seed}`).toMatchObject({ broken: [], score: { total: best.total } });
    for (let i = 0; i < 20; i++) {
      const other = judge(problem, { sessions: mutate(random, problem, best.sessions, 2) }, strategy, outside);
      if (other.broken.length > 0) continue;
      tried++;
      expect(other.score.total, `seed ${seed}`).toBeGreaterThanOrEqual(best.total);
    }
  }
  expect(tried).toBeGreaterThan(days);
});

/** C1's therapist is away. Only T2 may serve C1, but T2 is with C2, and T3 knows C2. */
const chain: CoverProblem = {
  format: 'cover-problem/1',
  date: '2026-11-20',
  location: 'altamonte',
  therapists: ['T1', 'T2', 'T3'].map((id) => ({
    id,
    name: id,
    credential: 'RBT',
    gender: 'Female',
    available: [['08:00', '13:00']],
  })),
  clients: [
    { id: 'C1', name: 'C1', knownOnly: true, knows: { T1: 'team', T2: 'team' } },
    { id: 'C2', name: 'C2', knows: { T2: 'team', T3: 'team' } },
  ],
  sessions: ['C1', 'C2'].map((client, i) => ({
    id: `S${i + 1}`,
    client,
    therapist: `T${i + 1}`,
    start: '09:00',
    end: '12:00',
    service: 'direct',
  })),
  absences: [{ who: 'T1', start: '00:00', end: '24:00' }],
};

test('given cover that needs a swap, the exhaustive solver finds it at the cost worked out by hand', () => {
  // The swap costs 2500, and T2, T3 and C2's family are called. T3 has no booked day: 12 slots of `callin` and `added`,
  // 4 of `overload`. T2 is within their booked day: 12 slots of `added`, 4 of `overload`.
  // Each of them is a substitute for one client.
  expect(exhaustive(chain, 'balanced').total).toBe(2500 + (120 + 24 + 16) + (24 + 16) + 3 * 100 + 2 * 100);
  // If no swap is allowed (as when Option 1 has none), no one can take S1.
  expect(exhaustive(chain, 'fewest-calls', { held: { swap: 0 } }).total).toBe(12_000);
});

test('given pins, the exhaustive solver keeps them, or returns no score if no plan can keep them', () => {
  const pins = [{ session: 'S1', pieces: [{ therapist: 'T3', start: '09:00', end: '12:00' }] }];
  expect(exhaustive({ ...chain, pins }, 'balanced').total).toBeNull();
  const nobody = [{ session: 'S1', pieces: [{ therapist: null, start: '09:00', end: '12:00' }] }];
  expect(exhaustive({ ...chain, pins: nobody }, 'balanced').total).toBe(12_000);
});

test('given a day that needs more nodes than the limit, the exhaustive solver throws', () => {
  expect(() => exhaustive(chain, 'balanced', { limit: 2 })).toThrow('too big');
});
