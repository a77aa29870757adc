/** Why a standing replacement is as it is: whom the client knows, what a second choice costs, and who could not. */
import { POINTS } from './points.ts';
import type { Run, Series, StandingProblem, Therapist } from './problem.ts';
import { scoreStanding, takenIn, type StandingPlan } from './score-standing.ts';
import { isAble, ownCost, serveFault } from './serve.ts';
import type { OpenWhy, RunWhy, SeriesAnswer } from './answer.ts';

export function whyStanding(problem: StandingProblem, plan: StandingPlan): SeriesAnswer['why'][] {
  const { total } = scoreStanding(problem, plan).score;
  return problem.series.map((series) => {
    const runs = plan[series.index]!;
    return {
      runs: runs.map((run, at) => runWhy(problem, plan, total, series, run, at)),
      open: openWhy(problem, series, runs),
    };
  });
}

const mayTake = (therapist: Therapist, series: Series): boolean =>
  !series.declined.has(therapist.index) && !serveFault(therapist, series.client, series.service);

function runWhy(
  problem: StandingProblem,
  plan: StandingPlan,
  total: number,
  series: Series,
  run: Run,
  at: number,
): RunWhy | null {
  if (!run.therapist) return null;
  const { client, dates, service } = series;
  const taken = takenIn(run).map((i) => dates[i]!);
  const others = problem.therapists
    .filter((t) => plan[series.index]!.every((r) => r.therapist !== t) && mayTake(t, series))
    .filter((t) => taken.every((date) => isAble(t, date, series, true)))
    .map((therapist) => {
      const own = taken.reduce((sum, date) => sum + ownCost(therapist, date, series, service), 0);
      return { therapist, points: own + POINTS.face[client.knows[therapist.index]!] };
    })
    .sort((a, b) => a.points - b.points || a.therapist.index - b.therapist.index);
  let second: RunWhy['second'] = null;
  // The first few are compared in full: someone whom the client gets to know anyway costs less than by themselves.
  for (const { therapist } of others.slice(0, 4)) {
    const changed = plan.map((runs, i) =>
      i === series.index ? runs.map((r, k) => (k === at ? { ...r, therapist } : r)) : runs,
    );
    const { score, broken } = scoreStanding(problem, changed);
    const points = score.total - total;
    if (broken.length === 0 && points < (second?.points ?? Infinity))
      second = { therapist: therapist.id, points, knows: client.knows[therapist.index]! };
  }
  return { knows: client.knows[run.therapist.index]!, second };
}

function openWhy(problem: StandingProblem, series: Series, runs: readonly Run[]): OpenWhy | null {
  const taken = new Set(runs.flatMap(takenIn));
  const open = series.dates.filter((_, i) => !taken.has(i));
  if (open.length === 0) return null;
  const why: OpenWhy = { dates: open.map((date) => problem.dates[date]!), mayNot: {}, notAble: 0, able: [] };
  for (const therapist of problem.therapists) {
    const fault = series.declined.has(therapist.index)
      ? 'declined'
      : serveFault(therapist, series.client, series.service);
    if (fault) why.mayNot[fault] = (why.mayNot[fault] ?? 0) + 1;
    else if (open.some((date) => isAble(therapist, date, series, true))) why.able.push(therapist.id);
    else why.notAble++;
  }
  return why;
}
