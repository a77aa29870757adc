import { modelOf, readPlan, uncoveredStretches, whyNobody, type CoverAnswer, type Pin } from '@clinic/cover-engine';
import { listWords, overlaps, parseTime, sayTime, type Interval } from '@clinic/domain';
import type { ClinicDay, DayAbsence } from '../../day/facts/day.ts';
import { declining } from '../memory/declines.ts';
import { asItIs } from '../../plan/problem/as-it-is.ts';
import { familiarityOf } from '../../plan/problem/plan-figures.ts';
import type { PlannedDay, PlannedSession } from '../../plan/problem/planned-day.ts';
import { toProblem } from '../../plan/problem/to-problem.ts';
import type { Line } from '../lines/line.ts';

/** Who would take the sessions if the person said no. */
export interface PlanB {
  readonly found: boolean;
  /** The plan in words, such as `else Kai Morgan, new to Zuri`, or `no plan B: 3 are with their own clients`. */
  readonly words: string;
  /** Who would come, and when. */
  readonly takers: readonly Taker[];
}

/** The time that someone would take. */
export interface Taker extends Interval {
  readonly therapist: string;
  readonly name: string;
}

/** The parts of a plan B in which someone would already come instead of another. */
export const doubled = (plan: PlanB, taken: readonly Taker[]): Taker[] =>
  plan.takers.filter((own) => taken.some((each) => each.therapist === own.therapist && overlaps(each, own)));

/** Solves a planned day's problem and returns a single plan. */
export type SolveOne = (planned: PlannedDay) => Promise<CoverAnswer>;

const FAMILIARITY = { team: 'on the team of', known: 'knows', new: 'new to' } as const;
/** The maximum number of reasons in a line. */
const MOST_REASONS = 3;

/**
 * Finds the best plan if this person says no and everything else stays as it is.
 * @param taken who would already come instead of someone else, and is not free then
 */
export async function planB(
  day: ClinicDay,
  line: Line,
  now: number | null,
  solveOne: SolveOne,
  taken: readonly Taker[] = [],
): Promise<PlanB> {
  const planned = toProblem(withAway(refused(day, line), taken), { now });
  const keys = new Set(line.sessions.map((s) => s.key));
  const asked = planned.sessions.filter((s) => s.rows.some((row) => keys.has(row.key)) && s.parts.length > 0);
  const kept = planned.sessions.filter((s) => !asked.includes(s)).flatMap(asItIs);
  const answer = await solveKept(planned, kept, solveOne);
  const [option] = answer.options;
  if (!option || asked.length === 0) return none(['this day has double bookings that must be fixed first']);
  // The part of a session that the person keeps is not part of plan B.
  const pieces = new Map(option.sessions.map((s) => [s.session, s.pieces.filter((p) => p.therapist !== line.id)]));
  const isCovered = (s: PlannedSession): boolean => pieces.get(s.id)?.some((p) => p.therapist !== null) ?? false;
  const covered = asked.filter(isCovered);
  if (covered.length === 0) return none(reasons(planned, option.sessions, asked));
  const said = covered.map((s) => {
    const say = (timed: boolean): string => sayCover(planned, s, pieces.get(s.id) ?? [], day, timed);
    return { child: childOf(s, day), short: say(false), timed: say(true) };
  });
  // If the same person covers all of a child's sessions, the person is named once; different people are named with
  // their times.
  const words = said.map(({ child, short, timed }) =>
    said.every((other) => other.child !== child || other.short === short) ? short : timed,
  );
  const left = asked
    .filter((s) => !isCovered(s))
    .map((s) => {
      const child = childOf(s, day);
      return said.some((other) => other.child === child) ? `${child}${timesOf(s.parts)}` : child;
    });
  const takers = covered.flatMap((s) =>
    (pieces.get(s.id) ?? []).flatMap(({ therapist, start, end }): Taker[] =>
      therapist === null
        ? []
        : [{ therapist, name: planned.names[therapist] ?? '', start: parseTime(start) ?? 0, end: parseTime(end) ?? 0 }],
    ),
  );
  return { found: true, words: `else ${[...new Set(words), ...noOneFor(left)].join('; ')}`, takers };
}

/**
 * Returns the day as it would be if this person said no to the line's sessions, or only to the added parts if they keep
 * the rest.
 */
function refused(day: ClinicDay, { id, sessions }: Line): ClinicDay {
  const whole = sessions.filter(({ parts }) => parts === null).flatMap(({ roots }) => roots);
  const away = sessions.flatMap(({ parts }) => (parts ?? []).map((window) => ({ ...window, therapist: id })));
  return withAway(declining(day, id, [...new Set(whole)]), away);
}

/** Returns the day as if these therapists were away then. */
const withAway = (day: ClinicDay, away: readonly Omit<Taker, 'name'>[]): ClinicDay => ({
  ...day,
  absences: [
    ...day.absences,
    ...away.map(({ start, end, therapist: therapistId }): DayAbsence => {
      return { start, end, id: '', location: day.location, therapistId, clientId: null };
    }),
  ],
});

/** The times of a session with a space in front, such as ` 1:00 to 1:30`. */
const timesOf = (parts: readonly Interval[]): string =>
  ` ${sayTime(Math.min(...parts.map((p) => p.start)))} to ${sayTime(Math.max(...parts.map((p) => p.end)))}`;

/** Says which children would have no one, such as `no one for Ida and Zoe`; empty if every child has someone. */
const noOneFor = (children: readonly string[]): string[] =>
  children.length === 0 ? [] : [`no one for ${listWords(children)}`];

const none = (why: readonly string[]): PlanB => ({ found: false, words: `no plan B: ${why.join(', ')}`, takers: [] });

/** Solves with these pins. If some of them clash, solves again without the pins of the sessions in conflict. */
async function solveKept(planned: PlannedDay, kept: readonly Pin[], solveOne: SolveOne): Promise<CoverAnswer> {
  const withPins = (pins: readonly Pin[]): PlannedDay => ({
    ...planned,
    problem: { ...planned.problem, pins: [...pins] },
  });
  const answer = await solveOne(withPins(kept));
  if (!answer.refused) return answer;
  const clashing = new Set(answer.refused.conflicts?.map((c) => c.session));
  return solveOne(withPins(kept.filter((pin) => !clashing.has(pin.session))));
}

/**
 * Says who would come instead, such as `Kai Morgan, new to Zuri`, with the times if asked for or if the session is
 * divided.
 */
function sayCover(
  planned: PlannedDay,
  session: PlannedSession,
  pieces: Pin['pieces'],
  day: ClinicDay,
  timed: boolean,
): string {
  const child = childOf(session, day);
  const times = (p: Pin['pieces'][number]): string =>
    pieces.length === 1 && !timed ? '' : ` ${sayTime(parseTime(p.start) ?? 0)} to ${sayTime(parseTime(p.end) ?? 0)}`;
  return pieces
    .map((piece) => {
      if (piece.therapist === null) return `no one for ${child}${times(piece)}`;
      const name = planned.names[piece.therapist] ?? '';
      return `${name}${times(piece)}, ${FAMILIARITY[familiarityOf(planned, session, piece.therapist)]} ${child}`;
    })
    .join(', then ');
}

/** The child's first name or, for a group, the group's name in lists. */
function childOf(session: PlannedSession, day: ClinicDay): string {
  if (session.rows.length > 1) return session.listedAs;
  return day.clients.find((c) => c.id === session.rows[0]?.clientId)?.firstName ?? '';
}

/**
 * Says why no one else can come, with the most common reasons first. Does not mention that the person on the line said
 * no.
 */
function reasons(
  planned: PlannedDay,
  sessions: Parameters<typeof readPlan>[1],
  asked: readonly PlannedSession[],
): string[] {
  const model = modelOf(planned.problem);
  const { plan } = readPlan(model, sessions);
  const ids = new Set(asked.map((s) => s.id));
  const [stretch] = uncoveredStretches(model, plan).filter((s) => ids.has(model.parts[s.part]?.session.id ?? ''));
  if (!stretch) return ['nothing is left to cover'];
  return whyNobody(model, plan, stretch)
    .groups.filter((group) => group.bar !== 'declined')
    .sort((a, b) => b.therapists.length - a.therapists.length)
    .slice(0, MOST_REASONS)
    .map((group) => group.text);
}
