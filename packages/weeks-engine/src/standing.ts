/**
 * Solves a standing replacement: one option for each strategy, each proven. Most limits matter to few therapists and
 * dates, so a program without them is solved first; each limit that its solution breaks is added, until none is broken.
 * A program with fewer limits never costs more, so its bound holds for the problem.
 */
import { groupBy } from '@clinic/domain';
import { greedy, nobody, repaired } from './greedy.ts';
import { FULL_WEEK, STRATEGIES, type Strategy } from './points.ts';
import type { Run, StandingProblem } from './problem.ts';
import { minimize, type Search } from './program.ts';
import { givenIn, scoreStanding, type StandingPlan, type StandingScore } from './score-standing.ts';
import { candidatesOf, standingProgram, type Aim, type Candidate, type Contested } from './standing-program.ts';
import type { Meaning, StandingProgram } from './standing-program.ts';

export interface SolvedStanding {
  readonly strategy: Strategy;
  readonly label: string;
  readonly plan: StandingPlan;
  readonly scored: StandingScore;
  /** The extra points of the term that the strategy puts first. */
  readonly lead: number;
  readonly total: number;
  readonly bound: number;
}

export interface StandingResult {
  readonly options: readonly SolvedStanding[];
  readonly unfinished: readonly Strategy[];
  /** No plan has the pinned runs; or none was found in time. */
  readonly failed: 'pins_clash' | 'out_of_time' | null;
}

interface Known {
  readonly plan: StandingPlan;
  readonly scored: StandingScore;
}

/** The share of the time that Option 1 may use. */
const FIRST = 0.75;

export function solveStanding(
  problem: StandingProblem,
  search: Search,
  options: number,
  only: Strategy | null,
): StandingResult {
  const candidates = candidatesOf(problem, search.left);
  const contested = {
    places: new Set<number>(),
    caps: new Set<number>(),
    overloads: new Set<number>(),
    clientCaps: new Set<number>(),
  };
  const spare = search.left() * (1 - FIRST);
  const solved: SolvedStanding[] = [];
  const unfinished: Strategy[] = [];
  const simple = scoredPlan(problem, greedy(problem, candidates));
  for (const { strategy, label, lead, held } of STRATEGIES) {
    const first = solved[0];
    if (first && (solved.length >= options || (only && only !== strategy))) continue;
    const mostOpen = held && first ? first.scored.units.open : Infinity;
    const totalOf = ({ scored }: Known) => scored.score.total + (lead ? lead.points * scored.units[lead.unit] : 0);
    const start: Known | null = solved.length > 0 ? cheapest(solved, totalOf) : simple;
    const left = first ? search.left : () => search.left() - spare;
    const aim = { lead, mostOpen };
    const { best, bound } = solveOne(problem, candidates, contested, aim, { ...search, left }, start, totalOf);
    if (!best) return { options: [], unfinished: [], failed: bound === Infinity ? 'pins_clash' : 'out_of_time' };
    const total = totalOf(best);
    if (solved.some((each) => totalOf(each) <= total)) {
      if (bound < total) unfinished.push(strategy);
      continue;
    }
    solved.push({
      strategy,
      label,
      ...best,
      lead: total - best.scored.score.total,
      total,
      bound: Math.min(bound, total),
    });
  }
  return { options: solved, unfinished, failed: null };
}

const scoredPlan = (problem: StandingProblem, plan: StandingPlan | null): Known | null =>
  plan && { plan, scored: scoreStanding(problem, plan) };

const cheapest = <T extends Known>(all: readonly T[], totalOf: (known: Known) => number): T =>
  all.reduce((a, b) => (totalOf(b) < totalOf(a) ? b : a));

function solveOne(
  problem: StandingProblem,
  candidates: readonly Candidate[],
  contested: Contested,
  limits: Omit<Aim, 'start'>,
  search: Search,
  start: Known | null,
  totalOf: (known: Known) => number,
): { best: Known | null; bound: number } {
  let best = start;
  let bound = 0;
  for (;;) {
    const built = standingProgram(
      problem,
      candidates,
      contested,
      { ...limits, start: best?.plan ?? null },
      search.left,
    );
    const known = best ? totalOf(best) : Infinity;
    let more = 0;
    const isWhole = (values: Float64Array) =>
      (more += contest(problem, contested, planOf(problem, built, values))) === 0;
    const found = minimize(search, built.program, known, isWhole);
    bound = Math.max(bound, found.bound);
    if (!found.values) return { best, bound };
    const plan = planOf(problem, built, found.values);
    more += contest(problem, contested, plan);
    const better = more === 0 ? scoredPlan(problem, plan) : scoredPlan(problem, repaired(problem, plan));
    if (better && better.scored.units.open <= limits.mostOpen && totalOf(better) < known) best = better;
    if (more === 0 || !found.ended || (best && totalOf(best) <= bound)) return { best, bound };
  }
}

/** The runs that a solution chooses. */
function planOf(problem: StandingProblem, { meanings }: StandingProgram, values: Float64Array): StandingPlan {
  const chosen = meanings
    .filter((_, j) => values[j]! > 0.5)
    .filter((meaning): meaning is NonNullable<Meaning> => meaning !== null);
  const bySeries = groupBy(chosen, (m) => (m.kind === 'run' ? m.series : m.candidate.series));
  return problem.series.map((series): Run[] => {
    const own = bySeries.get(series) ?? [];
    const dropped = new Set(own.flatMap((m) => (m.kind === 'drop' ? [m.at] : [])));
    const runs = own
      .flatMap((m) => (m.kind === 'run' ? [m] : []))
      .sort((a, b) => a.from - b.from)
      .map(({ candidate, from, to }): Run => {
        const open = candidate?.own.flatMap((p, at) =>
          at >= from && at < to && (p < 0 || dropped.has(at)) ? [at] : [],
        );
        return { therapist: candidate?.therapist ?? null, from, to, open: open ?? [] };
      });
    const n = series.dates.length;
    const [first, last] = [runs[0], runs.at(-1)];
    if (first && first.from > 0) runs.unshift({ ...nobody(n), to: first.from });
    if (last && last.to < n) runs.push({ ...nobody(n), from: last.to });
    return runs;
  });
}

/** Adds the limits that the plan breaks or does not pay for; returns how many there are. */
function contest(problem: StandingProblem, contested: Contested, plan: StandingPlan): number {
  const { dates, weeks, weekOf } = problem;
  const before = sizeOf(contested);
  const used = new Map<number, Set<number>>();
  const load = new Map<number, number>();
  const spent = new Map<number, number>();
  for (const { therapist, client, date, from, to } of givenIn(problem, plan)) {
    const place = therapist.index * dates.length + date;
    const slots = used.get(place) ?? new Set();
    used.set(place, slots);
    for (let slot = from; slot < to; slot++) {
      if (slots.has(slot)) contested.places.add(place);
      slots.add(slot);
    }
    const [week, length] = [weekOf[date]!, to - from];
    const own = therapist.index * weeks.length + week;
    const total = (load.get(own) ?? 0) + length;
    load.set(own, total);
    if (total > therapist.caps[week]!) contested.caps.add(own);
    if (total > FULL_WEEK) contested.overloads.add(own);
    const theirs = client.index * weeks.length + week;
    spent.set(theirs, (spent.get(theirs) ?? 0) + length);
    if (spent.get(theirs)! > client.caps[week]!) contested.clientCaps.add(theirs);
  }
  return sizeOf(contested) - before;
}

const sizeOf = ({ places, caps, overloads, clientCaps }: Contested): number =>
  places.size + caps.size + overloads.size + clientCaps.size;
