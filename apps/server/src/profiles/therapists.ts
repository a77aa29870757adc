import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import { THERAPIST_FIELDS, type Therapist, type TherapistBody } from '@clinic/contract';
import type { LocationDay } from '../day/facts/versions.ts';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { refusal } from '../platform/refusal.ts';
import { AVAILABILITY } from './availability.ts';
import { unfitForTherapist } from './therapists.check.ts';
import { contactsOf } from './contacts.ts';
import type { ProfileKind, StoredTherapist } from './profile-kind.ts';
import { CREDENTIALS, TAGS } from './tags.ts';

export const THERAPISTS: ProfileKind<StoredTherapist, TherapistBody, Therapist> = {
  table: 'therapist',
  fields: THERAPIST_FIELDS,
  minuteColumns: { week_hours: 'week_minutes', day_hours: 'day_minutes', guaranteed_hours: 'guaranteed_minutes' },
  lists: { availability: AVAILABILITY, credentials: CREDENTIALS, tags: TAGS, contacts: contactsOf('therapist') },
  leaves: true,
  outsidePlans: ['first_name', 'last_name', 'consistency', 'contacts'],
  present: (row, lists) => ({ ...row, ...lists }),
  unknown: () => refusal('no-such-therapist'),
  checkBody: () => {},
  checkChange: () => Promise.resolve(),
  unfitAfter: unfitForTherapist,
  touchedDays: selectTouchedDays,
};

/**
 * Finds every day with sessions at these locations, which the therapist could cover, and every day when the therapist
 * is booked.
 */
async function selectTouchedDays(trx: Db, id: string, locations: readonly Location[], from: IsoDate) {
  const { rows } = await sql<LocationDay>`
    select location, starts::date as date from appointment
    where location = ${anyOf(locations)} and starts::date >= ${from}::date
    union
    select location, starts::date from appointment where therapist_id = ${id} and starts >= ${from}::timestamp`.execute(
    trx,
  );
  return rows;
}
