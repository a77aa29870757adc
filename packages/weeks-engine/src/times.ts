/**
 * Finds times by enumeration: for each set of therapists, cheapest first by a bound, the starts on each weekday. An
 * option is the cheapest that differs enough from those before it. The file is over 250 lines because the search for one
 * option is one class.
 */
import { FULL_WEEK, isHalf, POINTS } from './points.ts';
import type { Span, Therapist, TimesProblem } from './problem.ts';
import { dayOfWeek, isoDate, SLOTS } from '@clinic/domain';
import { scoreGiven, totalled } from './score.ts';
import type { Score } from './answer.ts';
import { isAble, ownCost, serveFault } from './serve.ts';

/** A session that could be held each week. */
export interface WeeklySession extends Span {
  readonly weekday: number;
  readonly therapist: Therapist;
  /** The dates of the weekday on which it is held, and the others. */
  readonly held: readonly number[];
  readonly missed: readonly number[];
  /** Its own points, with those for missed dates. */
  readonly cost: number;
}

export interface FoundTimes {
  readonly sessions: readonly WeeklySession[];
  readonly total: number;
  readonly bound: number;
}

export interface TimesResult {
  readonly options: readonly FoundTimes[];
  /** Whether it is proven that there are no further options. */
  readonly ended: boolean;
}

/** Every session that keeps the rules by itself, by therapist. */
function sessionsOf({ dates, client, busy, windows, wanted, therapists }: TimesProblem): WeeklySession[][] {
  const byDay = Array.from({ length: 7 }, (_, weekday) =>
    [...dates.keys()].filter((date) => dayOfWeek(isoDate(dates[date]!)) === weekday),
  );
  return therapists.map((therapist) => {
    if (serveFault(therapist, client, wanted.service)) return [];
    return byDay.flatMap((days, weekday) => {
      const found: WeeklySession[] = [];
      for (let from = 0; from + wanted.slots <= SLOTS; from += 2) {
        const span = { from, to: from + wanted.slots };
        if (!windows[weekday]!.some((w) => w.from <= span.from && span.to <= w.to)) continue;
        const fits = (date: number) =>
          isAble(therapist, date, span, false) && !busy[date]?.subarray(span.from, span.to).some((slot) => slot > 0);
        const held = days.filter(fits);
        if (!isHalf(held.length, days.length)) continue;
        const missed = days.filter((date) => !held.includes(date));
        const own = held.reduce((sum, date) => sum + ownCost(therapist, date, span, wanted.service), 0);
        found.push({
          weekday,
          therapist,
          ...span,
          held,
          missed,
          cost: own + POINTS.missed * wanted.slots * missed.length,
        });
      }
      return found;
    });
  });
}

/** A session's weekday and start, as a number. */
const keyOf = ({ weekday, from }: WeeklySession): number => weekday * SLOTS + from;

/** The search for one option. */
class OptionSearch {
  best: readonly WeeklySession[] | null = null;
  total = Infinity;
  private readonly problem: TimesProblem;
  private readonly sessions: readonly (readonly WeeklySession[])[];
  private readonly earlier: readonly ReadonlySet<number>[];
  private readonly left: () => number;
  private readonly mayRepeat: number;
  private steps = 0;
  ended = true;

  constructor(
    problem: TimesProblem,
    sessions: readonly (readonly WeeklySession[])[],
    earlier: readonly FoundTimes[],
    left: () => number,
  ) {
    this.problem = problem;
    this.sessions = sessions;
    this.earlier = earlier.map((option) => new Set(option.sessions.map(keyOf)));
    this.left = left;
    this.mayRepeat = problem.wanted.sessions - Math.ceil(problem.wanted.sessions / 3);
  }

  /** The least own cost of each weekday among these therapists; Infinity where none can. */
  private least(team: readonly number[]): number[] {
    const least = new Array<number>(7).fill(Infinity);
    for (const t of team)
      for (const { weekday, cost } of this.sessions[t]!) least[weekday] = Math.min(least[weekday]!, cost);
    return least;
  }

  /** Tries every team, smaller ones first, and keeps the best; returns a bound for all. */
  run(): number {
    const { wanted, client, therapists } = this.problem;
    const useful = [...therapists.keys()].filter((t) => this.sessions[t]!.length > 0);
    const lowest = sumOfLeast(this.least(useful), wanted.sessions);
    const faces = (team: readonly number[]) =>
      team.reduce((sum, t) => sum + POINTS.face[client.knows[t]!], 0) + POINTS.people * (team.length - 1);
    let bound = Infinity;
    for (let size = 1; size <= Math.min(wanted.people, wanted.sessions); size++) {
      const teams: { team: number[]; bound: number }[] = [];
      const grow = (team: number[], next: number): void => {
        if (this.isLate()) return;
        if (team.length === size) {
          const atLeast = faces(team) + sumOfLeast(this.least(team), wanted.sessions);
          if (atLeast < this.total) teams.push({ team, bound: atLeast });
          return;
        }
        for (let i = next; i < useful.length; i++) {
          const more = [...team, useful[i]!];
          if (faces(more) + POINTS.people * (size - more.length) + lowest < this.total) grow(more, i + 1);
        }
      };
      grow([], 0);
      teams.sort((a, b) => a.bound - b.bound);
      bound = Math.min(bound, this.ended ? (teams[0]?.bound ?? Infinity) : lowest);
      for (const each of teams) {
        if (each.bound >= this.total || this.isLate()) break;
        this.fill(each.team, faces(each.team));
      }
    }
    return this.ended ? this.total : Math.min(bound, this.total);
  }

  private isLate(): boolean {
    if (this.ended && (this.steps++ & 63) === 0 && this.left() <= 0) this.ended = false;
    return !this.ended;
  }

  /** Chooses sessions of the team, weekday by weekday. Each of the team must have one. */
  private fill(team: readonly number[], base: number): void {
    const { wanted, client, weekOf, weeks } = this.problem;
    const byDay = Array.from({ length: 7 }, (_, weekday) =>
      team.flatMap((t) => this.sessions[t]!.filter((s) => s.weekday === weekday)).sort((a, b) => a.cost - b.cost),
    );
    const load = new Map(team.map((t) => [t, new Float64Array(weeks.length)]));
    const spent = new Float64Array(weeks.length);
    const chosen: WeeklySession[] = [];
    /** Books the session; returns what it adds to overload, or null when it would exceed a cap. */
    const book = (session: WeeklySession, sign: 1 | -1): number | null => {
      const own = load.get(session.therapist.index)!;
      let [more, fits] = [0, true];
      for (const date of session.held) {
        const week = weekOf[date]!;
        const before = own[week]!;
        own[week] = before + sign * wanted.slots;
        spent[week]! += sign * wanted.slots;
        more += Math.max(0, own[week] - FULL_WEEK) - Math.max(0, before - FULL_WEEK);
        if (own[week] > session.therapist.caps[week]! || spent[week]! > client.caps[week]!) fits = false;
      }
      return fits ? POINTS.overload * more : null;
    };
    const visit = (weekday: number, cost: number): void => {
      const missing = wanted.sessions - chosen.length;
      if (missing === 0) {
        const isTeam = team.every((t) => chosen.some((s) => s.therapist.index === t));
        if (!isTeam || cost >= this.total) return;
        [this.best, this.total] = [[...chosen], cost];
        return;
      }
      if (7 - weekday < missing || this.isLate()) return;
      const starts = new Set(chosen.map((s) => s.from));
      // A new start is paid once, by at most all of the sessions that are missing.
      const first = starts.size === 0;
      const share = first ? 0 : POINTS.times / missing;
      const rest = byDay.slice(weekday).map((sessions) => {
        let least = Infinity;
        for (const { cost: own, from } of sessions) {
          if (own >= least) break;
          least = Math.min(least, own + (starts.has(from) ? 0 : share));
        }
        return least;
      });
      if (cost + sumOfLeast(rest, missing) >= this.total) return;
      const others = sumOfLeast(rest.slice(1), missing - 1);
      for (const session of byDay[weekday]!) {
        if (cost + session.cost + others >= this.total) break;
        const start = first || starts.has(session.from) ? 0 : POINTS.times;
        if (cost + session.cost + start + (start ? 0 : others) >= this.total) continue;
        chosen.push(session);
        const overload = book(session, 1);
        if (overload !== null && this.differs(chosen)) visit(weekday + 1, cost + session.cost + start + overload);
        book(session, -1);
        chosen.pop();
      }
      visit(weekday + 1, cost);
    };
    visit(0, base);
  }

  /** Whether the chosen sessions do not repeat too much of any earlier option. */
  private differs(chosen: readonly WeeklySession[]): boolean {
    return this.earlier.every(
      (keys) => chosen.reduce((n, session) => n + (keys.has(keyOf(session)) ? 1 : 0), 0) <= this.mayRepeat,
    );
  }
}

/** The sum of the `count` least values. */
function sumOfLeast(values: readonly number[], count: number): number {
  if (count > values.length) return Infinity;
  return [...values]
    .sort((a, b) => a - b)
    .slice(0, count)
    .reduce((a, b) => a + b, 0);
}

export function solveTimes(problem: TimesProblem, left: () => number, options: number): TimesResult {
  const sessions = sessionsOf(problem);
  const found: FoundTimes[] = [];
  while (found.length < options) {
    const search = new OptionSearch(problem, sessions, found, left);
    const bound = search.run();
    if (!search.best) return { options: found, ended: search.ended };
    const last = found.at(-1)?.total ?? 0;
    // An option that was cut short may be dearer than a later one; then no more are shown.
    if (search.total < last) return { options: found, ended: false };
    found.push({ sessions: search.best, total: search.total, bound: Math.min(bound, search.total) });
  }
  return { options: found, ended: true };
}

/** For each session of the options: the other therapists who could hold it, with what each costs more by itself. */
export function othersFor(
  problem: TimesProblem,
  options: readonly FoundTimes[],
): { therapist: Therapist; points: number }[][][] {
  const all = sessionsOf(problem).flat();
  const faceOf = ({ index }: Therapist) => POINTS.face[problem.client.knows[index]!];
  return options.map(({ sessions }) =>
    sessions.map((session) =>
      all
        .filter((s) => keyOf(s) === keyOf(session) && s.therapist !== session.therapist)
        .map(({ therapist, cost }) => ({
          therapist,
          points: cost + faceOf(therapist) - session.cost - faceOf(session.therapist),
        }))
        .sort((a, b) => a.points - b.points || a.therapist.index - b.therapist.index)
        .slice(0, 3),
    ),
  );
}

/** The score of an option, counted again from its sessions. */
export function scoreTimes(
  problem: TimesProblem,
  sessions: readonly WeeklySession[],
): { score: Score; broken: readonly string[] } {
  const { client, wanted } = problem;
  const given = sessions.flatMap(({ therapist, held, from, to }) =>
    held.map((date) => ({ therapist, client, date, from, to, service: wanted.service })),
  );
  const { score, broken } = scoreGiven(problem, given);
  const missed = POINTS.missed * wanted.slots * sessions.reduce((sum, s) => sum + s.missed.length, 0);
  const times = POINTS.times * (new Set(sessions.map((s) => s.from)).size - 1);
  return { score: totalled(score, { missed, times }), broken };
}
