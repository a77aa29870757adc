/**
 * Plans a warm handover (docs/weeks.md): before a leave, each replacement joins sessions of the client, so that
 * the client meets them beside someone they know. An integer program whose columns are overlaps.
 */
import type { Score } from './answer.ts';
import { FULL_WEEK, POINTS } from './points.ts';
import type { JoinedSession, Meeting, Span, WarmProblem } from './problem.ts';
import { minimize, Program, type Search } from './program.ts';
import { addOwnPoints, isAble, ownCost, serveFault } from './serve.ts';
import { totalled } from './score.ts';

export interface Overlap extends Span {
  readonly session: JoinedSession;
  readonly meeting: Meeting;
}

export interface SolvedWarm {
  readonly overlaps: readonly Overlap[];
  readonly score: Score;
  readonly bound: number;
}

const unmetPoints = ({ client }: Meeting): number => Math.round((POINTS.unmet * client.priority) / 100);
const strangerPoints = ({ client }: Meeting): number => Math.round((POINTS.stranger * client.priority) / 100);

/** What an overlap costs by itself. A BCBA who joins gives no therapy, so the points for a BCBA do not count. */
const cost = ({ meeting, session, from, to }: Overlap): number =>
  ownCost(meeting.therapist, session.date, { from, to }, 'supervision');

/** The weekly slots of each therapist: `therapist × weeks + week`. */
function loadOf({ weeks, weekOf }: WarmProblem, overlaps: readonly Overlap[]): Map<number, number> {
  const load = new Map<number, number>();
  for (const { meeting, session, from, to } of overlaps) {
    const key = meeting.therapist.index * weeks.length + weekOf[session.date]!;
    load.set(key, (load.get(key) ?? 0) + to - from);
  }
  return load;
}

function scoreWarm(problem: WarmProblem, overlaps: readonly Overlap[]): Score {
  const score: Score = { admin: 0, face: 0, people: 0, bcba: 0, callin: 0, added: 0, overload: 0, total: 0 };
  for (const { meeting, session, from, to } of overlaps)
    addOwnPoints(score, meeting.therapist, session.date, { from, to }, 'supervision');
  for (const slots of loadOf(problem, overlaps).values())
    score.overload += POINTS.overload * Math.max(0, slots - FULL_WEEK);
  let [unmet, stranger] = [0, 0];
  for (const meeting of problem.meetings) {
    const met = overlaps.filter((overlap) => overlap.meeting === meeting).length;
    unmet += unmetPoints(meeting) * (meeting.times - met);
    if (met === 0) stranger += strangerPoints(meeting);
  }
  return totalled(score, { unmet, stranger });
}

/** Every overlap that keeps the rules by itself. */
function overlapsOf({ meetings, sessions, slots, weekOf }: WarmProblem): Overlap[] {
  return meetings.flatMap((meeting) => {
    const { client, therapist } = meeting;
    if (serveFault(therapist, client, 'direct')) return [];
    return sessions.flatMap((session): Overlap[] => {
      if (session.client !== client) return [];
      const length = Math.min(slots, session.to - session.from);
      const starts = Array.from({ length: session.to - length - session.from + 1 }, (_, i) => session.from + i);
      return starts
        .filter((from) => from === session.from || from % 2 === 0)
        .map((from) => ({ session, meeting, from, to: from + length }))
        .filter((o) => isAble(therapist, session.date, o, false) && length <= therapist.caps[weekOf[session.date]!]!);
    });
  });
}

function warmProgram(problem: WarmProblem, overlaps: readonly Overlap[]): Program {
  const program = new Program();
  const row = (name: string, upper: number, make?: (row: number) => void): number =>
    program.rowNamed(name, -Infinity, upper, make);
  for (const overlap of overlaps) {
    const { session, from, to, meeting } = overlap;
    const { client, therapist, times } = meeting;
    const column = program.column(cost(overlap) - unmetPoints(meeting), 'choice');
    const add = (at: number, value: number) => program.entry(at, column, value);
    const pair = `${client.index} ${therapist.index}`;
    add(row(`meeting ${pair}`, times), 1);
    // Strangers unless they meet: at least 1 of the overlaps and this column.
    add(
      row(`stranger ${pair}`, -1, (at) => program.entry(at, program.column(strangerPoints(meeting), 'follower'), -1)),
      -1,
    );
    add(row(`date ${pair} ${session.date}`, 1), 1);
    for (let slot = from; slot < to; slot++) {
      add(row(`therapist ${therapist.index} ${session.date} ${slot}`, 1), 1);
      add(row(`client ${client.index} ${session.date} ${slot}`, 1), 1);
    }
    const week = problem.weekOf[session.date]!;
    const load = `${therapist.index} ${week}`;
    if (therapist.caps[week]! < Infinity) add(row(`cap ${load}`, therapist.caps[week]!), to - from);
    add(
      row(`over ${load}`, FULL_WEEK, (at) =>
        program.entry(at, program.column(POINTS.overload, 'follower', Infinity), -1),
      ),
      to - from,
    );
  }
  return program;
}

export function solveWarm(problem: WarmProblem, search: Search): SolvedWarm {
  const possible = overlapsOf(problem);
  const program = warmProgram(problem, possible);
  // Meetings without any possible overlap cost the same in every answer; the program leaves out all that is unmet.
  const able = new Set(possible.map(({ meeting }) => meeting));
  const base = problem.meetings.reduce(
    (sum, m) => sum + unmetPoints(m) * m.times + (able.has(m) ? 0 : strangerPoints(m)),
    0,
  );
  const nothing = scoreWarm(problem, []);
  const found = minimize(search, program, nothing.total - base, () => true);
  const columns = [...program.cost.keys()].filter((j) => program.integer[j]);
  const overlaps = possible.filter((_, i) => (found.values?.[columns[i]!] ?? 0) > 0.5);
  const score = scoreWarm(problem, overlaps);
  return { overlaps, score, bound: Math.min(score.total, Math.max(0, found.bound + base)) };
}
