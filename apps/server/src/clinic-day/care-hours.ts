import { intersect, subtract, type Interval, type IsoDate, type Location, type Service } from '@clinic/domain';
import type { AppointmentStatus } from '../db/schema.ts';
import { plannedFrom } from './grid-plan.ts';
import type { DayLoss } from './losses.ts';
import { uncoveredOf, type AwayWindows } from './uncovered.ts';

/** A session with a client, with what hours are counted from. Minutes after midnight. */
export interface CareSession extends Interval {
  readonly key: string;
  readonly location: Location;
  readonly date: IsoDate;
  readonly clientId: string | null;
  readonly therapistId: string | null;
  /** Who had it before a commit changed it. */
  readonly bookedTherapistId: string | null;
  readonly subject: string;
  readonly service: Service;
  readonly status: AppointmentStatus;
  readonly occupies: boolean;
  /** Why its therapist will not come. */
  readonly declined?: string | undefined;
  readonly loss?: DayLoss;
}

/** The present at the clinic, and where today is cut (null: never, as in the demo clinic). */
export interface CareNow {
  readonly date: IsoDate;
  readonly cut: number | null;
}

/** What of a session is lost, and what still needs cover; the rest is kept. The two do not overlap. */
export interface MissedTime {
  readonly lost: readonly Interval[];
  readonly open: readonly Interval[];
}

/**
 * The one definition of lost hours, for Today and for reports: cancelled, a no-show, the client away, or without a
 * therapist when its time came. Unassigned time is open while it lies ahead.
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
  const clientAway = (away.get(session.clientId ?? '') ?? []).flatMap((window) => intersect(session, window) ?? []);
  const uncovered = uncoveredOf(session, away, null);
  return {
    lost: [...clientAway, ...uncovered.flatMap((stretch) => intersect(stretch, over) ?? [])],
    open: subtract(uncovered, [over]),
  };
}

/** The minutes of a date that are over: all of a past date, none of a future one, and today's up to the cut. */
function overUntil(date: IsoDate, now: CareNow): number {
  if (date !== now.date) return date < now.date ? 1440 : 0;
  return now.cut === null ? 0 : plannedFrom(now.cut);
}
