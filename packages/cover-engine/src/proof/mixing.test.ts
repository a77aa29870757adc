/** Choices of different clients from different options: the clash finder against the outside judge. */
import { findClashes } from '@clinic/domain';
import { coverDay, randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel, claimsOf } from '../index.ts';
import type { CoverOption, CoverProblem, PlannedSession } from '../problem.ts';
import { solveDay } from './engine-under-test.ts';
import { judge } from './judge.ts';
import { judgeModel } from './judge-model.ts';

/** The plan in which each client has the sessions of the option chosen for them. */
function mixed(
  problem: CoverProblem,
  options: readonly CoverOption[],
  choice: Record<string, number>,
): PlannedSession[] {
  const clientOf = new Map(problem.sessions.map((s) => [s.id, s.client]));
  return Object.entries(choice).flatMap(([client, i]) =>
    (options[i]?.sessions ?? []).filter((s) => clientOf.get(s.session) === client),
  );
}

async function disagreements(
  problem: CoverProblem,
  seed: number,
  tries: number,
): Promise<{ faults: string[]; clashing: number }> {
  const { options } = await solveDay(problem, 6);
  const faults: string[] = [];
  let clashing = 0;
  if (options.length < 2) return { faults, clashing };
  const random = randomFrom(seed);
  const outside = judgeModel(problem);
  const claims = claimsOf(buildModel(problem), options);
  for (let i = 0; i < tries; i++) {
    const choice = Object.fromEntries(problem.clients.map((c) => [c.id, random.int(0, options.length - 1)]));
    const named = Object.fromEntries(Object.entries(choice).map(([c, o]) => [c, `Option ${o + 1}`]));
    const found = findClashes(claims, named).length > 0;
    const { broken } = judge(problem, { sessions: mixed(problem, options, choice) }, 'balanced', outside);
    const judged = broken.some((b) => b.startsWith('rule 6'));
    const other = broken.filter((b) => !b.startsWith('rule 6'));
    if (judged) clashing++;
    if (judged !== found) faults.push(`${JSON.stringify(choice)}: judge ${judged}, clash finder ${found}`);
    if (other.length > 0) faults.push(`${JSON.stringify(choice)}: ${other.join('; ')}`);
  }
  return { faults, clashing };
}

test('a mix stands together exactly when the clash finder says so: no false alarm, no miss', async () => {
  let clashing = 0;
  for (let seed = 70_000; seed < 70_400; seed++) {
    const result = await disagreements({ ...tinyDay(seed, seed % 2 === 0), pins: [] }, seed, 30);
    expect(result.faults, `seed ${seed}`).toEqual([]);
    clashing += result.clashing;
  }
  for (const seed of [1, 2, 3]) {
    const problem = coverDay({ seed, therapists: 30, clients: 34, absent: 0.2, hard: true, doubleBooked: seed });
    const result = await disagreements(problem, seed, 200);
    expect(result.faults, `seed ${seed}`).toEqual([]);
    clashing += result.clashing;
  }
  expect(clashing).toBeGreaterThan(200);
});
