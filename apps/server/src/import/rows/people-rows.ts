import { MOST_HOURS } from '@clinic/contract';
import { choiceWords, fullName, locationValues, nameKey, parseHours, type IsoDate } from '@clinic/domain';
import { parseAvailability } from './availability.ts';
import { readContacts } from '../columns/contact-columns.ts';
import {
  isFarAhead,
  parseDay,
  parseGender,
  parseName,
  parseHome,
  parseRestrictions,
  parseSpecialization,
  CREDENTIALS_ALLOWED,
  quote,
  tidy,
  type ParsedRestrictions,
} from './fields.ts';
import { readCredentials, readNeeds, readTags } from '../columns/tag-columns.ts';
import type { ClientRecord, Fault, Reason, SourceRow, TherapistRecord } from '../import-types.ts';
import { unknownLocation } from './unknown-location.ts';

/** A therapist or client row after reading: the id and the record, or everything that is wrong with the row. */
export type PersonRow<T> = { id: string; record: T; notes: readonly string[] } | { faults: Fault[] };

type Cell = (name: string) => string;

/** Collects the errors in a row while its values are read, so that the row is refused once, with all its errors. */
class Reader {
  readonly faults: Fault[] = [];
  readonly #row: SourceRow;

  constructor(row: SourceRow) {
    this.#row = row;
    if (row.fault) this.fault('malformed row', row.fault);
  }

  readonly cell: Cell = (name) => this.#row.cells[name] ?? '';

  fault(reason: Reason, text: string): void {
    this.faults.push({ reason, text });
  }

  /** Returns the parsed cell. If parsing fails, records an error and returns the fallback. */
  read<T, F>(name: string, parse: (text: string) => T | null, allowed: string, fallback: F): T | F {
    const text = this.cell(name);
    const value = parse(text);
    if (value !== null) return value;
    if (tidy(text) === '') this.fault('missing value', `${name} is empty`);
    else if (name === 'location') this.faults.push(unknownLocation(text));
    else this.fault('bad value', `${name} is ${quote(text)}; it must be ${allowed}`);
    return fallback;
  }
}

function readPerson(row: SourceRow) {
  const reader = new Reader(row);
  if (row.fault) return { reader, id: '', person: null };
  const id = reader.read('id', (text) => parseName(text, 64), 'an id of at most 64 readable characters', '');
  const firstName = reader.read('first_name', parseName, 'a name of at most 80 readable characters', '');
  const lastName = reader.read('last_name', parseName, 'a name of at most 80 readable characters', '');
  const location = reader.read('location', parseHome, choiceWords(locationValues()), null);
  const gender = reader.read('gender', parseGender, 'Male or Female', null);
  return { reader, id, person: location && gender ? { firstName, lastName, location, gender } : null };
}

export function readTherapist(row: SourceRow, today: IsoDate): PersonRow<TherapistRecord> {
  const { reader, id, person } = readPerson(row);
  if (row.fault) return { faults: reader.faults };
  const specialization = reader.read('specialization', parseSpecialization, CREDENTIALS_ALLOWED, null);
  const startDate = reader.read('start_date', parseDay, 'a date that exists, written YYYY-MM-DD', null);
  if (startDate !== null && isFarAhead(startDate, today))
    reader.fault('bad value', `start_date is ${startDate}; check its year`);
  const endDate = readEndDate(reader, startDate);
  const hours = readHours(reader);
  const consistency = readConsistency(reader);
  const availability = parseAvailability(reader.cell('availability'));
  if ('wrong' in availability) {
    reader.fault(
      'bad value',
      `availability has ${quote(availability.wrong)}; it must be like Mon 8:30 AM-3:30 PM; Tue 9:00 AM-5:00 PM, with AM or PM`,
    );
  }
  if (reader.faults.length > 0 || !person || !specialization || !startDate || 'wrong' in availability) {
    return { faults: reader.faults };
  }
  const { contacts, notes } = readContacts(reader.cell, fullName(person.firstName, person.lastName));
  const read = readTags(reader.cell);
  const issued = readCredentials(reader.cell, specialization);
  return {
    id,
    record: {
      ...person,
      specialization,
      startDate,
      consistency,
      availability: availability.windows,
      ...hours,
      ...(endDate === null ? {} : { endDate }),
      ...(read.tags === null ? {} : { tags: read.tags }),
      ...(issued.credentials === null ? {} : { credentials: issued.credentials }),
      ...(contacts === null ? {} : { contacts }),
    },
    notes: [...notes, ...read.notes, ...issued.notes],
  };
}

function readEndDate(reader: Reader, startDate: IsoDate | null): IsoDate | null {
  if (tidy(reader.cell('end_date')) === '') return null;
  const endDate = reader.read('end_date', parseDay, 'a date that exists, written YYYY-MM-DD', null);
  if (endDate === null || startDate === null || startDate <= endDate) return endDate;
  reader.fault('bad value', `end_date is ${endDate}; it must not be before start_date`);
  return null;
}

/** The hour limits given in the row. */
function readHours(reader: Reader): Pick<TherapistRecord, 'weekHours' | 'dayHours' | 'guaranteedHours'> {
  const weekHours = readLimit(reader, 'week_hours', MOST_HOURS.week);
  const dayHours = readLimit(reader, 'day_hours', MOST_HOURS.day);
  const guaranteedHours = readLimit(reader, 'guaranteed_hours', MOST_HOURS.week);
  return {
    ...(weekHours === null ? {} : { weekHours }),
    ...(dayHours === null ? {} : { dayHours }),
    ...(guaranteedHours === null ? {} : { guaranteedHours }),
  };
}

function readLimit(reader: Reader, name: string, most: number): number | null {
  const text = tidy(reader.cell(name));
  if (text === '') return null;
  const hours = parseHours(text, 1, most);
  if (hours !== null) return hours;
  reader.fault('bad value', `${name} is ${quote(text)}; it must be hours from 1 to ${most}, in quarters such as 37.5`);
  return null;
}

function readConsistency(reader: Reader): number | null {
  const text = tidy(reader.cell('consistency'));
  if (text === '') return null;
  const value = Number(text.replace(/ ?%$/, ''));
  if (Number.isInteger(value) && value >= 0 && value <= 100) return value;
  reader.fault('bad value', `consistency is ${quote(text)}; it must be a whole number from 0 to 100`);
  return null;
}

/** @param therapistId returns the stored id of a therapist named in the file, or null */
export function readClient(
  row: SourceRow,
  therapistId: (id: string) => string | null,
  adminClientName: string,
): PersonRow<ClientRecord> {
  const { reader, id, person } = readPerson(row);
  if (row.fault) return { faults: reader.faults };
  const says = row.cells['restrictions'] !== undefined;
  const restrictions = parseRestrictions(reader.cell('restrictions'));
  if ('wrong' in restrictions) {
    reader.fault(
      'bad value',
      `restrictions has ${quote(restrictions.wrong)}; it must be like gender:female; therapist:T-0016`,
    );
  }
  if (person && nameKey(fullName(person.firstName, person.lastName)) === nameKey(adminClientName)) {
    reader.fault('bad value', `${quote(adminClientName)} is the name of administrative time and cannot be a client's`);
  }
  const excludes = 'wrong' in restrictions ? [] : excluded(reader, restrictions, therapistId);
  const endDate = readEndDate(reader, null);
  if (reader.faults.length > 0 || !person || 'wrong' in restrictions) return { faults: reader.faults };
  const { requiresGender, careTeamOnly, rbtOrAbove, twoToOne } = restrictions;
  const { contacts, notes } = readContacts(reader.cell, fullName(person.firstName, person.lastName));
  const read = readNeeds(reader.cell);
  return {
    id,
    record: {
      ...person,
      ...(says ? { requiresGender, excludesTherapist: excludes, careTeamOnly, rbtOrAbove, twoToOne } : {}),
      ...(endDate === null ? {} : { endDate }),
      ...(read.needs === null ? {} : { needs: read.needs }),
      ...(contacts === null ? {} : { contacts }),
    },
    notes: [...notes, ...read.notes],
  };
}

/**
 * Refuses the row if it excludes an unknown therapist: that therapist may be someone who must never work with this
 * client.
 */
function excluded(
  reader: Reader,
  { excludesTherapist: named }: ParsedRestrictions,
  therapistId: (id: string) => string | null,
): string[] {
  return named
    .flatMap((given) => {
      const id = therapistId(given);
      if (id === null)
        reader.fault(
          'unknown therapist',
          `restrictions names the therapist ${quote(given)}, who is not in the clinic’s list`,
        );
      return id === null ? [] : [id];
    })
    .sort();
}
