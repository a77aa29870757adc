import type { Therapist } from '@clinic/contract';
import { addDays, isoDate, shortDate } from '@clinic/domain';
import { Link } from '../../shared/router/link.tsx';
import { FIELD_LABELS as LABELS } from '../../shared/field-labels.ts';
import { handover } from '../../shared/unfit/find-cover.ts';
import { therapistApi } from './api/use-profiles.ts';
import { ListFields } from './components/list-fields.tsx';
import { WeekFields } from './components/week-fields.tsx';
import { WeekPicture, WeekWords } from './components/week.tsx';
import { WordList } from './components/word-list.tsx';
import { dateInWords, fieldsToRead, placeOf } from './form-fields.ts';
import { CREDENTIAL_LIST, credentialWords, TAG_LIST, tagWords } from './list-rows.ts';
import type { ProfileSpec } from './profile-spec.ts';
import {
  newTherapist,
  THERAPIST_FORM,
  therapistBody,
  therapistForm,
  type TherapistBody,
  type TherapistForm,
} from './therapist-form.ts';
import { weeklyHours } from './week.ts';

/** A therapist's profile (PROF-03, PROF-06). */
export const THERAPIST: ProfileSpec<Therapist, TherapistForm, TherapistBody> = {
  kind: 'therapists',
  width: '44rem',
  api: therapistApi,
  blank: newTherapist,
  toForm: therapistForm,
  toBody: therapistBody,
  labels: LABELS,
  standing: (t) =>
    `${t.specialization} at ${placeOf(t.location)} since ${dateInWords(t.start_date).replace(/ \d+,/, '')}`,
  section: 'General Information',
  columns: 3,
  fields: THERAPIST_FORM,
  facts: (t) => fieldsToRead(THERAPIST_FORM, LABELS, t),
  View: ({ profile: t }) => (
    <>
      <h3>
        {LABELS.availability} <span className="small muted">{weeklyHours(t.availability)}</span>
      </h3>
      <WeekPicture windows={t.availability} />
      <WeekWords windows={t.availability} />
      <WordList
        title={CREDENTIAL_LIST.title}
        words={t.credentials.map(credentialWords)}
        none={t.specialization === 'BT' ? undefined : CREDENTIAL_LIST.none}
      />
      <WordList title={TAG_LIST.title} words={t.tags.map(tagWords)} />
      <p>
        <Link to="/standing" search={{ location: t.location, therapist: t.id }}>
          Away for weeks? Find who takes the sessions
        </Link>
      </p>
      {t.end_date === null ? null : (
        <p>
          <Link to="/standing" search={handover(t.location, t.id, addDays(isoDate(t.end_date), 1))}>
            Hand over the children after {shortDate(isoDate(t.end_date))}
          </Link>
        </p>
      )}
    </>
  ),
  Edit: ({ form }) => (
    <>
      <WeekFields form={form} />
      <ListFields form={form} spec={CREDENTIAL_LIST} />
      <ListFields form={form} spec={TAG_LIST} />
    </>
  ),
};
