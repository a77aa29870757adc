import {
  parseStatus,
  parseWireDateTime,
  UNASSIGNED,
  type ImportKind,
  type WallTime,
  type WireStatus,
} from '@clinic/contract';
import {
  addDays,
  characterFault,
  GENDERS,
  dayOfWeek,
  MINUTES_A_DAY,
  MONTHS,
  nameKey,
  oneLine,
  parseDate,
  parseLocation,
  successorOf,
  SPECIALIZATIONS,
  tidyText,
  weekdayName,
  type Gender,
  type IsoDate,
  type Location,
  type Specialization,
} from '@clinic/domain';
import { splitZone } from '../columns/clinic-zone.ts';
import { parseClock } from '../columns/day-times.ts';
import { otherWords } from '../columns/other-words.ts';

/** Trims text, reduces runs of spaces to one, normalizes accents, and removes invisible characters. */
export const tidy = tidyText;

/** Prepares text for a person's record: one line, without control characters, cut at a maximum length. */
export function parseLine(text: string, longest: number): string {
  const line = oneLine(text);
  // Makes sure that no character is cut in half: removes the first of two surrogates if the cut removed the second.
  return line
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

/** A file's name as people see it: control characters and direction marks could make a terminal show another name. */
export const shownName = (name: string, kind: ImportKind): string => parseLine(name, 100) || kind;

/** Shortens text to one quoted line, for a refusal. */
export const quote = (text: string): string => {
  const one = tidy(text);
  return `'${one.length > 60 ? `${one.slice(0, 57)}...` : one}'`;
};

/**
 * Parses a wall time as exports and spreadsheets write it: `10/5/2026, 8:30 AM` (as in the API), `10/5/26 8:30`,
 * `2026-10-05 08:30`, `2026-10-05T08:30:00`, `Oct 5, 2026 8:30a`, `46300.354167`. Returns null for anything else,
 * including a time with a zone, unless it is the zone of `location` on that date: any other time is not the clinic's.
 */
export function parseDateTime(text: string, location?: Location): WallTime | null {
  const wire = parseWireDateTime(text);
  if (wire && wire.offset === undefined) return wire;
  const t = tidy(text);
  const serial = parseSerial(t);
  if (serial) return serial;
  const zoned = location === undefined ? null : splitZone(t);
  if (location !== undefined && zoned) {
    const at = parseDateTime(zoned.text);
    return at && zoned.isClinics(at, location) ? at : null;
  }
  const m = DATE_AND_TIME.exec(t);
  const date = parseWrittenDate(m?.[1] ?? '');
  const minutes = parseClock(m?.[2] ?? '');
  return date === null || minutes === null ? null : { date, minutes };
}

const DATE_AND_TIME = /^(.+?)(?:T|,? )(\d{1,2}(?::\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m?\.?)?| ?[ap]\.?m?\.?))$/i;

/**
 * Parses a date in one of the ways that can mean only one day: `2026-10-05`, `2026/10/5`, `10/5/2026` (the month is
 * first, as everywhere here), `10/5/26`, `20261005`, `Oct 5, 2026`, `October 5 2026`, `5-Oct-2026`, `5 Oct 26`. The name of
 * the day may be beside it, if it is the right one.
 */
function parseWrittenDate(given: string): IsoDate | null {
  const [, day, text = given] = WEEKDAY.exec(given) ?? [];
  const date = parseBareDate(text.replace(WEEKDAY_BEHIND, ''));
  const named = (day ?? WEEKDAY_BEHIND.exec(text)?.[1])?.slice(0, 3).toLowerCase();
  return date !== null && named !== undefined && !weekdayName(dayOfWeek(date)).toLowerCase().startsWith(named)
    ? null
    : date;
}

const DAY_NAME = '(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\\.?';
/** The name of a day before a date, as in `Mon, 10/5/2026`, or behind it, as in `10/5/2026 (Monday)`. */
const WEEKDAY = new RegExp(`^${DAY_NAME},? (.+)$`, 'i');
const WEEKDAY_BEHIND = new RegExp(`,? [(]?${DAY_NAME}[)]?$`, 'i');

/** Whether a date has the name of a day, which must then be that date's. */
export const hasWeekday = (text: string): boolean => WEEKDAY.test(tidy(text)) || WEEKDAY_BEHIND.test(tidy(text));

function parseBareDate(text: string): IsoDate | null {
  const us = /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{2}|\d{4})$/;
  const yearFirst =
    /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$|^(?<year>20\d{2})(?<month>\d{2})(?<day>\d{2})$/;
  const monthFirst = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:, ?| )(?<year>\d{4})$/i;
  const dayFirst = /^(?<day>\d{1,2})(?<mark>[- ])(?<month>[a-z]{3,9})\k<mark>(?<year>\d{2}|\d{4})$/i;
  for (const form of [us, yearFirst, monthFirst, dayFirst]) {
    const { year = '', month = '', day = '' } = form.exec(text)?.groups ?? {};
    if (year === '') continue;
    return parseDate(`${fullYear(year)}-${monthNumber(month).padStart(2, '0')}-${day.padStart(2, '0')}`);
  }
  return parseDate(text);
}

/** The number of a month that is written as a number, by its name, or by the first letters of its name. */
function monthNumber(text: string): string {
  if (/^\d+$/.test(text)) return text;
  const letters = text.toLowerCase();
  const short = letters === 'sept' ? 'sep' : letters;
  const at = MONTHS.findIndex((name) => [name, name.slice(0, 3)].some((each) => each.toLowerCase() === short));
  return String(at + 1);
}

/** The year that spreadsheet programs read for a two-digit year: 1950 to 2049. */
export const fullYear = (text: string): string => (text.length === 4 ? text : `${text < '50' ? '20' : '19'}${text}`);

/**
 * Parses a date as spreadsheets store it: days since the end of 1899, in five digits (1927 to 2173), and the time as a
 * fraction of a day. Spreadsheets show this number in a cell without a date format.
 */
function parseSerial(text: string): WallTime | null {
  if (!/^[1-9]\d{4}(\.\d+)?$/.test(text)) return null;
  const minutes = wholeMinutes(Number(text) * 1440);
  const date = parseDate(new Date(Date.UTC(1899, 11, 30) + minutes * 60_000).toISOString().slice(0, 10));
  return date === null ? null : { date, minutes: minutes % MINUTES_A_DAY };
}

/**
 * Rounds minutes, because spreadsheets store times as fractions that are not exact. The last seconds of a day (the end of
 * an authorization, as payers' portals write it) do not become the next day.
 */
export function wholeMinutes(minutes: number): number {
  const whole = Math.round(minutes);
  return whole % MINUTES_A_DAY === 0 && whole - minutes > HALF_A_SECOND ? whole - 1 : whole;
}

const HALF_A_SECOND = 1 / 120;

/**
 * Parses a date and time from two columns: a date, and a time of day in any form that spreadsheets give it (`8:30 AM`,
 * `08:30`, `8a`, `0.354166667`, and in the cells of a workbook `1899-12-30 08:30`). A date in the time's column wins.
 * The time may have the zone of `location`.
 */
export function parseDateAndTime(dateText: string, timeText: string, location?: Location): WallTime | null {
  const time = tidy(timeText).replace(TIME_ALONE, '');
  const whole = parseDateTime(time, location);
  const date = parseDay(dateText);
  if (whole && (date === null || whole.date >= FIRST_REAL_DATE)) return whole;
  if (date === null) return null;
  if (whole) return { date, minutes: whole.minutes };
  if (/^0?\.\d+$/.test(time)) return { date, minutes: Math.round(Number(time) * MINUTES_A_DAY) };
  const minutes = parseClock(/^\d{3}$/.test(time) ? `0${time}` : time);
  return minutes === null ? parseDateTime(`${date} ${time}`, location) : { date, minutes };
}

/** The days that programs give a time without a date: those from which they count. */
const TIME_ALONE = /^(?:1899-12-3[01]|12\/3[01]\/1899|1904-01-01|0001-01-01|0?1\/0?1\/0001)[T ]/;
/** No clinic has an older session: an earlier date is what programs write when they have only a time. */
export const FIRST_REAL_DATE = '2001-01-01';

/** No clinic knows sessions, hires or authorizations further ahead. */
const MOST_DAYS_AHEAD = 2 * 366;

/** Whether a date is so far ahead that its year must be a slip, such as 2062 for 2026. */
export const isFarAhead = (date: IsoDate, today: IsoDate): boolean => date > addDays(today, MOST_DAYS_AHEAD);

/**
 * Parses a date as `parseWrittenDate` does, or `46300`. Midnight may follow it (`00:00`, `12:00:00 AM`), or
 * the last minute of the day (`23:59:59`, `11:59 PM`), because spreadsheets, databases and portals write some dates
 * that way; midnight also with a zone, as programs write a date that has no time.
 */
export function parseDay(text: string): IsoDate | null {
  const t = tidy(text).replace(
    /[T ](?:0?0:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:\d{2})?|12:00(?::00)? AM|23:59(?::59(?:\.\d+)?)?Z?|11:59(?::59)? PM)$/i,
    '',
  );
  const serial = parseSerial(t);
  if (serial) return [0, MINUTES_A_DAY - 1].includes(serial.minutes) ? serial.date : null;
  return parseWrittenDate(t);
}

interface DatedText {
  readonly text: string;
  readonly from_date: IsoDate | null;
  readonly until_date: IsoDate | null;
}

/** A date, or another word. Only a date with the month's name contains spaces. */
const LIMIT = String.raw`(\S+|[a-z]{3,9}\.? \d{1,2},? ?\d{4}|\d{1,2} [a-z]{3,9} \d{2,4})`;
const DATED = new RegExp(`^(.+?)(?: from ${LIMIT})?(?: (?:until|to) ${LIMIT})?$`, 'i');

/** Splits `CPI from 2026-01-01 until 2026-12-31` into the text and its dates; null when a date cannot be read. */
export function splitDates(part: string): DatedText | null {
  const m = DATED.exec(part);
  const [from, until] = [parseLimit(m?.[2]), parseLimit(m?.[3])];
  if (!m || from === undefined || until === undefined) return null;
  return from !== null && until !== null && from > until
    ? null
    : { text: m[1] ?? '', from_date: from, until_date: until };
}

/** Parses an optional date; undefined when the text is not a date. */
const parseLimit = (text: string | undefined): IsoDate | null | undefined =>
  text === undefined ? null : (parseDay(text) ?? undefined);

/** What a family and the clinic require of a client's therapists. */
export interface ParsedRestrictions {
  readonly requiresGender: Gender[];
  /** Therapists' ids. */
  readonly excludesTherapist: string[];
  readonly careTeamOnly: boolean;
  readonly rbtOrAbove: boolean;
  readonly twoToOne: boolean;
}

/**
 * Parses `gender:female; therapist:T-0016`, `care team only`, `RBT or above` and `2:1`. Returns the part that cannot be
 * read, if there is one.
 */
export function parseRestrictions(text: string): ParsedRestrictions | { wrong: string } {
  const genders = new Set<Gender>();
  const excludes = new Set<string>();
  const flags = new Set<string>();
  for (const part of text.split(/[;\n]/).map(tidy).filter(Boolean)) {
    const m = /^(gender|therapist) ?: ?(.+)$/i.exec(part);
    const gender = parseGender(m?.[2] ?? '');
    const flag = part.toLowerCase().replace(/[-_ ]/g, '');
    if (m?.[1]?.toLowerCase() === 'therapist') excludes.add(tidy(m[2] ?? ''));
    else if (m && gender) genders.add(gender);
    else if (!m && FLAGS.includes(flag)) flags.add(flag);
    else return { wrong: part };
  }
  return {
    requiresGender: [...genders].sort(),
    excludesTherapist: [...excludes],
    careTeamOnly: flags.has('careteamonly'),
    rbtOrAbove: flags.has('rbtorabove'),
    twoToOne: flags.has('2:1'),
  };
}

const FLAGS = ['careteamonly', 'rbtorabove', '2:1'];

const oneOf = <T extends string>(list: readonly T[], text: string): T | null =>
  list.find((each) => nameKey(each) === nameKey(text)) ?? null;

export const parseGender = (text: string): Gender | null =>
  oneOf(GENDERS, text) ?? GENDERS.find((gender) => nameKey(gender.charAt(0)) === nameKey(text)) ?? null;

/** What a refusal says about another credential, such as BCaBA: what that allows differs from payer to payer. */
export const CREDENTIALS_ALLOWED =
  'BCBA, RBT or BT; for another credential, write the one of these whose sessions the therapist may take';

export function parseSpecialization(text: string): Specialization | null {
  const name = text.replace(/[®™]/g, '');
  return (
    oneOf(SPECIALIZATIONS, name) ??
    SPECIALIZATIONS.find((each) => otherWords('credential', each).some((other) => nameKey(other) === nameKey(name))) ??
    null
  );
}
export const parsePlace = (text: string): Location | null => parseLocation(tidy(text));
/** Where a person is: the location of the text, or the one into which it was merged. */
export function parseHome(text: string): Location | null {
  const place = parsePlace(text);
  return place === null ? null : successorOf(place);
}

/** Other names that exports use for statuses, in small letters without spaces and dashes. */
const STATUS_NAMES: ReadonlyMap<string, WireStatus> = new Map([
  ['complete', 'Completed'],
  ['cancel', 'Cancelled'],
  ['cancellation', 'Cancelled'],
  ['noshow', 'No Show'],
  ['delete', 'deleted'],
]);

/**
 * Finds the status that a text stands for, in the API's spelling or as exports spell it: `Canceled`, `NoShow`,
 * `No-Show`. `Canceled by client` and the like are Cancelled.
 */
export function parseExportedStatus(text: string): ReturnType<typeof parseStatus> {
  const letters = nameKey(text).replace(/[-_ ]/g, '');
  return parseStatus(/^cancell?ed/.test(letters) ? 'Cancelled' : (STATUS_NAMES.get(letters) ?? text));
}

/** Whether a therapist cell means that the session has no therapist. */
export const meansUnassigned = (text: string): boolean => ['', nameKey(UNASSIGNED)].includes(nameKey(text));

/**
 * Whether a cell says that it has no value, as people and programs write it: `N/A`, `-`, `None`. Only a column that may be
 * empty is asked this, since a name may be any word.
 */
export const meansNothing = (text: string): boolean =>
  text.length <= LONGEST_NOTHING && /^(?:[-–—]+|n\/a|none|null|nil|tbd|tba)$/i.test(tidy(text));

/** Whether a cell says that its value is not known yet. */
export const meansUndecided = (text: string): boolean => /^tb[ad]$/i.test(tidy(text));

const LONGEST_NOTHING = 20;

/** Whether a therapist cell, if no one has the name, says that the session has no therapist yet. */
export const meansOpen = (text: string): boolean =>
  meansNothing(text) ||
  otherWords('therapist', 'unassigned').includes(
    nameKey(text)
      .replace(/[^a-z]+/g, ' ')
      .trim(),
  );

/** A name or id for a person's record; null if it is empty, too long, or has characters that cannot be stored. */
export function parseName(text: string, longest = 80): string | null {
  const name = tidy(text);
  return name === '' || name.length > longest || characterFault(name) !== null ? null : name;
}
