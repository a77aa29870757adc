import { clinicLocations, daysBetween, locationOf, type Interval, type IsoDate, type Location } from '@clinic/domain';
import { Temporal } from 'temporal-polyfill';
import { dateIn, minutesAfter } from '../db/wall-time.ts';

/** Whether the clocks of two locations are the same. */
export const sameClock = (a: Location, b: Location): boolean => a === b || locationOf(a).zone === locationOf(b).zone;

/** Whether the clinic has only one clock, so that times at different locations can be compared as they are. */
export const hasOneClock = (): boolean => new Set(clinicLocations().map(({ zone }) => zone)).size <= 1;

/**
 * Converts a moment by one location's clock into minutes after the midnight that begins `date` by another's. Negative
 * on an earlier date, over 1440 on a later one. A time that a clock shows twice, or skips, is the later of the two, as
 * in the database (`instants_of`).
 * @param wall `YYYY-MM-DD HH:MM:SS` at `from`
 */
export function minutesByClockOf(to: Location, date: IsoDate, from: Location, wall: string): number {
  if (sameClock(to, from)) {
    const own = dateIn(wall);
    return daysBetween(date, own) * 1440 + minutesAfter(own, wall);
  }
  const there = Temporal.PlainDateTime.from(wall.replace(' ', 'T'))
    .toZonedDateTime(locationOf(from).zone, { disambiguation: 'later' })
    .withTimeZone(locationOf(to).zone)
    .toPlainDateTime();
  return Temporal.PlainDate.from(date).until(there.toPlainDate()).days * 1440 + there.hour * 60 + there.minute;
}

/** When a session takes place by the clock of `to`, in minutes after the midnight that begins `date` there. */
export function timesByClockOf(
  to: Location,
  date: IsoDate,
  { location, starts, ends }: { readonly location: Location; readonly starts: string; readonly ends: string },
): Interval {
  const start = minutesByClockOf(to, date, location, starts);
  const end = minutesByClockOf(to, date, location, ends);
  // Within the hour that a clock skips, a session keeps its length.
  const length = minutesAfter(dateIn(starts), ends) - minutesAfter(dateIn(starts), starts);
  return { start, end: end > start ? end : start + length };
}
