import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import type { PlannedSession } from '../answer.ts';
import { solveDay } from '../proof/engine-under-test.ts';
import { difference } from '../proof/judge-answer.ts';
import { judgeModel } from '../proof/judge-model.ts';
import { nearlySame } from './nearly-same.ts';

/** The plan with its first `count` staffed pieces left unassigned. */
function without(sessions: readonly PlannedSession[], count: number): PlannedSession[] {
  let left = count;
  return sessions.map((s) => ({
    ...s,
    pieces: s.pieces.map((p) => (p.therapist !== null && left-- > 0 ? { ...p, therapist: null } : p)),
  }));
}

test('each option names the nearest earlier option that differs on less than 10% of the affected slots, as counted by the independent checker', async () => {
  const problem = coverDay({ seed: 5101, therapists: 24, clients: 26, absent: 6 });
  const { options } = await solveDay(problem, 3);
  const [first, second] = options.map((o) => o.sessions);
  if (!first || !second) throw new Error('a day with two options is needed');
  const plans = [first, second, ...[0, 1, 2, 4, 8].flatMap((n) => [without(first, n), without(second, n)])];
  const outside = judgeModel(problem);
  const expected = plans.map((plan, i) => {
    const shares = plans.slice(0, i).map((earlier) => difference(outside, { sessions: plan }, { sessions: earlier }));
    const least = Math.min(1, ...shares);
    return least < 0.1 ? shares.indexOf(least) : null;
  });
  expect(
    nearlySame(
      buildModel(problem),
      plans.map((sessions) => ({ strategy: 'balanced' as const, sessions })),
    ),
  ).toEqual(expected);
  // Some plans are near an earlier one, some are not, and an exact copy is nearest to its original.
  expect(expected.slice(0, 4)).toEqual([null, null, 0, 1]);
  expect(expected.slice(4)).toContain(null);
  expect(expected.slice(4).some((place) => place !== null)).toBe(true);
});

test('given a day without affected sessions, no option is nearly the same as another', () => {
  const day = coverDay({ seed: 5102, therapists: 6, clients: 6, absent: 1 });
  const sessions = day.sessions.filter((session) => session.therapist !== null);
  const problem = { ...day, sessions, absences: [] };
  expect(
    nearlySame(buildModel(problem), [
      { strategy: 'balanced', sessions: [] },
      { strategy: 'fewest-calls', sessions: [] },
    ]),
  ).toEqual([null, null]);
});
