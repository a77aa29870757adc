import {
  groupBy,
  intersect,
  minutesOf,
  subtract,
  type Interval,
  type IsoDate,
  type Location,
  type LossSide,
} from '@clinic/domain';
import type { ReportFigure } from '@clinic/contract';
import { billableByKey, UNSAID, type Billing } from './billing.ts';
import { missedTime, type CareNow, type CareSession } from './care-hours.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import { isLate, type DayLoss } from '../../day/facts/losses.ts';
import { awayByDate } from '../../day/facts/uncovered.ts';
import { explanations } from '../../day/facts/why-lost.ts';

/** Minutes of a session that were lost for the same reason. */
export interface LossPart {
  /** The cause's id; null when no cause is recorded. */
  readonly cause: string | null;
  readonly label: string | null;
  readonly side: LossSide;
  readonly minutes: number;
  /** Whether the loss became known less than 24 hours before the first of these minutes. */
  readonly late: boolean;
}

/**
 * In minutes: `booked` is the sum of `kept`, `lost` and `open`; `covered` and `made_up` are parts of `kept`. `billable`
 * is the part of `kept` that may be billed, rounded to whole units.
 */
export type Hours = Record<ReportFigure, number>;

/** A session, and how many of its minutes were kept, lost and open. */
export interface CountedSession {
  readonly session: CareSession;
  readonly hours: Hours;
  /** The parts of the session that were kept. */
  readonly kept: readonly Interval[];
  readonly losses: readonly LossPart[];
}

const MAKE_UP = /\bmake[- ]?up\b/i;

/**
 * Counts the hours of every session. `absences` must include all dates of the sessions. For each client and date,
 * `sessions` must include all of the client's sessions, at any location.
 */
export function countSessions(
  sessions: readonly CareSession[],
  absences: readonly (DayAbsence & { readonly date: IsoDate })[],
  nowAt: (location: Location) => CareNow,
  billing: Billing = UNSAID,
): CountedSession[] {
  const byDate = groupBy(absences, (absence) => absence.date);
  const awayOn = awayByDate(absences);
  const each = sessions.map((session) => {
    const missed = missedTime(session, awayOn(session.date), nowAt(session.location));
    return { session, missed, kept: subtract([session], [...missed.lost, ...missed.open]) };
  });
  const billable = billableByKey(each, billing);
  return each.map(({ session, missed, kept: times }) => {
    const losses = explain(session, missed.lost, byDate.get(session.date) ?? []);
    const booked = session.end - session.start;
    const lost = minutesOf(missed.lost);
    const open = minutesOf(missed.open);
    const kept = booked - lost - open;
    const late = losses.reduce((sum, part) => sum + (part.late ? part.minutes : 0), 0);
    const covered = isCovered(session) ? kept : 0;
    return {
      session,
      kept: times,
      losses,
      hours: {
        booked,
        kept,
        billable: billable.get(session.key) ?? 0,
        lost,
        open,
        covered,
        late,
        made_up: MAKE_UP.test(session.subject) ? kept : 0,
      },
    };
  });
}

const isCovered = ({ therapistId, bookedTherapistId }: CareSession): boolean =>
  therapistId !== null && bookedTherapistId !== null && therapistId !== bookedTherapistId;

/** Assigns each lost minute to the first reason that explains it. */
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
  // No absence explains the remaining minutes. If the session was cancelled by hand, the loss counts as the family's.
  // If the therapist or the family said no, `declinedBy` names who is responsible. If no therapist could take the
  // session, the loss counts as the clinic's.
  say(left, session.loss, session.occupies ? (session.declinedBy ?? 'clinic') : 'family');
  return parts;
}
