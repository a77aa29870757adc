/**
 * The integer program of a standing replacement. A column is a run of one therapist: alone in its series (the other
 * dates have nobody), or as the first or second half of two, which share the date between them. `drop` columns leave a
 * date open that the therapist could take. They exist only where that can matter: where the therapist would be in two
 * places, would exceed a cap, or where an open date costs less than a session. The caller solves without most of them,
 * and adds those that a solution turns out to need (`contested`). The file is over 250 lines because the columns and the
 * rows that they share are made together.
 */
import { groupBy } from '@clinic/domain';
import { FULL_WEEK, isHalf, POINTS, type Lead } from './points.ts';
import type { Series, StandingProblem, Therapist } from './problem.ts';
import type { StandingPlan } from './score-standing.ts';
import { Program } from './program.ts';
import { isAble, ownCost, serveFault } from './serve.ts';

/** What a therapist could do in a series. */
export interface Candidate {
  readonly series: Series;
  readonly therapist: Therapist;
  /** The session's own points on each of the series' dates; -1 where the therapist is not able, or has no hours left. */
  readonly own: readonly number[];
}

export interface RunColumn {
  readonly kind: 'run';
  readonly series: Series;
  readonly candidate: Candidate | null;
  readonly from: number;
  readonly to: number;
}
interface DropColumn {
  readonly kind: 'drop';
  readonly candidate: Candidate;
  readonly at: number;
}
export type Meaning = RunColumn | DropColumn | null;

/** Which limits the program has. */
export interface Contested {
  /** Therapist and date: `therapist × dates + date`. */
  readonly places: Set<number>;
  /** Therapist and week: `therapist × weeks + week`. */
  readonly caps: Set<number>;
  readonly overloads: Set<number>;
  /** Client and week. */
  readonly clientCaps: Set<number>;
}

export interface StandingProgram {
  readonly program: Program;
  readonly meanings: readonly Meaning[];
}

export interface Aim {
  readonly lead: { readonly unit: Lead; readonly points: number } | null;
  /** The most open points; Infinity when there is no limit. */
  readonly mostOpen: number;
  /** A known plan, in which the relaxation can begin. */
  readonly start: StandingPlan | null;
}

export function candidatesOf(problem: StandingProblem, left: () => number): Candidate[] {
  return problem.series.flatMap((series) =>
    problem.therapists.flatMap((therapist) => {
      if (left() <= 0 || series.declined.has(therapist.index) || serveFault(therapist, series.client, series.service))
        return [];
      const own = series.dates.map((date) => {
        const week = problem.weekOf[date]!;
        const most = Math.min(therapist.caps[week]!, series.client.caps[week]!);
        return series.to - series.from <= most && isAble(therapist, date, series, true)
          ? ownCost(therapist, date, series, series.service)
          : -1;
      });
      return own.some((points) => points >= 0) ? [{ series, therapist, own }] : [];
    }),
  );
}

/** Builds the program column by column, with the rows that they share. */
class Builder {
  readonly program = new Program();
  readonly meanings: Meaning[] = [];
  private readonly problem: StandingProblem;
  private readonly contested: Contested;
  private readonly aim: Aim;
  private readonly openRow: number | null;

  constructor(problem: StandingProblem, contested: Contested, aim: Aim) {
    this.problem = problem;
    this.contested = contested;
    this.aim = aim;
    this.openRow = aim.mostOpen < Infinity ? this.program.row(-Infinity, aim.mostOpen) : null;
  }

  private lead(unit: Lead): number {
    return this.aim.lead?.unit === unit ? this.aim.lead.points : 0;
  }

  private column(meaning: Meaning, cost: number, kind: 'choice' | 'core choice' | 'follower', upper = 1): number {
    this.meanings.push(meaning);
    return this.program.column(cost, kind, upper);
  }

  private openCost(points: number): number {
    return points * (1 + this.lead('open'));
  }

  /** The column of the pair, which pays for a face and for people beyond the first. */
  private pairRow({ series: { index, client }, therapist }: Candidate): number {
    return this.program.rowNamed(`pair ${index} ${therapist.index}`, -Infinity, 0, (row) => {
      this.program.entry(row, this.pairColumn(client.index, therapist), -1);
    });
  }

  private readonly pairs = new Map<string, number>();
  private pairColumn(client: number, therapist: Therapist): number {
    const key = `${client} ${therapist.index}`;
    const there = this.pairs.get(key);
    if (there !== undefined) return there;
    const knows = this.problem.clients[client]!.knows[therapist.index]!;
    const pair = this.column(null, POINTS.face[knows] + (knows === 'team' ? 0 : this.lead('strange')), 'follower');
    this.pairs.set(key, pair);
    const people = this.program.rowNamed(`people ${client}`, -Infinity, 1, (row) => {
      this.program.entry(row, this.column(null, POINTS.people + this.lead('persons'), 'follower', Infinity), -1);
    });
    this.program.entry(people, pair, 1);
    return pair;
  }

  /** A run of a candidate, or of nobody, on the dates from `from`; the other dates are open or have another run. */
  run(series: Series, candidate: Candidate | null, from: number, to: number, half: 'first' | 'second' | null): void {
    const { dates, openPoints, index } = series;
    const [begin, end] = half ? [from, to] : [0, dates.length];
    let [own, open, able] = [0, 0, 0];
    for (let i = begin; i < end; i++) {
      const points = i >= from && i < to ? (candidate?.own[i] ?? -1) : -1;
      if (points < 0) open += openPoints;
      else {
        own += points;
        able++;
      }
    }
    // Each half pays for half of the handover.
    const handover = half ? (POINTS.handover + this.lead('persons')) / 2 : 0;
    const column = this.column(
      { kind: 'run', series, candidate, from, to },
      own + this.openCost(open) + handover,
      candidate && !series.pin && !this.isKnown(series, candidate, from, to) ? 'choice' : 'core choice',
    );
    const add = (row: number, value: number) => this.program.entry(row, column, value);
    if (this.openRow !== null) add(this.openRow, open);
    if (half !== 'second') add(this.program.rowNamed(`series ${index}`, 1, 1), 1);
    if (half)
      add(this.program.rowNamed(`split ${index} ${half === 'first' ? to : from}`, 0, 0), half === 'first' ? 1 : -1);
    if (!candidate) return;
    add(this.pairRow(candidate), 1);
    const drops = this.dropsOf(candidate);
    if (drops.some((at) => at >= from && at < to)) {
      const slack = 2 * able - (to - from);
      add(this.halfRow(candidate), -slack);
      for (const at of drops) if (at >= from && at < to) add(this.dropRow(candidate, at), -1);
    }
    this.loads(candidate, from, to, column);
  }

  private isKnown({ index }: Series, { therapist }: Candidate, from: number, to: number): boolean {
    const runs = this.aim.start?.[index] ?? [];
    return runs.some((run) => run.therapist === therapist && run.from === from && run.to === to);
  }

  /** Counts a run's sessions where the therapist or client has a limit; each drop takes one back. */
  private loads(candidate: Candidate, from: number, to: number, column: number): void {
    const sums = new Map<number, number>();
    for (let i = from; i < to; i++)
      if (candidate.own[i]! >= 0)
        for (const [row, value] of this.limitsOn(candidate, i)) sums.set(row, (sums.get(row) ?? 0) + value);
    for (const [row, value] of sums) this.program.entry(row, column, value);
  }

  /** The rows that a session on the date at `at` counts in, and how much. */
  private limitsOn({ series, therapist }: Candidate, at: number): [number, number][] {
    const { dates, weekOf, weeks, clients } = this.problem;
    const date = series.dates[at]!;
    const week = weekOf[date]!;
    const length = series.to - series.from;
    const result: [number, number][] = [];
    const place = therapist.index * dates.length + date;
    // Sessions overlap if and only if one begins within the other, so the starts of sessions are enough.
    if (this.contested.places.has(place))
      for (const start of this.startsOn(date))
        if (series.from <= start && start < series.to)
          result.push([this.program.rowNamed(`place ${place} ${start}`, -Infinity, 1), 1]);
    const load = therapist.index * weeks.length + week;
    if (this.contested.caps.has(load)) {
      const most = this.reachable(therapist.caps[week]!, week);
      result.push([this.program.rowNamed(`cap ${load}`, -Infinity, most), length]);
    }
    if (this.contested.overloads.has(load)) {
      const row = this.program.rowNamed(`over ${load}`, -Infinity, FULL_WEEK, (r) => {
        this.program.entry(r, this.column(null, POINTS.overload, 'follower', Infinity), -1);
      });
      result.push([row, length]);
    }
    const spent = series.client.index * weeks.length + week;
    if (this.contested.clientCaps.has(spent))
      result.push([
        this.program.rowNamed(`client ${spent}`, -Infinity, clients[series.client.index]!.caps[week]!),
        length,
      ]);
    return result;
  }

  private readonly sums = new Map<number, readonly number[]>();
  /** The most slots, at most `cap`, that sessions of a week can have together. */
  private reachable(cap: number, week: number): number {
    let sums = this.sums.get(week);
    if (!sums) {
      const all = new Set([0]);
      for (const { dates, from, to } of this.problem.series)
        for (const date of dates)
          if (this.problem.weekOf[date] === week) for (const sum of [...all]) all.add(sum + to - from);
      sums = [...all];
      this.sums.set(week, sums);
    }
    return Math.max(...sums.filter((sum) => sum <= cap));
  }

  private readonly starts = new Map<number, readonly number[]>();
  private startsOn(date: number): readonly number[] {
    let starts = this.starts.get(date);
    if (!starts) {
      starts = [...new Set(this.problem.series.filter((s) => s.dates.includes(date)).map((s) => s.from))];
      this.starts.set(date, starts);
    }
    return starts;
  }

  private readonly drops = new Map<Candidate, readonly number[]>();
  /** The dates that the candidate may leave open although able. */
  dropsOf(candidate: Candidate): readonly number[] {
    let drops = this.drops.get(candidate);
    if (!drops) {
      const { series, therapist, own } = candidate;
      const { dates, weeks, weekOf } = this.problem;
      const { places, caps, clientCaps } = this.contested;
      const most = POINTS.overload * (series.to - series.from);
      drops = own.flatMap((points, at) => {
        const date = series.dates[at]!;
        const week = weekOf[date]!;
        const matters =
          points >= 0 &&
          (points + most > series.openPoints ||
            places.has(therapist.index * dates.length + date) ||
            caps.has(therapist.index * weeks.length + week) ||
            clientCaps.has(series.client.index * weeks.length + week));
        return matters ? [at] : [];
      });
      this.drops.set(candidate, drops);
    }
    return drops;
  }

  private dropRow(candidate: Candidate, at: number): number {
    const { series, therapist, own } = candidate;
    return this.program.rowNamed(`drop ${series.index} ${therapist.index} ${at}`, -Infinity, 0, (row) => {
      const cost = this.openCost(series.openPoints) - own[at]!;
      const column = this.column({ kind: 'drop', candidate, at }, cost, 'core choice');
      this.program.entry(row, column, 1);
      this.program.entry(this.halfRow(candidate), column, 2);
      if (this.openRow !== null) this.program.entry(this.openRow, column, series.openPoints);
      for (const [limit, value] of this.limitsOn(candidate, at)) this.program.entry(limit, column, -value);
    });
  }

  /** Keeps the therapist's sessions to at least half of the run's dates. */
  private halfRow({ series, therapist }: Candidate): number {
    return this.program.rowNamed(`half ${series.index} ${therapist.index}`, -Infinity, 0);
  }
}

/** The runs that a series may have with one therapist. Left out are runs that another one is never worse than. */
function addRuns(builder: Builder, candidate: Candidate): void {
  const { series, own } = candidate;
  const n = own.length;
  const able = [0];
  for (const points of own) able.push(able.at(-1)! + (points >= 0 ? 1 : 0));
  const sure = [...able];
  for (const at of builder.dropsOf(candidate)) for (let i = at + 1; i <= n; i++) sure[i]!--;
  const isRun = (from: number, to: number) => isHalf(able[to]! - able[from]!, to - from);
  // A run that takes half of its dates for sure allows all that a shorter run allows.
  const isSure = (from: number, to: number) => isHalf(sure[to]! - sure[from]!, to - from);
  for (let from = 0; from < n; from++) {
    if (from > 0 && own[from]! < 0) continue;
    if (isRun(from, n)) builder.run(series, candidate, from, n, null);
    if (isSure(from, n)) break;
  }
  for (let to = n - 1; to > 0 && !isSure(0, n); to--) {
    if (own[to - 1]! < 0) continue;
    if (isRun(0, to)) builder.run(series, candidate, 0, to, null);
    if (isSure(0, to)) break;
  }
  for (let k = 1; k < n; k++) {
    if (isRun(0, k)) builder.run(series, candidate, 0, k, 'first');
    if (isRun(k, n)) builder.run(series, candidate, k, n, 'second');
  }
}

function addPinned(builder: Builder, series: Series, candidates: readonly Candidate[]): void {
  const runs = series.pin ?? [];
  const given = runs.filter(({ therapist }) => therapist);
  const of = (therapist: Therapist | null) => candidates.find((c) => c.therapist === therapist) ?? null;
  if (given.length === 2) {
    builder.run(series, of(runs[0]!.therapist), 0, runs[0]!.to, 'first');
    builder.run(series, of(runs[1]!.therapist), runs[1]!.from, runs[1]!.to, 'second');
  } else if (given[0]) builder.run(series, of(given[0].therapist), given[0].from, given[0].to, null);
  else builder.run(series, null, 0, series.dates.length, null);
}

export function standingProgram(
  problem: StandingProblem,
  candidates: readonly Candidate[],
  contested: Contested,
  aim: Aim,
  left: () => number,
): StandingProgram {
  const builder = new Builder(problem, contested, aim);
  const bySeries = groupBy(candidates, (c) => c.series);
  for (const series of problem.series) {
    const own = bySeries.get(series) ?? [];
    if (series.pin) addPinned(builder, series, own);
    else {
      builder.run(series, null, 0, series.dates.length, null);
      for (const candidate of own) if (left() > 0) addRuns(builder, candidate);
    }
  }
  return builder;
}
