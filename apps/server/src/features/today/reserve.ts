import { compareNames, DAY_END, DAY_START, minutesOf, subtract, union, type Interval } from '@clinic/domain';
import type { ClinicDay } from '../../clinic-day/day.ts';
import { plannedFrom } from '../../clinic-day/grid-plan.ts';
import { awayWindows } from '../../clinic-day/uncovered.ts';

/** Shorter free times are of no use for cover. */
const SHORTEST = 30;

/** A therapist of the location with their free windows. */
export interface Reserve {
  readonly therapist: string;
  readonly credential: string;
  readonly windows: readonly Interval[];
  readonly minutes: number;
}

/**
 * The day's reserve: when therapists of the location are available, not away and not booked anywhere, from 7:00 to
 * 19:00, and only after the present where the day is cut. Most free time first.
 */
export function reserveOf(day: ClinicDay, cut: number | null): Reserve[] {
  const away = awayWindows(day);
  const from = Math.max(DAY_START, plannedFrom(cut));
  return day.therapists
    .filter((therapist) => therapist.location === day.location && !therapist.deleted)
    .map((therapist) => {
      const booked = day.appointments.filter((a) => a.occupies && a.therapistId === therapist.id);
      const outside = [
        { start: 0, end: from },
        { start: DAY_END, end: 1440 },
      ];
      const taken = [...booked, ...(away.get(therapist.id) ?? []), ...outside];
      const windows = subtract(union(therapist.available), taken).filter((w) => w.end - w.start >= SHORTEST);
      return {
        therapist: therapist.displayName,
        credential: therapist.credential,
        windows,
        minutes: minutesOf(windows),
      };
    })
    .filter((reserve) => reserve.minutes > 0)
    .sort((a, b) => b.minutes - a.minutes || compareNames(a.therapist, b.therapist));
}
