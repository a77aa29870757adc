import { MINUTES_A_DAY, addDays, clockTime, isoDate, parseDate, parseTimeOfDay, type IsoDate } from '@clinic/domain';

/** Only this file knows how the API writes a date and time: `M/D/YYYY, h:mm AM/PM`. */
export interface WallTime {
  date: IsoDate;
  /** The time of day, in minutes after midnight. */
  minutes: number;
}

/** A date and time as another server may have written it. */
export interface WrittenTime extends WallTime {
  /** How many minutes its zone is ahead of UTC, if it names a zone; otherwise it is the clinic's wall time. */
  offset?: number;
}

const SPOKEN = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(.+)$/;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:T|,?\s+)(.+?)\s*(?:(Z)|([+-])(\d{2}):?(\d{2})?)?$/i;

/**
 * Parses a date and time as the API writes it, or in another usual form: with seconds, on a 24-hour clock, or ISO with or
 * without a zone. Returns null when the text has yet another form or the date does not exist.
 */
export function parseWireDateTime(text: string): WrittenTime | null {
  const spoken = SPOKEN.exec(text.trim());
  if (spoken) {
    const [, month = '', day = '', year = '', time = ''] = spoken;
    return at(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, time);
  }
  const [, date = '', time = '', utc, sign, hours, minutes = '0'] = ISO.exec(text.trim()) ?? [];
  const read = at(date, time);
  if (!read || (utc === undefined && sign === undefined)) return read;
  const ahead = Number(hours ?? 0) * 60 + Number(minutes);
  return { ...read, offset: sign === '-' ? -ahead : ahead };
}

function at(day: string, time: string): WallTime | null {
  const [date, minutes] = [parseDate(day), parseTimeOfDay(time)];
  return date === null || minutes === null ? null : { date, minutes };
}

/** Formats a date and time for the API; the end of a day (1440) becomes the first minute of the next day. */
export function formatWireDateTime(day: string, minutes: number): string {
  const date = minutes < MINUTES_A_DAY ? day : addDays(isoDate(day), 1);
  return `${Number(date.slice(5, 7))}/${Number(date.slice(8, 10))}/${date.slice(0, 4)}, ${clockTime(minutes)}`;
}
