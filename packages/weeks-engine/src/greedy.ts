/** Plans of a standing replacement that are found at once: series by series, or near a plan that breaks rules. */
import { groupBy } from '@clinic/domain';
import { Book } from './book.ts';
import { isHalf, POINTS } from './points.ts';
import type { Run, Series, StandingProblem, Therapist } from './problem.ts';
import { takenIn, type StandingPlan } from './score-standing.ts';
import { isAble } from './serve.ts';
import type { Candidate } from './standing-program.ts';

export const nobody = (dates: number): Run => ({ therapist: null, from: 0, to: dates, open: [] });

/** Books what the run's therapist can still take; null, and nothing is booked, when that is less than half. */
function place(book: Book, series: Series, run: Run): Run | null {
  const { therapist, from, to } = run;
  if (!therapist) return run;
  const open: number[] = [];
  const taken: number[] = [];
  for (let at = from; at < to; at++) {
    const date = series.dates[at]!;
    const fits = isAble(therapist, date, series, true) && book.take(therapist, series.client, date, series);
    (fits ? taken : open).push(at);
  }
  if (isHalf(taken.length, to - from)) return { therapist, from, to, open };
  for (const at of taken) book.giveBack(therapist, series.client, series.dates[at]!, series);
  return null;
}

/** A plan near the given one that keeps all rules; null when a pinned series gets less than half. */
export function repaired(problem: StandingProblem, plan: StandingPlan): StandingPlan | null {
  const book = new Book(problem);
  const result: (readonly Run[])[] = [];
  for (const series of problem.series) {
    const runs: Run[] = [];
    for (const run of plan[series.index]!) {
      const placed = place(book, series, run);
      if (!placed && series.pin) return null;
      runs.push(placed ?? { ...run, therapist: null, open: [] });
    }
    result.push(runs.every((run) => !run.therapist) ? [nobody(series.dates.length)] : runs);
  }
  return result;
}

/** Gives each series, the costliest to leave open first, to the therapist who then costs the least. */
export function greedy(problem: StandingProblem, candidates: readonly Candidate[]): StandingPlan | null {
  const book = new Book(problem);
  const plan: (readonly Run[])[] = problem.series.map(({ dates }) => [nobody(dates.length)]);
  const faces = problem.clients.map(() => new Set<Therapist>());
  for (const series of problem.series) {
    if (!series.pin) continue;
    const runs = series.pin.flatMap((run) => place(book, series, run) ?? []);
    if (runs.length < series.pin.length) return null;
    plan[series.index] = runs;
    for (const { therapist } of runs) if (therapist) faces[series.client.index]!.add(therapist);
  }
  const bySeries = groupBy(candidates, (c) => c.series);
  const weight = ({ openPoints, dates }: Series) => openPoints * dates.length;
  for (const series of problem.series.filter((s) => !s.pin).sort((a, b) => weight(b) - weight(a))) {
    const { client, dates, openPoints, index } = series;
    let best = { run: nobody(dates.length), cost: openPoints * dates.length };
    for (const { therapist, own } of bySeries.get(series) ?? []) {
      const run = place(book, series, { ...best.run, therapist });
      if (!run) continue;
      const known = faces[client.index]!;
      const face = POINTS.face[client.knows[therapist.index]!] + (known.size > 0 ? POINTS.people : 0);
      const taken = takenIn(run);
      let cost = (known.has(therapist) ? 0 : face) + openPoints * run.open.length;
      for (const at of taken) {
        cost += own[at]!;
        book.giveBack(therapist, client, dates[at]!, series);
      }
      if (cost < best.cost) best = { run, cost };
    }
    plan[index] = [place(book, series, best.run) ?? best.run];
    if (best.run.therapist) faces[client.index]!.add(best.run.therapist);
  }
  return plan;
}
