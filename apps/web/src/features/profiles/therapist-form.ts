import {
  NEW_THERAPIST_WEEK,
  type BodyOf,
  type profilesEndpoints,
  type Therapist,
  type THERAPIST_FIELDS,
} from '@clinic/contract';
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

/** Pure functions for a therapist's form: its fields, its first values, and the request body made from it. */

type Names = keyof typeof THERAPIST_FIELDS;

/** A field for an optional whole number between two limits. An empty `hint` means that the field has no hint. */
const numberField = (hint: string, least: number, most: number, none: string, unit = ''): FormField<number | null> => ({
  input: 'number',
  required: false,
  ...(hint === '' ? {} : { hint }),
  check: (typed) =>
    (/^\d{1,3}$/.test(typed) && Number(typed) >= least && Number(typed) <= most) ||
    `A whole number from ${least} to ${most}`,
  toForm: (value) => (value === null ? '' : String(value)),
  toBody: (typed) => (typed === '' ? null : Number(typed)),
  read: (value) => (value === null ? none : `${value}${unit}`),
});

export const THERAPIST_FORM: FormFields<Therapist, Names> = {
  first_name: textField(),
  last_name: textField(),
  location: choiceField('location'),
  specialization: choiceField('specialization'),
  gender: choiceField('gender'),
  start_date: dateField(),
  end_date: optionalDateField('not set'),
  week_hours: numberField('', 1, 80, 'the clinic’s limit', ' h'),
  day_hours: numberField('', 1, 24, 'no limit', ' h'),
  guaranteed_hours: numberField('a week', 1, 80, 'none', ' h'),
  consistency: numberField('(0 to 100)', 0, 100, 'not recorded'),
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
