import {
  formatTime,
  intersect,
  minutesOf,
  NO_CARE,
  subtract,
  sumOfCare,
  type Care,
  type Interval,
  type IsoDate,
  type Location,
  type LossSide,
  type Service,
} from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { plannedFrom } from '../../day/facts/grid-plan.ts';
import type { Cut, WallPresent } from '../../day/facts/present.ts';
import type { DayLoss } from '../../day/facts/losses.ts';
import { uncoveredOf, type AwayWindows, type Coverable } from '../../day/facts/uncovered.ts';

/** A session with a client, and the facts that decide its hours. Times are minutes after midnight. */
export interface CareSession extends Interval {
  readonly key: string;
  /** The key of the original appointment, if this is a piece cut from it. */
  readonly parentId: string | null;
  readonly location: Location;
  readonly date: IsoDate;
  readonly clientId: string | null;
  readonly therapistId: string | null;
  /** The therapist originally booked, before a commit changed the therapist. */
  readonly bookedTherapistId: string | null;
  readonly subject: string;
  readonly service: Service;
  readonly status: AppointmentStatus;
  readonly occupies: boolean;
  /** Why the therapist will not come; undefined if they will. */
  readonly declined?: string | undefined;
  /** Who is responsible for the time lost because of a decline; undefined if there is no decline. */
  readonly declinedBy?: LossSide | undefined;
  readonly loss?: DayLoss;
}

/**
 * The current date at the clinic, and the minute up to which today counts as past. The minute is null in the demo
 * clinic, where no part of today ever counts as past.
 */
export interface CareNow {
  readonly date: IsoDate;
  readonly cut: number | null;
}

export const careNow = ({ date }: WallPresent, cut: Cut): CareNow => ({ date, cut: cut(date) });

/** The times of a session that are lost, and those that still need cover. The rest of the session is kept. */
export interface MissedTime {
  readonly lost: readonly Interval[];
  readonly open: readonly Interval[];
}

/**
 * Decides which part of a session's time is lost, for the Today page and for reports. Time is lost if the session was
 * cancelled or a no-show, if the client was away, or if it passed without a therapist. Future time without a therapist
 * is open.
 */
export function missedTime(
  session: Pick<
    CareSession,
    'date' | 'start' | 'end' | 'clientId' | 'therapistId' | 'service' | 'occupies' | 'declined'
  >,
  away: AwayWindows,
  now: CareNow,
): MissedTime {
  if (!session.occupies) return { lost: [{ start: session.start, end: session.end }], open: [] };
  const over = { start: 0, end: overUntil(session.date, now) };
  const uncovered = uncoveredOf(session, away, null);
  return {
    lost: [...clientAwayFrom(session, away), ...uncovered.flatMap((stretch) => intersect(stretch, over) ?? [])],
    open: subtract(uncovered, [over]),
  };
}

const clientAwayFrom = (session: Coverable, away: AwayWindows): Interval[] =>
  (away.get(session.clientId ?? '') ?? []).flatMap((window) => intersect(session, window) ?? []);

/**
 * Adds up each client's care of one date as it will be if no one comes to the sessions that still need a therapist: what
 * `missedTime` calls open counts as lost. So the time of day makes no difference.
 */
export function careOfDate(sessions: readonly Coverable[], away: AwayWindows): Map<string, Care> {
  const care = new Map<string, Care>();
  for (const session of sessions) {
    if (session.clientId === null) continue;
    const booked = session.end - session.start;
    const lost = session.occupies
      ? minutesOf([...clientAwayFrom(session, away), ...uncoveredOf(session, away, null)])
      : booked;
    care.set(session.clientId, sumOfCare(care.get(session.clientId) ?? NO_CARE, { booked, lost }));
  }
  return care;
}

/**
 * How many minutes of a date have passed: all for a past date, none for a future date. For today, the minutes up to the
 * end of the current quarter hour (none in the demo clinic).
 */
function overUntil(date: IsoDate, now: CareNow): number {
  if (date !== now.date) return date < now.date ? 1440 : 0;
  return plannedFrom(now.cut);
}

/**
 * Returns the moment, as a database timestamp, from which uncovered time is still open and not lost; null if all dates
 * before `until` are past.
 */
export const openFrom = (until: IsoDate, { date, cut }: CareNow): string | null =>
  until <= date ? null : `${date} ${formatTime(plannedFrom(cut))}`;
