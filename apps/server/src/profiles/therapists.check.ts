import { locationLabel } from '@clinic/domain';
import type { TherapistBody } from '@clinic/contract';
import { employmentOf } from '../people/employment.ts';
import { selectFutureSessions, unfitSessions, type UnfitSession } from '../day/future-sessions.ts';
import type { Db } from '../db/connection.ts';
import { selectWindows, windowsToStore } from './availability.ts';
import type { StoredTherapist } from './profile-kind.ts';

/**
 * Finds the therapist's future sessions that would no longer fit after saving this body: those that would break a rule
 * (`session-rules.ts`) that they keep now, and those at the location where the therapist will no longer work. A session
 * at another location than the therapist's is no fault in itself, since some therapists work at several.
 * @param now the clinic's time, as PostgreSQL writes timestamps
 */
export async function unfitForTherapist(
  db: Db,
  before: StoredTherapist,
  body: TherapistBody,
  now: string,
): Promise<UnfitSession[]> {
  const { id } = before;
  const stored = (await selectWindows(db, [id])).get(id) ?? [];
  // A therapist who is not to have any hours has none: the rule is off only for one who never had any.
  const windows =
    body.availability === undefined || (stored.length === 0 && body.availability.length === 0)
      ? undefined
      : windowsToStore(body.availability, stored);
  const { gender, specialization, start_date, credentials, tags } = body;
  const employment = employmentOf({
    start_date,
    end_date: body.end_date === undefined ? before.end_date : body.end_date,
  });
  return unfitSessions(
    await selectFutureSessions(db, { therapist: id }, now),
    (session) => {
      const own = session.therapist;
      const after = {
        gender,
        specialization,
        employment,
        windows: windows ?? own.windows,
        credentials: credentials ?? own.credentials,
        tags: tags ?? own.tags,
      };
      return { ...session, therapist: { ...own, ...after } };
    },
    ({ location }) =>
      location === before.location && body.location !== before.location
        ? `The therapist’s location is no longer ${locationLabel(location)}.`
        : null,
  );
}
