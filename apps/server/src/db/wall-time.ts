import { sql } from 'kysely';
import { addDays, formatTime, isoDate, MINUTES_A_DAY, parseTime, type IsoDate } from '@clinic/domain';

/**
 * Minutes after `date`'s midnight of a `timestamp` as the database writes it; the midnight at the day's end is 1440.
 */
export function minutesAfter(date: IsoDate, timestamp: string): number {
  const minutes = parseTime(timestamp.slice(11, 16));
  if (minutes === null) throw new RangeError('not a time of the calendar');
  return timestamp.slice(0, 10) > date ? minutes + MINUTES_A_DAY : minutes;
}

/** The date of a `timestamp` as the database writes it. */
export const dateIn = (timestamp: string): IsoDate => isoDate(timestamp.slice(0, 10));

/** The `timestamp` of a wall time, `YYYY-MM-DD HH:MM:00`; 1440 is the next day's midnight. */
export function timestampOf(date: IsoDate, minutes: number): string {
  return minutes >= MINUTES_A_DAY
    ? `${addDays(date, 1)} ${formatTime(minutes - MINUTES_A_DAY)}:00`
    : `${date} ${formatTime(minutes)}:00`;
}

/**
 * The condition that an appointment is on a date: a range of its start, which the indexes on people and start can
 * serve.
 */
export const onDate = (date: string, table = 'appointment') =>
  sql<boolean>`(${sql.ref(`${table}.starts`)} >= ${date}::timestamp and ${sql.ref(`${table}.starts`)} < ${date}::date + 1)`;
