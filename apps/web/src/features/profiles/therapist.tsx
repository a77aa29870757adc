import type { Therapist, TherapistBody } from '@clinic/contract';
import { isLocation, locationLabel, longDate, parseDate } from '@clinic/domain';
import { FIELD_LABELS as LABELS } from '../../shared/field-labels.ts';
import { therapistApi } from './api/use-profiles.ts';
import { GenderOptions, LocationOptions, SpecializationOptions } from './components/select-options.tsx';
import { WeekFields } from './components/week-fields.tsx';
import { WeekPicture, WeekWords } from './components/week.tsx';
import {
  checkConsistency,
  checkStartDate,
  newTherapist,
  therapistBody,
  therapistForm,
  type TherapistForm,
} from './model.ts';
import { requiredFields, type ProfileSpec } from './profile-spec.ts';
import { weeklyHours } from './week.ts';

const needed = requiredFields<TherapistForm>(LABELS);
const placeOf = (t: Therapist): string => (isLocation(t.location) ? locationLabel(t.location) : t.location);

/** `March 4, 2024`. */
function dateOf(t: Therapist): string | null {
  const date = parseDate(t.start_date);
  return date && longDate(date).replace(/^\w+, /, '');
}

/** A therapist's profile (PROF-03, PROF-06). */
export const THERAPIST: ProfileSpec<Therapist, TherapistForm, TherapistBody> = {
  kind: 'therapists',
  width: '44rem',
  api: therapistApi,
  blank: newTherapist,
  toForm: therapistForm,
  toBody: therapistBody,
  labels: LABELS,
  standing: (t) => {
    const since = dateOf(t)?.replace(/ \d+,/, '');
    return `${t.specialization} at ${placeOf(t)}${since ? ` since ${since}` : ''}`;
  },
  section: 'General Information',
  columns: 3,
  fields: [
    needed('first_name', 'text'),
    needed('last_name', 'text'),
    needed('location', LocationOptions),
    needed('specialization', SpecializationOptions),
    needed('gender', GenderOptions),
    needed('start_date', 'date', checkStartDate),
    {
      name: 'consistency',
      label: `${LABELS.consistency} (0 to 100)`,
      input: 'numeric',
      required: false,
      check: checkConsistency,
    },
  ],
  facts: (t) => [
    [LABELS.first_name, t.first_name],
    [LABELS.last_name, t.last_name],
    [LABELS.location, placeOf(t)],
    [LABELS.specialization, t.specialization],
    [LABELS.gender, t.gender],
    [LABELS.start_date, dateOf(t) ?? t.start_date],
    [LABELS.consistency, t.consistency === null ? 'not recorded' : String(t.consistency)],
  ],
  View: ({ profile: t }) => (
    <>
      <h3>
        {LABELS.availability} <span className="small muted">{weeklyHours(t.availability)}</span>
      </h3>
      <WeekPicture windows={t.availability} />
      <WeekWords windows={t.availability} />
    </>
  ),
  Edit: WeekFields,
};
