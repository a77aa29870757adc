/** From a problem as parsed JSON to an answer: reads it, solves it by its kind, and writes what was found. */
import type { Highs } from 'highs';
import { formatTime, slotStart } from '@clinic/domain';
import type { MakeupOption, StandingOption, TimesOption, WarmOption, WeeksAnswer } from './answer.ts';
import { solveMakeup } from './makeup.ts';
import type { Strategy } from './points.ts';
import type { MakeupProblem, Run, StandingProblem, TimesProblem, WarmProblem } from './problem.ts';
import { readProblem } from './read.ts';
import { totalled } from './score.ts';
import { solveStanding, type SolvedStanding } from './standing.ts';
import { othersFor, scoreTimes, solveTimes } from './times.ts';
import { solveWarm } from './warm.ts';
import { whyStanding } from './why.ts';

export interface SolveWeeks {
  /** Loads HiGHS, for the kinds that need it. */
  readonly highs: () => Promise<Highs>;
  /** The seconds that are left. */
  readonly left: () => number;
  /** The most options. */
  readonly options: number;
  /** When given: Option 1, and the option of this strategy if it differs. Only a standing replacement has strategies. */
  readonly strategy?: Strategy | undefined;
}

export async function solveWeeks(value: unknown, how: SolveWeeks): Promise<WeeksAnswer> {
  const read = readProblem(value);
  if (!read.ok) return { format: `${read.kind ?? 'weeks'}-options/1`, options: [], refused: read.refusal };
  const { problem } = read;
  if (problem.kind === 'times') return answerTimes(problem, how);
  const search = { highs: await how.highs(), left: how.left };
  if (problem.kind === 'warm') return { format: 'warm-options/1', options: [answerWarm(problem, search)] };
  if (problem.kind === 'makeup') return { format: 'makeup-options/1', options: [answerMakeup(problem, search)] };
  return answerStanding(problem, search, how);
}

/** Every option is judged before it is returned. A broken rule is an error of the engine, and no answer. */
function mustBeWhole(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(`The engine's answer breaks a rule: ${broken.join('; ')}.`);
}

const timeOf = (slot: number): string => formatTime(slotStart(slot));

const FAILURES = {
  pins_clash: 'The pinned series cannot all keep their pins: together they break a rule.',
  out_of_time: 'Time ran out before a replacement with all pinned series was found.',
};

function answerStanding(
  problem: StandingProblem,
  search: { highs: Highs; left: () => number },
  { options, strategy }: SolveWeeks,
): WeeksAnswer {
  const format = 'standing-options/1';
  const result = solveStanding(problem, search, options, strategy ?? null);
  if (result.failed) return { format, options: [], refused: { code: result.failed, detail: FAILURES[result.failed] } };
  const answer: WeeksAnswer = { format, options: result.options.map((each) => standingOption(problem, each)) };
  return result.unfinished.length > 0 ? { ...answer, unfinished: [...result.unfinished] } : answer;
}

function standingOption(problem: StandingProblem, solved: SolvedStanding): StandingOption {
  const { strategy, label, plan, scored, lead, total, bound } = solved;
  mustBeWhole(scored.broken);
  const why = whyStanding(problem, plan);
  return {
    strategy,
    label,
    proven: bound === total,
    bound,
    score: totalled(scored.score, { lead }),
    series: problem.series.map(({ index, id, dates }) => {
      const day = (at: number): string => problem.dates[dates[at]!]!;
      const runs = plan[index]!.map(({ therapist, from, to, open }: Run) => ({
        therapist: therapist?.id ?? null,
        from: day(from),
        to: day(to - 1),
        ...(open.length > 0 ? { open: open.map(day) } : {}),
      }));
      return { series: id, runs, why: why[index]! };
    }),
  };
}

function answerTimes(problem: TimesProblem, { left, options: most }: SolveWeeks): WeeksAnswer {
  const { options: found, ended } = solveTimes(problem, left, most);
  const others = othersFor(problem, found);
  const options = found.map(({ sessions, total, bound }, i): TimesOption => {
    const { score, broken } = scoreTimes(problem, sessions);
    mustBeWhole(broken);
    return {
      proven: bound === total,
      bound,
      score,
      sessions: sessions.map(({ weekday, from, therapist, missed }, k) => ({
        weekday,
        start: timeOf(from),
        therapist: therapist.id,
        missed: missed.map((date) => problem.dates[date]!),
        knows: problem.client.knows[therapist.index]!,
        others: others[i]![k]!.map((other) => ({ therapist: other.therapist.id, points: other.points })),
      })),
    };
  });
  const answer: WeeksAnswer = { format: 'times-options/1', options };
  if (!ended) return { ...answer, unfinished: [`Option ${options.length + 1}`] };
  return options.length > 0 ? answer : { ...answer, none: 'No therapists and times keep all rules.' };
}

function answerMakeup(problem: MakeupProblem, search: { highs: Highs; left: () => number }): MakeupOption {
  const { pieces, score, broken, bound } = solveMakeup(problem, search);
  mustBeWhole(broken);
  const left = problem.owed.map((owed) => ({
    client: owed.client.id,
    slots: pieces.reduce((slots, piece) => (piece.owed === owed ? slots + piece.from - piece.to : slots), owed.slots),
  }));
  return {
    proven: bound === score.total,
    bound,
    score,
    pieces: pieces.map(({ client, therapist, date, from, to }) => ({
      client: client.id,
      therapist: therapist.id,
      date: problem.dates[date]!,
      start: timeOf(from),
      end: timeOf(to),
      knows: client.knows[therapist.index]!,
    })),
    left: left.filter(({ slots }) => slots > 0),
  };
}

function answerWarm(problem: WarmProblem, search: { highs: Highs; left: () => number }): WarmOption {
  const { overlaps, score, bound } = solveWarm(problem, search);
  const unmet = problem.meetings.map((meeting) => ({
    client: meeting.client.id,
    therapist: meeting.therapist.id,
    times: meeting.times - overlaps.filter((overlap) => overlap.meeting === meeting).length,
  }));
  return {
    proven: bound === score.total,
    bound,
    score,
    overlaps: overlaps.map(({ session, meeting, from, to }) => ({
      session: session.id,
      client: meeting.client.id,
      therapist: meeting.therapist.id,
      date: problem.dates[session.date]!,
      start: timeOf(from),
      end: timeOf(to),
    })),
    unpaid: overlaps.reduce((sum, { from, to }) => sum + to - from, 0),
    unmet: unmet.filter(({ times }) => times > 0),
  };
}
