import { MINUTES_A_DAY, addDays, clockTime, isoDate, parseClockTime, parseDate, type IsoDate } from '@clinic/domain';

/** Only this file knows how the API writes a date and time: `M/D/YYYY, h:mm AM/PM`. */
export interface WallTime {
  date: IsoDate;
  /** The time of day, in minutes after midnight. */
  minutes: number;
}

/** Parses a date and time; returns null when the text has another format or the date does not exist. */
export function parseWireDateTime(text: string): WallTime | null {
  const m = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(.+)$/.exec(text);
  if (!m) return null;
  const date = parseDate(`${m[3]}-${m[1]?.padStart(2, '0')}-${m[2]?.padStart(2, '0')}`);
  const minutes = parseClockTime(m[4] ?? '');
  return date === null || minutes === null ? null : { date, minutes };
}

/** Formats a date and time for the API; the end of a day (1440) becomes the first minute of the next day. */
export function formatWireDateTime(day: string, minutes: number): string {
  const date = minutes < MINUTES_A_DAY ? day : addDays(isoDate(day), 1);
  return `${Number(date.slice(5, 7))}/${Number(date.slice(8, 10))}/${date.slice(0, 4)}, ${clockTime(minutes)}`;
}
