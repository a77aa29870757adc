/**
 * The shapes of a clinic day: the windows that occur, each with its weight. Parsed times are in minutes after midnight.
 */

import { formatTime, type Interval } from '@clinic/domain';

export const at = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
export const windows = (spec: string): Interval[] =>
  spec.split(' ').map((w) => ({ start: at(w.slice(0, 5)), end: at(w.slice(6)) }));
export const windowOf = (times: { start: string; end: string }): Interval => ({
  start: at(times.start),
  end: at(times.end),
});
export const hourFrom = (start: number): Interval => ({ start, end: start + 60 });
/** Windows as a cover problem writes them. */
export const asTimes = (list: readonly Interval[]): [string, string][] =>
  list.map(({ start, end }) => [formatTime(start), formatTime(end)]);

export const BCBA_DAYS = [
  ['09:00-17:00', 7],
  ['08:00-17:00', 2],
  ['08:00-16:00', 1],
] as const;
export const OTHER_DAYS = [
  ['08:00-16:00', 26],
  ['08:15-15:30', 11],
  ['08:00-13:15', 11],
  ['08:00-12:15 13:00-18:30', 11],
  ['11:45-19:00', 9],
  ['08:00-17:00', 8],
  ['10:00-19:00', 7],
  ['09:00-18:00', 4],
  ['08:00-12:15 14:00-18:30', 4],
  ['12:45-19:00', 4],
  ['09:00-19:00', 3],
  ['08:00-15:00', 3],
  ['09:15-15:30', 1],
  ['09:00-13:15', 2],
] as const;
export const CLIENT_DAYS = [
  ['15:30-18:30', 11],
  ['08:30-12:00 12:45-15:30', 11],
  ['13:00-16:00', 10],
  ['08:00-12:00 13:00-16:00', 10],
  ['08:30-11:30 12:00-15:00', 9],
  ['08:30-11:30 12:30-15:30', 9],
  ['08:00-11:00 12:00-15:00', 8],
  ['10:00-13:00', 4],
  ['08:00-11:30 12:00-14:30', 3],
  ['11:30-14:30', 3],
  ['09:30-12:30 13:30-16:30', 2],
  ['08:30-11:30', 2],
] as const;
export const THERAPIST_ABSENCES = [
  ['00:00-24:00', 62],
  ['00:00-10:00', 12],
  ['12:00-15:30', 10],
  ['13:00-24:00', 9],
  ['09:30-11:15', 7],
] as const;
export const CLIENT_ABSENCES = [
  ['00:00-24:00', 56],
  ['00:00-12:00', 20],
  ['08:30-10:00', 18],
  ['12:00-24:00', 6],
] as const;

export const oneWindow = (spec: string): Interval => windows(spec)[0] as Interval;
