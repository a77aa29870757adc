import { loadHighs } from '@clinic/cover-engine/highs';
import { expect, test } from 'vitest';
import { solveWeeks } from '../solve.ts';
import { judge, type JsonOption, type JsonProblem, type JsonRun } from './judge.ts';
import { smallStanding } from './small-problems.ts';

const solve = (problem: JsonProblem) => solveWeeks(problem, { highs: loadHighs, left: () => 60, options: 5 });

test('given an option as pins, when it is solved again, then every series is as pinned and the score is no worse', async () => {
  let tried = 0;
  for (let seed = 100; seed < 130; seed++) {
    const problem = smallStanding(seed);
    const before: JsonOption[] = (await solve(problem)).options;
    for (const option of before) {
      const pins = option.series!.filter((_, i) => i % 2 === 0);
      const pinned = { ...problem, pins };
      const options: JsonOption[] = (await solve(pinned)).options;
      for (const { broken } of judge(pinned, options)) expect(broken, `seed ${seed}`).toEqual([]);
      const first = judge(problem, before)[0]!.total;
      if (option === before[0]) expect(options[0]!.score!.total).toBe(first);
      else expect(options[0]!.score!.total).toBeGreaterThanOrEqual(first);
      tried++;
    }
  }
  expect(tried).toBeGreaterThan(20);
});

const [from, mid, to] = ['2026-12-07', '2026-12-14', '2026-12-21'];
const free = Object.fromEntries([from, mid, to].map((date) => [date, [['08:00', '12:00']]] as const));
const who = { credential: 'RBT', gender: 'Female' };
const series = { client: 'C1', service: 'direct', start: '08:00', end: '10:00', dates: [from, mid, to] };
const problem = {
  format: 'standing-problem/1',
  dates: [from, mid, to],
  therapists: [
    { id: 'T1', ...who, free },
    { id: 'T2', ...who, free: { [from]: [['08:00', '12:00']] } },
    { id: 'T3', ...who, free },
  ],
  clients: [{ id: 'C1', excludes: ['T3'] }, { id: 'C2' }],
  series: [
    { id: 'R1', ...series },
    { id: 'R2', ...series, client: 'C2' },
  ],
  declined: [{ therapist: 'T1', series: 'R2' }],
};
const pinned = (id: string, ...runs: JsonRun[]) => ({ ...problem, pins: [{ series: id, runs }] });
const run = (therapist: string | null, first = from, last = to): JsonRun => ({ therapist, from: first, to: last });

test.each([
  ['a therapist who may not serve', pinned('R1', run('T3')), /may not serve/],
  ['a therapist who declined', pinned('R2', run('T1')), /declined/],
  ['a therapist who is able on less than half', pinned('R1', run('T2')), /less than half/],
  ['two runs that are alike', pinned('R1', run('T1', from, mid), run('T1', to, to)), /alike/],
  ['dates that no run holds', pinned('R1', run('T1', from, mid)), /each date/],
  ['runs that overlap', pinned('R1', run('T1', from, mid), run(null, mid, to)), /each date/],
  ['a run without a date', pinned('R1', run('T1', '2026-12-08', '2026-12-09')), /without a date/],
  ['three runs', pinned('R1', run('T1', from, from), run(null, mid, mid), run('T2', to, to)), /3 runs/],
  [
    'one therapist for two series at the same time',
    { ...problem, declined: [], pins: ['R1', 'R2'].map((id) => ({ series: id, runs: [run('T1')] })) },
    /together they break a rule/,
  ],
])('given a pin with %s, then it is refused and says why', async (_what, value, why) => {
  const answer = await solveWeeks(value, { highs: loadHighs, left: () => 60, options: 5 });
  expect(answer).toMatchObject({ format: 'standing-options/1', options: [], refused: { code: 'pins_clash' } });
  expect(answer.refused?.detail).toMatch(why);
});
