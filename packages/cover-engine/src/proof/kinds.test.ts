/** Small days of clinics of every kind, checked by the independent checker: all strategies are proven. */
import { clinicDays } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { STRATEGY_ORDER } from '../strategies.ts';
import { highs, solveDay } from './engine-under-test.ts';
import { judge } from './judge.ts';
import { judgeAnswer } from './judge-answer.ts';
import { plainMilp } from './plain-milp.ts';
import { heldTo } from './answer-faults.ts';

const days = clinicDays(2, [12, 16]);

test.each(days.map((day) => [`${day.kind}, ${day.seed}`, day] as const))(
  'given a small day (%s), every option is legal and proven, and one large program for the whole day finds no better',
  async (_, { problem: make, seed }) => {
    const problem = make();
    const answer = await solveDay(problem, 5);
    expect(judgeAnswer(problem, answer)).toEqual([]);
    const named = answer.options.filter(({ strategy }) => strategy !== 'alternative');
    expect(named.every(({ proven }) => proven)).toBe(true);
    const strategy = STRATEGY_ORDER[seed % STRATEGY_ORDER.length]!;
    const first = judge(problem, answer.options[0]!, 'balanced');
    const verdicts = named.map((o) => judge(problem, o, strategy, undefined, first));
    for (const { units } of verdicts) {
      expect(units.gap).toBeLessThanOrEqual(first.units.gap);
      expect(units.stub).toBeLessThanOrEqual(first.units.stub);
    }
    const least = Math.min(...verdicts.filter(({ broken }) => broken.length === 0).map(({ score }) => score.total));
    const plain = (await highs()).solve(plainMilp(problem, strategy, heldTo(first, strategy)), {
      mip_rel_gap: 0,
      output_flag: false,
    });
    expect(least).toBe(Math.round(plain.ObjectiveValue));
  },
);
