import { addDays, minutesOf, type IsoDate } from '@clinic/domain';
import { missedTime, type CareNow, type CareSession } from '../ledgers/count/care-hours.ts';
import type { AwayWindows } from '../day/facts/uncovered.ts';

/** The hours of one day, in minutes of sessions with clients: `booked` is `kept` + `lost` + `open`. */
export interface DayHours {
  readonly date: IsoDate;
  readonly booked: number;
  readonly kept: number;
  /**
   * Minutes of cancelled sessions and no-shows, minutes when the client was away, and past minutes without a therapist.
   */
  readonly lost: number;
  /** Minutes that still need cover. */
  readonly open: number;
}

export type WeekSession = Parameters<typeof missedTime>[0] & Pick<CareSession, 'status'>;

/** Counts the hours of the seven days from a Monday. */
export function weekHours(
  monday: IsoDate,
  sessions: readonly WeekSession[],
  awayOn: (date: IsoDate) => AwayWindows,
  now: CareNow,
): DayHours[] {
  return Array.from({ length: 7 }, (_, i) => addDays(monday, i)).map((date) => {
    const away = awayOn(date);
    let booked = 0;
    let lost = 0;
    let open = 0;
    for (const session of sessions.filter((each) => each.date === date)) {
      const missed = missedTime(session, away, now);
      booked += session.end - session.start;
      lost += minutesOf(missed.lost);
      open += minutesOf(missed.open);
    }
    return { date, booked, kept: booked - lost - open, lost, open };
  });
}
