import { addDays, intersect, minutesOf, subtract, type Interval, type IsoDate } from '@clinic/domain';
import { plannedFrom } from '../../clinic-day/grid-plan.ts';
import { uncoveredOf, type AwayWindows } from '../../clinic-day/uncovered.ts';
import type { WeekSession } from './today.queries.ts';

/** One day of a week, in minutes of sessions with clients: `booked` is the sum of `kept`, `lost` and `open`. */
export interface DayHours {
  readonly date: IsoDate;
  readonly booked: number;
  readonly kept: number;
  /** Cancelled, a no-show, the client away, or without a therapist when its time came. */
  readonly lost: number;
  /** Still needs cover. */
  readonly open: number;
}

/** The present at the clinic, and where today is cut (null: never, as in the demo clinic). */
export interface WeekNow {
  readonly date: IsoDate;
  readonly cut: number | null;
}

/** The seven days from a Monday. Unassigned time is open while it lies ahead, and lost once it is over. */
export function weekHours(
  monday: IsoDate,
  sessions: readonly WeekSession[],
  awayOn: (date: IsoDate) => AwayWindows,
  now: WeekNow,
): DayHours[] {
  return Array.from({ length: 7 }, (_, i) => addDays(monday, i)).map((date) => {
    const away = awayOn(date);
    const over: Interval = { start: 0, end: overUntil(date, now) };
    let booked = 0;
    let lost = 0;
    let open = 0;
    for (const session of sessions.filter((each) => each.date === date)) {
      const minutes = session.end - session.start;
      booked += minutes;
      if (!session.occupies) {
        lost += minutes;
        continue;
      }
      const there = minutesOf(subtract([session], away.get(session.clientId ?? '') ?? []));
      const uncovered = uncoveredOf(session, away, null);
      const missed = minutesOf(uncovered.flatMap((stretch) => intersect(stretch, over) ?? []));
      lost += minutes - there + missed;
      open += minutesOf(uncovered) - missed;
    }
    return { date, booked, kept: booked - lost - open, lost, open };
  });
}

/** The minutes of a date that are over: all of a past date, none of a future one, and today's up to the cut. */
function overUntil(date: IsoDate, now: WeekNow): number {
  if (date !== now.date) return date < now.date ? 1440 : 0;
  return now.cut === null ? 0 : plannedFrom(now.cut);
}
