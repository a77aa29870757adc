import type { Authorization, CredentialRecord } from '@clinic/contract';
import {
  AUTHORIZATION_PERIODS,
  codesIn,
  daysBetween,
  MOST_AUTHORIZED_DAYS,
  UNIT_MINUTES,
  type AuthorizationPeriod,
  type IsoDate,
} from '@clinic/domain';
import { otherWords } from '../columns/other-words.ts';
import { CREDENTIALS_ALLOWED, isFarAhead, parseDay, parseHome, parseSpecialization, quote, tidy } from './fields.ts';
import type { Fault, SourceRow } from '../import-types.ts';
import type { PeopleIndex } from '../plan/people-index.ts';
import { unknownLocation } from './unknown-location.ts';

/** The person whom a row is about and the record in it, or why the row cannot be imported. */
export type DetailRow<T> = { readonly person: string; readonly record: T; readonly note?: string } | Fault;

/** The statuses of an authorization that pays for nothing: not granted yet, or not at all. */
const NOT_GRANTED =
  /^(?:denied|rejected|pending|submitted|requested|draft|in (?:review|process|progress)|under review|appeal(?:ed)?|void(?:ed)?|cancell?ed|withdrawn|not (?:approved|submitted|started))\b/i;

const bad = (text: string): Fault => ({ reason: 'bad value', text });

/**
 * Reads the authorization in a row; if it cannot be imported, returns the first reason.
 * @param today the date of the import: the date of the units used, if the row has none
 */
export function readAuthorization(row: SourceRow, clients: PeopleIndex, today: IsoDate): DetailRow<Authorization> {
  const cell = (name: string): string => tidy(row.cells[name] ?? '');
  const person = personOf(row, 'client', clients);
  if ('reason' in person) return person;
  const payer = cell('payer');
  if (payer === '') return { reason: 'missing value', text: 'payer is empty' };
  if (payer.length > 60) return bad('payer is longer than 60 characters');
  const [code, ...others] = codesIn(cell('code'));
  if (code === undefined) return bad(`code is ${quote(cell('code'))}; it must be one of 97151 to 97158`);
  if (others.some((other) => other !== code))
    return bad(`code is ${quote(cell('code'))}; each code must have a row of its own`);
  const dates = datesOf(row, today);
  if ('reason' in dates) return dates;
  const { from_date, until_date } = dates;
  if (from_date === null || until_date === null) {
    return { reason: 'missing value', text: `${from_date === null ? 'from_date' : 'until_date'} is empty` };
  }
  if (daysBetween(from_date, until_date) > MOST_AUTHORIZED_DAYS) return bad('it is for more than two years');
  const status = cell('authorization_status');
  if (NOT_GRANTED.test(status)) return bad(`its status is ${quote(status)}: only what is granted counts`);
  const isHours = areHours(cell('unit_type'));
  if (isHours === null) return bad(`unit_type is ${quote(cell('unit_type'))}; it must be units or hours`);
  const granted = grantedIn(cell, isHours);
  if ('reason' in granted) return granted;
  const { units, period } = granted;
  const number = cell('number').slice(0, 60);
  const used = priorIn(row, isHours, today);
  if ('reason' in used) return used;
  const record = { payer, code, number, from_date, until_date, units, period };
  const left = (why: string): DetailRow<Authorization> => ({
    person: person.id,
    record: { ...record, prior_units: null, prior_until: null },
    note: `the units used were left out: ${why}`,
  });
  if (used.prior_until !== null && period !== 'total')
    return left(`the units are granted for each ${period}, so it is not known which ones were used`);
  if (used.prior_until !== null && used.prior_until < from_date)
    return left(`they were used through ${used.prior_until}, before the authorization begins`);
  return { person: person.id, record: { ...record, ...used } };
}

/** What a row grants in all, each week or each month. */
function grantedIn(
  cell: (name: string) => string,
  isHours: boolean,
): { readonly units: number; readonly period: AuthorizationPeriod } | Fault {
  const per = (['week', 'month'] as const).find((each) => cell(`hours_${each}`) !== '' || cell(`units_${each}`) !== '');
  const whole = cell('units') !== '' || cell('hours') !== '';
  const by = per !== undefined && !whole ? `_${per}` : '';
  const [inUnits, inHours] = [cell(`units${by}`), cell(`hours${by}`)];
  const [asUnits, asHours] = isHours && by === '' ? ['', inHours || inUnits] : [inUnits, inHours];
  if (asUnits === '' && asHours === '') return { reason: 'missing value', text: 'units and hours are empty' };
  const units = unitsIn(asUnits, asHours);
  if (units === null)
    return bad(`units is ${quote(asUnits || asHours)}; it must be a whole number of 15-minute units, from 1 to 100000`);
  if (per !== undefined && by !== '') return { units, period: per };
  const word = cell('period').toLowerCase() || 'total';
  const period = AUTHORIZATION_PERIODS.find((each) => otherWords('period', each).includes(word));
  return period === undefined
    ? bad(`period is ${quote(cell('period'))}; it must be total, week or month`)
    : { units, period };
}

/** The units used, in a row; both values are null if the row has none, or 0. */
function priorIn(
  row: SourceRow,
  isHours: boolean,
  today: IsoDate,
): (Pick<Authorization, 'prior_units'> & { readonly prior_until: IsoDate | null }) | Fault {
  const [given, until] = [tidy(row.cells['prior_units'] ?? ''), tidy(row.cells['prior_until'] ?? '')];
  const units = given === '' ? 0 : (numberIn(given) * (isHours ? 60 : UNIT_MINUTES)) / UNIT_MINUTES;
  if (!Number.isInteger(units) || units > 100_000)
    return bad(`prior_units is ${quote(given)}; it must be a whole number of 15-minute units, up to 100000`);
  if (units === 0) return { prior_units: null, prior_until: null };
  const date = until === '' ? today : parseDay(until);
  if (date === null) return bad(`prior_until is ${quote(until)}; it must be a date that exists`);
  if (date > today) return bad(`prior_until is ${date}; it must not be after today`);
  return { prior_units: units, prior_until: date };
}

/** Reads the credential in a row; if it cannot be imported, returns the first reason. */
export function readCredential(row: SourceRow, therapists: PeopleIndex, today: IsoDate): DetailRow<CredentialRecord> {
  const cell = (name: string): string => tidy(row.cells[name] ?? '');
  const person = personOf(row, 'therapist', therapists);
  if ('reason' in person) return person;
  const credential = parseSpecialization(cell('credential'));
  if (credential === null) return bad(`credential is ${quote(cell('credential'))}; it must be ${CREDENTIALS_ALLOWED}`);
  const dates = datesOf(row, today);
  if ('reason' in dates) return dates;
  return { person: person.id, record: { credential, number: cell('number').slice(0, 60), ...dates } };
}

function personOf(
  row: SourceRow,
  column: 'client' | 'therapist',
  people: PeopleIndex,
): { readonly id: string } | Fault {
  if (row.fault) return { reason: 'malformed row', text: row.fault };
  const id = row.cells[`${column}_id`] ?? '';
  const name = tidy(row.cells[column] ?? '') || id;
  if (tidy(name) === '') return { reason: 'missing value', text: `${column} is empty` };
  const place = row.cells['location'] ?? '';
  const location = parseHome(place);
  if (location === null && tidy(place) !== '') return unknownLocation(place);
  const found = people.find(name, location, null, id);
  return 'reason' in found ? found : { id: found.id };
}

function datesOf(row: SourceRow, today: IsoDate): { from_date: IsoDate | null; until_date: IsoDate | null } | Fault {
  const dates: Record<'from_date' | 'until_date', IsoDate | null> = { from_date: null, until_date: null };
  for (const name of ['from_date', 'until_date'] as const) {
    const text = row.cells[name] ?? '';
    dates[name] = parseDay(text);
    if (dates[name] === null && tidy(text) !== '')
      return bad(`${name} is ${quote(text)}; it must be a date that exists`);
  }
  const { from_date, until_date } = dates;
  if (from_date !== null && isFarAhead(from_date, today)) return bad(`from_date is ${from_date}; check its year`);
  if (from_date !== null && until_date !== null && from_date > until_date) return bad('it ends before it begins');
  return dates;
}

/**
 * Whether the units of a row are hours, by the column for their type; null for another type, such as days. Insurers’
 * own files (X12) write `UN` for units.
 */
function areHours(type: string): boolean | null {
  const words = type.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (/^(?:hours?|hrs?|h|60min(?:utes?)?)$/.test(words)) return true;
  return /^(?:|un|units?|(?:15min(?:utes?)?|quarterhours?)(?:units?)?)$/.test(words) ? false : null;
}

/**
 * Returns the units as given, or computed from the hours; null if the result is not a whole number from 1 to 100,000.
 */
function unitsIn(units: string, hours: string): number | null {
  const found = units === '' ? (numberIn(hours) * 60) / UNIT_MINUTES : numberIn(units);
  return Number.isInteger(found) && found >= 1 && found <= 100_000 ? found : null;
}

/**
 * Parses a number such as `1,600` or `2.5`. Returns NaN for anything else, such as `2,5`, which could mean 2.5 or 25.
 */
const numberIn = (text: string): number =>
  /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : NaN;
