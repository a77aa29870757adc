import { sql } from 'kysely';
import {
  addDays,
  formatTime,
  isoDate,
  locationOf,
  locationValues,
  MINUTES_A_DAY,
  parseTime,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { anyOf } from './any-of.ts';

/**
 * Converts a `timestamp` from the database to minutes after the start of `date`; midnight at the end of the date is
 * 1440.
 */
export function minutesAfter(date: IsoDate, timestamp: string): number {
  const minutes = parseTime(timestamp.slice(11, 16));
  if (minutes === null) throw new RangeError('not a calendar time');
  return timestamp.slice(0, 10) > date ? minutes + MINUTES_A_DAY : minutes;
}

/** The date of a `timestamp` from the database. */
export const dateIn = (timestamp: string): IsoDate => isoDate(timestamp.slice(0, 10));

/** Adds the date to a session's row, and its start and end as minutes after that date's midnight. */
export function withTimes<Row extends { readonly starts: string; readonly ends: string }>(row: Row) {
  const date = dateIn(row.starts);
  return { ...row, date, start: minutesAfter(date, row.starts), end: minutesAfter(date, row.ends) };
}

/**
 * Formats a date and the minutes after its midnight as a database `timestamp`: `YYYY-MM-DD HH:MM:00`; 1440 gives
 * midnight of the next day.
 */
export function timestampOf(date: IsoDate, minutes: number): string {
  return minutes >= MINUTES_A_DAY
    ? `${addDays(date, 1)} ${formatTime(minutes - MINUTES_A_DAY)}:00`
    : `${date} ${formatTime(minutes)}:00`;
}

/** The condition that an appointment is on a date, written as a range so that PostgreSQL can use indexes. */
export const onDate = (date: string, table = 'appointment') =>
  sql<boolean>`(${sql.ref(`${table}.starts`)} >= ${date}::timestamp and ${sql.ref(`${table}.starts`)} < ${date}::date + 1)`;

/**
 * The condition that an appointment takes place at the same moments as another one, whatever their locations' clocks
 * show. The dates around it lead PostgreSQL to its indexes on people.
 */
export const meets = (
  { location, starts, ends }: { readonly location: Location; readonly starts: string; readonly ends: string },
  table = 'appointment',
) => sql<boolean>`(${sql.ref(`${table}.starts`)} > ${starts}::timestamp - interval '2 days'
  and ${sql.ref(`${table}.starts`)} < ${ends}::timestamp + interval '2 days'
  and ${sql.ref(`${table}.instants`)} && instants_of(${starts}::timestamp, ${ends}::timestamp, ${locationOf(location).zone}))`;

/**
 * The condition that an appointment is on a date, at any location. It suits queries that do not name people, because it
 * uses the index on locations and dates.
 */
export const onDateAnywhere = (date: string) =>
  sql<boolean>`(location = ${anyOf(locationValues())} and starts::date = ${date}::date)`;
