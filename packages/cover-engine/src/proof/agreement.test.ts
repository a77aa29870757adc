import { randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel, checkSessions, parseProblem, readPlan, scorePlan } from '../index.ts';
import type { Strategy } from '../problem.ts';
import { exhaustive } from './exhaustive.ts';
import { judge } from './judge.ts';
import { JUDGE_STRATEGIES, judgeModel } from './judge-model.ts';
import { mutate } from './mutate.ts';
import { repeats } from './repeats.ts';

const DAYS = repeats(3000);
const STRATEGIES = Object.keys(JUDGE_STRATEGIES) as Strategy[];

test('given thousands of plans, the engine’s own checks and the independent checker agree on legality and on every term', () => {
  let [legal, illegal] = [0, 0];
  for (let seed = 0; seed < DAYS; seed++) {
    const problem = tinyDay(seed);
    expect(parseProblem(problem).ok, `seed ${seed}`).toBe(true);
    const random = randomFrom(seed);
    // With clashing pins there might be no plan to start from; without pins there is always one.
    const best = exhaustive({ ...problem, pins: [] }, 'balanced');
    const sessions = mutate(random, problem, best.sessions, random.int(0, 3));
    const model = buildModel(problem);
    const outside = judgeModel(problem);
    const violations = checkSessions(model, sessions);
    const strategy = random.pick(STRATEGIES);
    const verdict = judge(problem, { sessions }, strategy, outside);
    expect(
      violations.length > 0,
      `seed ${seed}: ${verdict.broken.join('; ')} against ${JSON.stringify(violations)}`,
    ).toBe(verdict.broken.length > 0);
    if (verdict.broken.length > 0) {
      illegal++;
      continue;
    }
    legal++;
    const { total, ...terms } = verdict.score;
    const counted = Object.fromEntries(Object.entries(terms).filter(([, points]) => points !== 0));
    expect(scorePlan(model, readPlan(model, sessions).plan, strategy), `seed ${seed}`).toEqual({ total, ...counted });
  }
  expect(Math.min(legal, illegal)).toBeGreaterThan(DAYS / 4);
});
