import { clockTime, shortDate, type Location } from '@clinic/domain';
import { clinicNow, wallTime } from './clinic-clock.ts';

/**
 * An instant (ISO 8601) in a location's time zone: `7:12 AM`, or if it is not today, `Fri, Nov 20, 7:12 AM`.
 */
export function instantWords(location: Location, instant: string): string {
  const { date, minutes } = wallTime(location, Date.parse(instant));
  const now = clinicNow();
  const time = clockTime(minutes);
  return now !== null && wallTime(location, now).date === date ? time : `${shortDate(date)}, ${time}`;
}
