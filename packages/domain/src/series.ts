import { addDays, dayOfWeek, type IsoDate } from './time.ts';

/** How many days ahead sessions of a series without an end are booked: 12 weeks. */
const BOOKING_HORIZON_DAYS = 84;

/** The last date up to which sessions are booked that begin on `from`. */
export const bookingHorizon = (today: IsoDate, from: IsoDate = today): IsoDate =>
  addDays(from > today ? from : today, BOOKING_HORIZON_DAYS - 1);

/** The dates of a weekday from one date through another. */
export function weeklyDates(weekday: number, from: IsoDate, through: IsoDate): IsoDate[] {
  const dates: IsoDate[] = [];
  for (let date = addDays(from, (weekday - dayOfWeek(from) + 7) % 7); date <= through; date = addDays(date, 7))
    dates.push(date);
  return dates;
}
