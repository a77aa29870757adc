import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Run, StandingProblem } from '../problem.ts';
import { readProblem } from '../read.ts';
import { scoreStanding } from '../score-standing.ts';
import { judge, type JsonOption } from './judge.ts';
import { smallStanding } from './small-problems.ts';

function standing(seed: number): StandingProblem {
  const read = readProblem(smallStanding(seed));
  if (!read.ok || read.problem.kind !== 'standing') throw new Error('not a standing problem');
  return read.problem;
}

/** Any plan, legal or not: for each series one or two runs of any therapists, with any dates open. */
const plans = fc.record({
  seed: fc.nat(10_000),
  series: fc.array(
    fc.record({ split: fc.nat(3), who: fc.tuple(fc.nat(4), fc.nat(4)), open: fc.array(fc.nat(3), { maxLength: 2 }) }),
    { minLength: 3, maxLength: 3 },
  ),
});

test('given any plan, then the engine and the independent judge agree on its score, and on whether it breaks a rule', () => {
  let legal = 0;
  fc.assert(
    fc.property(plans, ({ seed, series }) => {
      const problem = standing(seed);
      const plan = problem.series.map(({ index, dates }): Run[] => {
        const { split, who, open } = series[index]!;
        const parts = split > 0 && split < dates.length ? [0, split, dates.length] : [0, dates.length];
        return parts.slice(1).map((to, i) => {
          const from = parts[i]!;
          const therapist = problem.therapists[who[i]!] ?? null;
          return { therapist, from, to, open: therapist ? open.filter((at) => at >= from && at < to) : [] };
        });
      });
      const { score, broken, units } = scoreStanding(problem, plan);
      const day = (index: number, at: number) => problem.dates[problem.series[index]!.dates[at]!]!;
      const option: JsonOption = {
        strategy: 'balanced',
        series: problem.series.map(({ id, index }) => ({
          series: id,
          runs: plan[index]!.map(({ therapist, from, to, open }) => ({
            therapist: therapist?.id ?? null,
            from: day(index, from),
            to: day(index, to - 1),
            open: open.map((at) => day(index, at)),
          })),
        })),
      };
      const [verdict] = judge(smallStanding(seed), [option]);
      const faults = verdict!.broken.filter((fault) => !/^(states|bound|proven)/.test(fault));
      expect(score.total).toBe(verdict!.total);
      expect(units).toEqual(verdict!.units);
      expect(broken.length > 0).toBe(faults.length > 0);
      if (broken.length === 0) legal++;
    }),
    { numRuns: 600, seed: 42 },
  );
  expect(legal).toBeGreaterThan(30);
});
