import { compareNames, minutesOf, type Interval } from '@clinic/domain';
import { isHere, type ClinicDay } from '../day/facts/day.ts';
import { helpWindows, reserveWindows } from '../day/reserve.ts';
import { awayWindows } from '../day/facts/uncovered.ts';

/** A therapist who could cover at the location, with the times when they are free. */
export interface Reserve {
  readonly therapist: string;
  readonly credential: string;
  readonly windows: readonly Interval[];
  readonly minutes: number;
}

/**
 * Returns the therapists who are free to cover at the day's location, those with the most free time first.
 * @param closed when the location is closed
 */
export function reserveOf(day: ClinicDay, closed: readonly Interval[], cut: number | null): Reserve[] {
  const away = awayWindows(day);
  return day.therapists
    .filter(isHere)
    .map((therapist) => {
      const booked = day.appointments.filter((a) => a.occupies && a.therapistId === therapist.id);
      const taken = [...booked, ...(away.get(therapist.id) ?? []), ...closed];
      const windows = reserveWindows(helpWindows(day, therapist), taken, cut);
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
