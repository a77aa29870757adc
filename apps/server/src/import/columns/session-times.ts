import type { WallTime } from '@clinic/contract';
import {
  addDays,
  clockTime,
  DAY_END,
  DAY_START,
  MINUTES_A_DAY,
  UNIT_MINUTES,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { clinicsZone, isClinicsZone, splitZone } from './clinic-zone.ts';
import { DAY_RANGE, parseClock, parseDayRange } from './day-times.ts';
import { FIRST_REAL_DATE, hasWeekday, isFarAhead, parseDateAndTime, parseDay, quote, tidy } from '../rows/fields.ts';
import type { Fault } from '../import-types.ts';

type Cell = (name: string) => string;
type Times = Interval & { readonly date: IsoDate };

const isNumber = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);

/** Whether a column of durations cannot be in minutes, because one of them is longer than a day. */
export const areSeconds = (durations: readonly string[]): boolean =>
  durations.some((text) => isNumber(text.trim()) && Number(text) > MINUTES_A_DAY);

/**
 * The times of a session in a row, or the first reason why they cannot be read.
 * @param inSeconds whether the file's durations may be in seconds (`areSeconds`)
 */
export function readTimes(cell: Cell, location: Location, today: IsoDate, inSeconds = false): Times | Fault {
  const duration = tidy(cell('Duration'));
  if (inSeconds && isNumber(duration) && tidy(cell('EndDateTime')) === '')
    return {
      reason: 'bad value',
      text: `Duration is ${quote(duration)}, and other rows have more than the minutes of a day, so these may be seconds: write it like 2:30 or 150 min`,
    };
  const times = timesIn(cell, location);
  if ('reason' in times) return times;
  if (isFarAhead(times.date, today))
    return { reason: 'bad value', text: `its date is ${times.date}, more than two years ahead; check its year` };
  return otherZoneIn(cell, times, location) ?? times;
}

/** Refuses a session if the row's column for the time zone says another than the clinic's. */
function otherZoneIn(cell: Cell, { date, start }: Times, location: Location): Fault | null {
  const zone = tidy(cell('Time Zone'));
  if (zone === '') return null;
  const at = { date, minutes: start };
  const isOurs = isClinicsZone(zone, at, location);
  if (isOurs) return null;
  const why = isOurs === null ? 'it must be a time zone, like America/New_York' : otherZone(at, location);
  return { reason: 'bad value', text: `Time Zone is ${quote(zone)}; ${why}` };
}

function timesIn(cell: Cell, location: Location): Times | Fault {
  const [given, endText] = [tidy(cell('StartDateTime')), tidy(cell('EndDateTime'))];
  const time = tidy(cell('Time'));
  // With a duration beside it, a single time there is the start. Units are often only what is billed.
  const isStart =
    LENGTHS.some(([name]) => name !== 'Units' && tidy(cell(name)) !== '') &&
    parseDateAndTime(cell('Date'), time, location) !== null;
  if (given === '' && endText === '' && time !== '' && !isStart) return readRange(cell, location);
  const startText = given === '' ? time : given;
  const start = parseDateAndTime(cell('Date'), startText, location);
  if (!start) return unread('StartDateTime', cell, location);
  const end = endText === '' ? readLength(cell, start) : parseDateAndTime(cell('Date'), endText, location);
  if (!end) return unread('EndDateTime', cell, location);
  if ('reason' in end) return end;
  const times = end.date === start.date ? without24Hours(startText, endText, start, end) : null;
  if (times) return times;
  if (end.date < start.date || (end.date === start.date && end.minutes <= start.minutes)) {
    return { reason: 'end before start', text: `it ends (${endText}) before it starts (${startText})` };
  }
  if (end.date > start.date) return { reason: 'outside the day', text: 'it runs past midnight' };
  return withinDay({ date: start.date, start: start.minutes, end: end.minutes });
}

/** Why a time cannot be read: it may have the zone of another place, or its date may be what is wrong. */
function unread(name: 'StartDateTime' | 'EndDateTime', cell: Cell, location: Location): Fault {
  const [text, date] = [tidy(cell(name)), tidy(cell('Date'))];
  if (text === '') return { reason: 'missing value', text: `${name} is empty` };
  const zoned = splitZone(text);
  const at = zoned && parseDateAndTime(date, zoned.text);
  const bad = (must: string): Fault => ({ reason: 'bad value', text: `${name} is ${quote(text)}; ${must}` });
  if (at) return bad(otherZone(at, location));
  if (parseClock(text) === null) return bad('it must be a time that exists, like 10/5/2026, 8:30 AM');
  return date === '' ? bad('it has no date, and no column Date has one') : badDate(date);
}

const badDate = (text: string): Fault => ({
  reason: 'bad value',
  text: `Date is ${quote(text)}; it must be a date that exists, like 10/5/2026${hasWeekday(text) ? ', and its day of the week must be right' : ''}`,
});

const PLAIN = /^\d{1,2}:\d{2}(?::00)?$/;

/**
 * Reads `8:00` and `5:00`, which are no session on 24 hours, as the only session within the clinic’s day that they can be.
 */
function without24Hours(startText: string, endText: string, start: WallTime, end: WallTime): Times | null {
  const isSession = start.minutes < end.minutes && start.minutes >= DAY_START && end.minutes <= DAY_END;
  if (isSession || startText === endText || !PLAIN.test(startText) || !PLAIN.test(endText)) return null;
  const range = parseDayRange(startText, endText);
  return range && range.start >= DAY_START && range.end <= DAY_END ? { date: start.date, ...range } : null;
}

/** The columns that say how long a session takes, and how many minutes a number in them is. */
const LENGTHS = [
  ['Hours', 60],
  ['Minutes', 1],
  ['Duration', null],
  ['Units', UNIT_MINUTES],
] as const;

/** Reads the end from how long the session takes, if the row has no end; null if it does not say that either. */
function readLength(cell: Cell, { date, minutes }: WallTime): WallTime | Fault | null {
  for (const [name, unit] of LENGTHS) {
    const text = tidy(cell(name));
    if (text === '') continue;
    const length = parseLength(text, unit);
    if (length === null)
      return {
        reason: 'bad value',
        text: `${name} is ${quote(text)}; it must be ${name === 'Units' ? 'a number of 15-minute units' : 'like 2:30, 2.5 hours or 150 minutes'}`,
      };
    const end = minutes + length;
    return {
      date: end > MINUTES_A_DAY ? addDays(date, 1) : date,
      minutes: end > MINUTES_A_DAY ? end - MINUTES_A_DAY : end,
    };
  }
  return null;
}

/** A number without a unit is hours up to 8, and minutes from 15: what is between could be either. */
const MOST_HOURS = 8;
const FEWEST_MINUTES = 15;

/**
 * Parses `2:30`, `2.5`, `2 hrs 30 min` and `150m`, and of units only a number; null unless it is a whole number of
 * minutes, of at most a day.
 */
function parseLength(text: string, unit: number | null): number | null {
  const clock = /^(?:1899-12-3[01] )?(\d{1,2}):(\d{2})(?::00)?$/.exec(text);
  const words = /^(?:(\d+(?:\.\d+)?) ?h(?:(?:ou)?rs?)?\.?)?(?:,? ?(\d+(?:\.0+)?) ?m(?:in(?:ute)?s?)?\.?)?$/i.exec(text);
  const number = isNumber(text) ? Number(text) : null;
  const guessed =
    number === null || unit !== null ? unit : number <= MOST_HOURS ? 60 : number >= FEWEST_MINUTES ? 1 : null;
  if (unit === UNIT_MINUTES && !Number.isInteger(number)) return null;
  const found = clock
    ? Number(clock[1]) * 60 + Number(clock[2])
    : number !== null
      ? number * (guessed ?? NaN)
      : words
        ? Number(words[1] ?? 0) * 60 + Number(words[2] ?? 0)
        : NaN;
  const whole = Math.round(found);
  // Hours with two digits, such as 0.33, are rounded.
  return Math.abs(found - whole) <= 0.3 && whole > 0 && whole <= MINUTES_A_DAY ? whole : null;
}

const otherZone = (at: WallTime, location: Location): string =>
  `its time zone is not the clinic’s (${clinicsZone(at, location)} on that date); if the clinic’s clock shows this time, remove the zone`;

const RANGE = new RegExp(`^(.*?),? ?${DAY_RANGE}$`, 'i');

/** The range at the end of a text, if there is one, and what is before it. */
function rangeIn(text: string): { readonly before: string; readonly range: Interval | null } {
  const [, before = '', from = '', until = ''] = RANGE.exec(text) ?? [];
  // Equal times are no session: only as working hours would `7-7` mean half a day.
  return { before, range: from === until ? null : parseDayRange(from, until) };
}

/** Whether there is nothing but a range, or a date before it. */
const isRange = ({ before, range }: ReturnType<typeof rangeIn>): boolean =>
  range !== null && (before === '' || parseDay(before) !== null);

/** Reads both times from one column, such as `8:00 AM - 11:00 AM` and `8a-11a`, with the date before them or apart. */
function readRange(cell: Cell, location: Location): Times | Fault {
  const given = tidy(cell('Time'));
  // In `08:00-11:00`, the second time only looks like a zone.
  const zoned = isRange(rangeIn(given)) ? null : splitZone(given);
  const { before, range } = rangeIn(zoned?.text ?? given);
  const date = parseDay(before === '' ? cell('Date') : before);
  const bad = (must: string): Fault => ({ reason: 'bad value', text: `Time is ${quote(given)}; ${must}` });
  if (range === null) return bad('it must be a start and an end, like 8:30 AM - 11:00 AM, with AM or PM');
  if (date === null && before !== '') return bad('before the start there may only be a date that exists');
  if (date === null)
    return tidy(cell('Date')) === '' ? { reason: 'missing value', text: 'Date is empty' } : badDate(cell('Date'));
  const at = { date, minutes: range.start };
  if (zoned && !zoned.isClinics(at, location)) return bad(otherZone(at, location));
  return withinDay({ date, ...range });
}

function withinDay(when: Times): Times | Fault {
  if (when.date < FIRST_REAL_DATE)
    return { reason: 'bad value', text: `its date is ${when.date}; it must be after 2000` };
  if (when.start >= DAY_START && when.end <= DAY_END) return when;
  const day = `${clockTime(DAY_START)} to ${clockTime(DAY_END)}`;
  return { reason: 'outside the day', text: `it lies outside the clinic's day, ${day}` };
}
