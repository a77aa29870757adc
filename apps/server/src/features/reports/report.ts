import { dayOfWeek, intersect, minutesOf, subtract, type Interval, type IsoDate, type LossSide } from '@clinic/domain';
import type { ReportBy, ReportFigure } from '@clinic/contract';
import { missedTime, type CareNow, type CareSession } from '../../clinic-day/care-hours.ts';
import type { DayAbsence } from '../../clinic-day/day.ts';
import { isLate, type DayLoss } from '../../clinic-day/losses.ts';
import { awayWindows } from '../../clinic-day/uncovered.ts';
import { explanations } from '../../clinic-day/why-lost.ts';

/** Minutes of a session that were lost for the same reason. */
export interface LossPart {
  /** The cause's id; null when none is given. */
  readonly cause: string | null;
  readonly label: string | null;
  readonly side: LossSide;
  readonly minutes: number;
  /** Whether the loss became known less than 24 hours before the first of these minutes. */
  readonly late: boolean;
}

/** Minutes: `booked` is the sum of `kept`, `lost` and `open`; `covered` and `made_up` are parts of `kept`. */
export type Hours = Record<ReportFigure, number>;

/** A session, and how many of its minutes were kept, lost and open. */
export interface CountedSession {
  readonly session: CareSession;
  readonly hours: Hours;
  readonly losses: readonly LossPart[];
}

const MAKE_UP = /\bmake[- ]?up\b/i;

/** Counts every session; `absences` must hold those of all dates. Pure. */
export function countSessions(
  sessions: readonly CareSession[],
  absences: readonly (DayAbsence & { readonly date: IsoDate })[],
  now: CareNow,
): CountedSession[] {
  const byDate = new Map<IsoDate, DayAbsence[]>();
  for (const absence of absences) byDate.set(absence.date, [...(byDate.get(absence.date) ?? []), absence]);
  const awayOn = new Map([...byDate].map(([date, list]) => [date, awayWindows({ absences: list })]));
  return sessions.map((session) => {
    const missed = missedTime(session, awayOn.get(session.date) ?? new Map<string, Interval[]>(), now);
    const losses = explain(session, missed.lost, byDate.get(session.date) ?? []);
    const booked = session.end - session.start;
    const lost = minutesOf(missed.lost);
    const open = minutesOf(missed.open);
    const kept = booked - lost - open;
    const late = losses.reduce((sum, part) => sum + (part.late ? part.minutes : 0), 0);
    const covered = isCovered(session) ? kept : 0;
    return {
      session,
      losses,
      hours: { booked, kept, lost, open, covered, made_up: MAKE_UP.test(session.subject) ? kept : 0, late },
    };
  });
}

const isCovered = ({ therapistId, bookedTherapistId }: CareSession): boolean =>
  therapistId !== null && bookedTherapistId !== null && therapistId !== bookedTherapistId;

/** Gives each lost minute the first reason that explains it. */
function explain(session: CareSession, lost: readonly Interval[], absences: readonly DayAbsence[]): LossPart[] {
  const parts: LossPart[] = [];
  const say = (stretches: readonly Interval[], loss: DayLoss | null | undefined, side: LossSide): void => {
    const [first] = stretches;
    if (!first) return;
    const start = Math.min(...stretches.map((each) => each.start));
    parts.push({
      cause: loss?.cause ?? null,
      label: loss?.label ?? null,
      side: loss?.lostBy ?? side,
      minutes: minutesOf(stretches),
      late: isLate(loss?.known ?? null, { date: session.date, minutes: start }) ?? false,
    });
  };
  let left: readonly Interval[] = lost;
  for (const each of explanations(session, absences)) {
    say(
      left.flatMap((stretch) => intersect(stretch, each) ?? []),
      each.loss,
      each.side,
    );
    left = subtract(left, [each]);
  }
  // A session that was cancelled by hand counts as the family's loss, and one that no therapist could take as the
  // clinic's.
  say(left, session.loss, session.occupies ? 'clinic' : 'family');
  return parts;
}

/** The session's therapist: the present one or, if there is none, the one who was booked. */
export const holderOf = ({ therapistId, bookedTherapistId }: CareSession): string =>
  therapistId ?? bookedTherapistId ?? '';

/** The groups to which a session belongs, each with its share of the hours. */
export function groupsOf(counted: CountedSession, by: ReportBy): { key: string; hours: Hours }[] {
  const { session, hours, losses } = counted;
  const whole = (key: string) => [{ key, hours }];
  switch (by) {
    case 'total':
      return whole('');
    case 'location':
      return whole(session.location);
    case 'client':
      return whole(session.clientId ?? '');
    case 'therapist':
      return whole(holderOf(session));
    case 'weekday':
      return whole(String(dayOfWeek(session.date)));
    case 'day':
      return whole(session.date);
    case 'cause':
      return losses.map((part) => ({ key: part.cause ?? '', hours: onlyLost(part) }));
    case 'side':
      return losses.map((part) => ({ key: part.side, hours: onlyLost(part) }));
  }
}

const onlyLost = ({ minutes, late }: LossPart): Hours => ({
  ...NONE,
  lost: minutes,
  late: late ? minutes : 0,
});

const NONE: Hours = { booked: 0, kept: 0, lost: 0, open: 0, covered: 0, made_up: 0, late: 0 };

const add = (a: Hours, b: Hours): Hours => ({
  booked: a.booked + b.booked,
  kept: a.kept + b.kept,
  lost: a.lost + b.lost,
  open: a.open + b.open,
  covered: a.covered + b.covered,
  made_up: a.made_up + b.made_up,
  late: a.late + b.late,
});

/** One group of a report. */
export interface Group {
  readonly key: string;
  readonly hours: Hours;
  /** How many sessions the group has; for a cause, how many lost time because of it. */
  readonly sessions: number;
}

/** The sums of each group. */
export function groupHours(counted: readonly CountedSession[], by: ReportBy): Group[] {
  const groups = new Map<string, { hours: Hours; sessions: Set<string> }>();
  for (const each of counted)
    for (const { key, hours } of groupsOf(each, by)) {
      const group = groups.get(key) ?? { hours: NONE, sessions: new Set<string>() };
      groups.set(key, { hours: add(group.hours, hours), sessions: group.sessions.add(each.session.key) });
    }
  return [...groups].map(([key, { hours, sessions }]) => ({ key, hours, sessions: sessions.size }));
}

/** How many minutes of cover each of these therapists took. */
export function coverLoad(counted: readonly CountedSession[], therapists: readonly string[]): Map<string, number> {
  const load = new Map(therapists.map((id) => [id, 0]));
  for (const { session, hours } of counted) {
    const before = load.get(session.therapistId ?? '');
    if (before !== undefined) load.set(session.therapistId ?? '', before + hours.covered);
  }
  return load;
}

/** The middle value; the mean of the two middle ones when their number is even; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}
