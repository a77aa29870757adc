import {
  eachClientMark,
  type Client,
  type ClientBody,
  type ClientMark,
  type Therapist,
  type TherapistBody,
  type WireRestriction,
} from '@clinic/contract';
import {
  clockTime,
  byName,
  parseDate,
  parseTime,
  plainName,
  type Gender,
  type Location,
  type Specialization,
} from '@clinic/domain';
import { FIELD_LABELS } from '../../shared/field-labels.ts';
import { fromTimeField, toTimeField } from '../../shared/time-field.ts';
import { nothingChosen, withChosen, type Choosing } from './restrictions.ts';

/** The profiles pages as data, without drawing: forms, defaults, checks, search, words. Pure. */

export type ProfileKind = 'therapists' | 'clients';
export const KIND_WORDS = {
  therapists: {
    title: 'Therapists',
    one: 'therapist',
    many: 'therapists',
    add: 'Add Therapist',
    search: 'Search therapists...',
  },
  clients: { title: 'Clients', one: 'client', many: 'clients', add: 'Add Client', search: 'Search clients...' },
} as const;

/** One row of the weekly availability, as typed. Days count from Sunday (0). */
export interface WindowRow {
  day_of_week: string;
  start_time: string;
  end_time: string;
  /** The stored window this row came from. */
  id: string;
}

export interface TherapistForm {
  first_name: string;
  last_name: string;
  location: string;
  specialization: string;
  gender: string;
  start_date: string;
  consistency: string;
  availability: WindowRow[];
}

export interface ClientForm extends Record<ClientMark, boolean> {
  first_name: string;
  last_name: string;
  gender: string;
  location: string;
  restrictions: WireRestriction[];
  /** A restriction not yet added; if it is complete, it is saved with the others. */
  adding: Choosing;
}

const NINE_TO_FIVE = { start_time: '09:00', end_time: '17:00', id: '' };
/** PROF-07: what *Add a window* adds. */
export const newWindow = (): WindowRow => ({ day_of_week: '1', ...NINE_TO_FIVE });

/** PROF-07: Monday to Friday, nine to five. */
export const newTherapist = (): TherapistForm => ({
  first_name: '',
  last_name: '',
  location: '',
  specialization: '',
  gender: '',
  start_date: '',
  consistency: '',
  availability: [1, 2, 3, 4, 5].map((day) => ({ day_of_week: String(day), ...NINE_TO_FIVE })),
});

export const newClient = (): ClientForm => ({
  first_name: '',
  last_name: '',
  gender: '',
  location: '',
  restrictions: [],
  adding: nothingChosen(),
  ...eachClientMark(() => false),
});

export const therapistForm = (t: Therapist): TherapistForm => ({
  first_name: t.first_name,
  last_name: t.last_name,
  location: t.location,
  specialization: t.specialization,
  gender: t.gender,
  start_date: t.start_date,
  consistency: t.consistency === null ? '' : String(t.consistency),
  availability: t.availability.map((a) => ({
    day_of_week: String(a.day_of_week),
    start_time: toTimeField(a.start_time),
    end_time: toTimeField(a.end_time),
    id: a.id,
  })),
});

/**
 * What is sent, for a form that passed its checks. `version`: the version that was edited; undefined for a new
 * therapist.
 */
export const therapistBody = (form: TherapistForm, version: number | undefined): TherapistBody => ({
  first_name: form.first_name.trim(),
  last_name: form.last_name.trim(),
  location: form.location as Location,
  specialization: form.specialization as Specialization,
  gender: form.gender as Gender,
  start_date: form.start_date,
  consistency: form.consistency === '' ? null : Number(form.consistency),
  availability: form.availability.map((row) => ({
    ...(row.id ? { id: row.id } : {}),
    day_of_week: Number(row.day_of_week),
    start_time: row.start_time,
    end_time: fromTimeField(row.end_time),
  })),
  ...(version === undefined ? {} : { version }),
});

export const clientForm = (c: Client): ClientForm => ({
  first_name: c.first_name,
  last_name: c.last_name,
  gender: c.gender,
  location: c.location,
  restrictions: c.restrictions.map((r) => ({ ...r })),
  adding: nothingChosen(),
  ...eachClientMark((mark) => c[mark]),
});

export const clientBody = ({ adding, ...form }: ClientForm, version: number | undefined): ClientBody => ({
  ...form,
  restrictions: withChosen(form.restrictions, adding),
  first_name: form.first_name.trim(),
  last_name: form.last_name.trim(),
  gender: form.gender as Gender,
  location: form.location as Location,
  ...(version === undefined ? {} : { version }),
});

/** PROF-06. The sentence beside an empty field, or true. */
export const requiredText = (label: string) => (value: string) => value.trim() !== '' || `${label} is required`;

export const checkStartDate = (value: string): true | string =>
  value === '' ? 'Start date is required' : parseDate(value) !== null || 'Not a date that exists';

export const checkConsistency = (value: string): true | string =>
  value === '' || (/^\d{1,3}$/.test(value) && Number(value) <= 100) || 'A whole number from 0 to 100';

/** What is wrong with a window compared with the others, or true: it is reversed, or overlaps another on its day. */
export function checkWindow(rows: readonly WindowRow[], index: number): true | string {
  const row = rows[index];
  const start = parseTime(row?.start_time ?? '');
  const end = parseTime(fromTimeField(row?.end_time ?? ''));
  if (!row || start === null || end === null) return 'Both times are needed';
  if (end <= start) return `Must be after ${clockTime(start)}`;
  const other = rows.find((o, i) => {
    if (i === index || o.day_of_week !== row.day_of_week) return false;
    const s = parseTime(o.start_time);
    const e = parseTime(fromTimeField(o.end_time));
    return s !== null && e !== null && s < e && s < end && start < e;
  });
  if (!other) return true;
  return `Overlaps ${clockTime(parseTime(other.start_time) ?? 0)} - ${clockTime(parseTime(fromTimeField(other.end_time)) ?? 0)}`;
}

interface Named {
  display_name: string;
  location: string;
}

/**
 * The profiles at the location (null: all) with every typed word in their name, sorted by name. Accents and case are
 * ignored.
 */
export function searchProfiles<P extends Named>(list: readonly P[], typed: string, location: Location | null): P[] {
  const words = plainName(typed).split(' ').filter(Boolean);
  const found = list
    .filter((p) => location === null || p.location === location)
    .filter((p) => words.every((word) => plainName(p.display_name).includes(word)));
  return byName(found, (p) => p.display_name);
}

/** The labels of the fields in which two forms differ, to separate a person's own edits from someone else's. */
export function differences<F extends object>(a: F, b: F, labels: Readonly<Record<keyof F, string>>): string[] {
  const differing = fieldsOf(a).filter((field) => !same(a[field], b[field]));
  return [...new Set(differing.map((field) => labels[field]))];
}

/**
 * A person's own changes on top of someone else's: fields both changed keep the person's own value, all others the
 * newest.
 */
export function mergeEdits<F extends object>(base: F, mine: F, theirs: F): F {
  const merged = { ...theirs };
  for (const field of fieldsOf(mine)) if (!same(mine[field], base[field])) merged[field] = mine[field];
  return merged;
}

const fieldsOf = <F extends object>(form: F): (keyof F)[] => Object.keys(form) as (keyof F)[];
const same = (a: unknown, b: unknown): boolean => JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));

/** Windows are compared by content, not by id or order. */
function comparable(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map((entry: object) =>
      JSON.stringify(
        Object.entries(entry)
          .filter(([k]) => k !== 'id')
          .sort(),
      ),
    )
    .sort();
}

/** A client's fields; a restriction not yet added counts as one of them. */
export const CLIENT_LABELS = { ...FIELD_LABELS, adding: FIELD_LABELS.restrictions };
