import {
  MOST_HOURS,
  NEW_THERAPIST_WEEK,
  type BodyOf,
  type profilesEndpoints,
  type Therapist,
  type THERAPIST_FIELDS,
} from '@clinic/contract';
import { duration, parseHours } from '@clinic/domain';
import { contactRows, contactsTyped, type ContactRow } from './contacts.ts';
import { fromTimeField, toTimeField } from '../../shared/time-field.ts';
import {
  blankFields,
  choiceField,
  dateField,
  fieldsToBody,
  fieldsToForm,
  optionalDateField,
  textField,
  versionIn,
  type FormField,
  type FormFields,
} from './form-fields.ts';
import { credentialRows, credentialsTyped, tagRows, tagsTyped, type ListRow } from './list-rows.ts';
import type { WindowRow } from './week.ts';

/** Pure functions for a therapist's form: its fields, its initial values, and the request body made from it. */

type Names = keyof typeof THERAPIST_FIELDS;

const optionalNumber = {
  required: false,
  toForm: (value: number | null): string => (value === null ? '' : String(value)),
};

const percentField = (hint: string, none: string): FormField<number | null> => ({
  ...optionalNumber,
  input: 'number',
  hint,
  check: (typed) => (/^\d{1,3}$/.test(typed) && Number(typed) <= 100) || 'A whole number from 0 to 100',
  toBody: (typed) => (typed === '' ? null : Number(typed)),
  read: (value) => (value === null ? none : String(value)),
});

/** A field for an optional limit in hours. An empty `hint` means that the field has no hint. */
const hoursField = (hint: string, most: number, none: string): FormField<number | null> => ({
  ...optionalNumber,
  input: 'hours',
  ...(hint === '' ? {} : { hint }),
  check: (typed) => parseHours(typed, 1, most) !== null || `Hours from 1 to ${most}, in quarters such as 37.5`,
  toBody: (typed) => parseHours(typed, 1, most),
  read: (value) => (value === null ? none : duration(value * 60)),
});

export const THERAPIST_FORM: FormFields<Therapist, Names> = {
  first_name: textField(),
  last_name: textField(),
  location: choiceField('location'),
  specialization: choiceField('specialization'),
  gender: choiceField('gender'),
  start_date: dateField(),
  end_date: optionalDateField('not set'),
  week_hours: hoursField('', MOST_HOURS.week, 'the clinic’s limit'),
  day_hours: hoursField('', MOST_HOURS.day, 'no limit'),
  guaranteed_hours: hoursField('a week', MOST_HOURS.week, 'none'),
  consistency: percentField('(0 to 100)', 'not recorded'),
};

export type TherapistBody = BodyOf<typeof profilesEndpoints.createTherapist>;

export interface TherapistForm extends Record<Names, string> {
  availability: WindowRow[];
  credentials: ListRow[];
  tags: ListRow[];
  contacts: ContactRow[];
}

type SentWindow = Pick<Therapist['availability'][number], 'day_of_week' | 'start_time' | 'end_time'> &
  Partial<Therapist['availability'][number]>;

const windowRow = (window: SentWindow): WindowRow => ({
  day_of_week: String(window.day_of_week),
  start_time: toTimeField(window.start_time),
  end_time: toTimeField(window.end_time),
  from_date: window.from_date ?? '',
  until_date: window.until_date ?? '',
  id: window.id ?? '',
});

export const newTherapist = (): TherapistForm => ({
  ...blankFields(THERAPIST_FORM),
  availability: NEW_THERAPIST_WEEK.map(windowRow),
  credentials: [],
  tags: [],
  contacts: [],
});

export const therapistForm = (therapist: Therapist): TherapistForm => ({
  ...fieldsToForm(THERAPIST_FORM, therapist),
  availability: therapist.availability.map(windowRow),
  credentials: credentialRows(therapist.credentials),
  tags: tagRows(therapist.tags),
  contacts: contactRows(therapist),
});

/** The request body. `version`: the version that was edited; undefined for a new therapist. */
export const therapistBody = (form: TherapistForm, version: number | undefined): TherapistBody => ({
  ...fieldsToBody<Therapist, Names>(THERAPIST_FORM, form),
  availability: form.availability.map((row) => ({
    ...(row.id ? { id: row.id } : {}),
    day_of_week: Number(row.day_of_week),
    start_time: row.start_time,
    end_time: fromTimeField(row.end_time),
    ...(row.from_date || row.until_date
      ? { from_date: row.from_date || null, until_date: row.until_date || null }
      : {}),
  })),
  credentials: credentialsTyped(form.credentials),
  tags: tagsTyped(form.tags),
  contacts: contactsTyped(form.contacts),
  ...versionIn(version),
});
