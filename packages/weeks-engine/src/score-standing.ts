/** Scores a standing replacement, and finds the rules that it breaks. */
import { isHalf, POINTS, type Lead } from './points.ts';
import type { Run, Series, StandingProblem } from './problem.ts';
import { scoreGiven, totalled, type Given } from './score.ts';
import type { Score } from './answer.ts';
import { isAble, serveFault } from './serve.ts';

/** The runs of each series, by its index. */
export type StandingPlan = readonly (readonly Run[])[];

export interface StandingScore {
  readonly score: Score;
  readonly units: Readonly<Record<Lead, number>>;
  readonly broken: readonly string[];
}

export const takenIn = (run: Run): number[] =>
  run.therapist
    ? Array.from({ length: run.to - run.from }, (_, i) => run.from + i).filter((at) => !run.open.includes(at))
    : [];

/** The sessions that therapists are given. */
export const givenIn = (problem: StandingProblem, plan: StandingPlan): Given[] =>
  problem.series.flatMap(({ index, client, service, dates, from, to }) =>
    plan[index]!.flatMap((run) => {
      const { therapist } = run;
      return therapist ? takenIn(run).map((at) => ({ therapist, client, service, date: dates[at]!, from, to })) : [];
    }),
  );

const isHandover = (runs: readonly Run[]): boolean => runs.length === 2 && runs.every((run) => run.therapist);

/** The dates of a series that nobody takes. */
const openIn = ({ dates }: Series, runs: readonly Run[]): number =>
  dates.length - runs.reduce((sum, run) => sum + takenIn(run).length, 0);

export function scoreStanding(problem: StandingProblem, plan: StandingPlan): StandingScore {
  const { score, strange, further, broken } = scoreGiven(problem, givenIn(problem, plan));
  let [open, handovers] = [0, 0];
  for (const series of problem.series) {
    const runs = plan[series.index]!;
    open += series.openPoints * openIn(series, runs);
    if (isHandover(runs)) handovers++;
  }
  const faults = problem.series.flatMap((series) => runFaults(problem, series, plan[series.index]!));
  return {
    score: totalled(score, { open, handover: POINTS.handover * handovers }),
    units: { open, strange, persons: further + handovers },
    broken: [...broken, ...faults],
  };
}

function runFaults(problem: StandingProblem, series: Series, runs: readonly Run[]): string[] {
  const { id, client, service, dates, declined, pin } = series;
  const faults: string[] = [];
  if (runs.length < 1 || runs.length > 2) faults.push(`${id}: ${runs.length} runs`);
  if (runs[0]?.therapist === runs[1]?.therapist && runs.length === 2) faults.push(`${id}: neighbours are alike`);
  let next = 0;
  for (const run of runs) {
    if (run.from !== next || run.to <= run.from) faults.push(`${id}: the runs do not hold its dates once and in order`);
    next = run.to;
    const { therapist } = run;
    if (!therapist) continue;
    if (serveFault(therapist, client, service)) faults.push(`${id}: ${therapist.id} may not serve`);
    if (declined.has(therapist.index)) faults.push(`${id}: ${therapist.id} declined`);
    const taken = takenIn(run);
    if (!isHalf(taken.length, run.to - run.from)) faults.push(`${id}: ${therapist.id} takes less than half`);
    for (const at of taken)
      if (!isAble(therapist, dates[at]!, series, true))
        faults.push(`${id}: ${therapist.id} is not able on ${problem.dates[dates[at]!]}`);
  }
  if (next !== dates.length) faults.push(`${id}: the runs do not hold its dates once and in order`);
  const shape = (all: readonly Run[]) => all.map((r) => [r.therapist?.id ?? null, r.from, r.to]);
  if (pin && JSON.stringify(shape(pin)) !== JSON.stringify(shape(runs))) faults.push(`${id}: not as pinned`);
  return faults;
}
