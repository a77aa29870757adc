import { randomFrom } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverProblem } from '../problem.ts';
import { answerFaults } from './answer-faults.ts';
import { solveDay } from './engine-under-test.ts';
import { exhaustive } from './exhaustive.ts';
import { judge } from './judge.ts';
import { HELD, mostBeside } from './judge-model.ts';

/**
 * Two children whose therapists leave early, and two therapists without work who are a weak match. A whole session
 * without a handover means more time with these, so Option 1's budget allows it for one of the children at most.
 */
function day(seed: number): CoverProblem {
  const random = randomFrom(seed);
  const children = [1, 2];
  const therapist = (id: string) => ({
    id,
    name: id,
    credential: 'RBT' as const,
    gender: 'Female' as const,
    available: [['08:00', '12:00']] as [string, string][],
  });
  return {
    format: 'cover-problem/3',
    date: '2026-11-20',
    location: 'altamonte',
    therapists: children.flatMap((i) => [therapist(`T${i}`), therapist(`F${i}`)]),
    clients: children.map((i) => ({
      id: `C${i}`,
      name: `C${i}`,
      knows: { [`T${i}`]: 'team', [`F${random.int(1, children.length)}`]: 'known' },
      prefers: Array.from({ length: random.int(4, 10) }, (_tag, n) => `tag ${n}`),
    })),
    sessions: children.map((i) => ({
      id: `S${i}`,
      client: `C${i}`,
      therapist: `T${i}`,
      start: '08:00',
      end: random.pick(['10:30', '11:00', '11:30']),
      service: 'direct',
    })),
    absences: children.map((i) => ({ who: `T${i}`, start: random.pick(['09:30', '10:00']), end: '24:00' })),
  };
}

test('given plans that would cost more than a quarter beside Option 1, the best of the others is found and proven', async () => {
  let bound = 0;
  for (let seed = 1; seed <= 16; seed++) {
    const problem = day(seed);
    for (const settings of [{ mostListed: 1200 }, { mostListed: 10 }]) {
      const answer = await solveDay(problem, 9, undefined, settings);
      expect(answerFaults(problem, answer), `seed ${seed}`).toEqual([]);
      const { units } = judge(problem, answer.options[0]!, 'balanced');
      const { price: _, ...care } = Object.fromEntries(HELD.map((unit) => [unit, mostBeside(unit, units[unit])]));
      const option1 = judge(problem, answer.options[0]!, 'whole-sessions');
      const least = Math.min(
        ...answer.options
          .map((option) => judge(problem, option, 'whole-sessions', undefined, option1))
          .filter(({ broken }) => broken.length === 0)
          .map(({ score }) => score.total),
      );
      const free = exhaustive(problem, 'whole-sessions', { held: care }).total!;
      // The budget keeps a better plan away, and yet Option 1 is not the best within it.
      if (free < least && least < option1.score.total) bound++;
    }
  }
  expect(bound).toBeGreaterThan(10);
});
