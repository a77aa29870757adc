import { sql } from 'kysely';
import {
  credentialOn,
  groupBy,
  timeSlot,
  type DatedCredential,
  type DatedTag,
  type Gender,
  type IsoDate,
  type Location,
  type Service,
  type Specialization,
} from '@clinic/domain';
import type { UnfitSessions } from '@clinic/contract';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { mayWorkAt } from '../platform/access/caller.ts';
import { selectAllTags, selectCredentials } from './clinic-day.queries.ts';
import { mismatch, type Match } from './match.ts';
import { unmetRequirement, type PaidCode } from './payers.ts';
import { minutesAfter } from '../db/wall-time.ts';

/** A therapist's credentials and tags, with the dates on which each is valid. */
export interface Holdings {
  readonly credentials: readonly DatedCredential[];
  readonly tags: readonly DatedTag[];
}

/** A future session, with everything that decides whether the therapist may keep the session. */
export interface FutureSession {
  readonly id: string;
  readonly date: IsoDate;
  readonly starts: string;
  readonly ends: string;
  readonly location: Location;
  readonly service: Service;
  readonly subject: string;
  readonly client_id: string;
  readonly client: string;
  readonly rbt_or_above: boolean;
  readonly therapist_id: string;
  readonly therapist: string;
  readonly gender: Gender;
  readonly specialization: Specialization;
  readonly deleted_at: unknown;
  readonly requires_gender: readonly Gender[];
  readonly excludes_therapist: readonly string[];
  /** The credentials and tags of the session's therapist. */
  readonly holds: Holdings;
}

/**
 * Selects the sessions of these clients, or of a therapist, that have a therapist and begin after `now` (the time at
 * the session's location, as PostgreSQL writes timestamps).
 */
export async function selectFutureSessions(
  db: Db,
  of: { clients: readonly string[] } | { therapist: string },
  now: string,
): Promise<FutureSession[]> {
  const own = 'clients' in of ? sql`a.client_id = ${anyOf(of.clients)}` : sql`a.therapist_id = ${of.therapist}`;
  const { rows } = await sql<Omit<FutureSession, 'holds'>>`
    select a.id, a.starts::date as date, a.starts, a.ends, a.location, a.service, a.subject,
      a.client_id, c.display_name as client, c.rbt_or_above,
      a.therapist_id, t.display_name as therapist, t.gender, t.specialization, t.deleted_at,
      array(select r.requires_gender from client_restriction r
        where r.client_id = c.id and r.requires_gender is not null) as requires_gender,
      array(select r.excludes_therapist_id from client_restriction r
        where r.client_id = c.id and r.excludes_therapist_id is not null) as excludes_therapist
    from appointment a
    join client c on c.id = a.client_id
    join therapist t on t.id = a.therapist_id
    where ${own} and a.status in ('pending', 'booked') and a.starts > ${now}::timestamp
    order by a.starts, a.id`.execute(db);
  const ids = [...new Set(rows.map((row) => row.therapist_id))];
  const credentials = groupBy(await selectCredentials(db, ids), (row) => row.therapist_id);
  const tags = groupBy(await selectAllTags(db, ids), (row) => row.therapist_id);
  return rows.map((row) => {
    const { therapist_id: id } = row;
    return { ...row, holds: { credentials: credentials.get(id) ?? [], tags: tags.get(id) ?? [] } };
  });
}

/** Returns the credential that the session's therapist has on the session's date. */
export const countsAs = ({ specialization, holds, date }: FutureSession): Specialization =>
  credentialOn(specialization, holds.credentials, date);

/**
 * Says what a payer of these codes requires but the session's therapist does not have on the session's date; null if
 * nothing is missing.
 */
export function unpaid(session: FutureSession, paid: readonly PaidCode[]): string | null {
  const { therapist: name, holds } = session;
  return unmetRequirement(paid, session, { name, credential: countsAs(session), tags: holds.tags });
}

/** The session's client and therapist, as stored. */
function matchOf(session: FutureSession): Match {
  return {
    client: session.client,
    rbtOrAbove: session.rbt_or_above,
    requiresGender: session.requires_gender,
    excludesTherapist: session.excludes_therapist,
    therapist: {
      id: session.therapist_id,
      display_name: session.therapist,
      gender: session.gender,
      specialization: session.specialization,
      counts: countsAs(session),
      deleted_at: session.deleted_at,
    },
  };
}

/** A session that no longer fits after a change, and why. */
export interface UnfitSession {
  readonly session: FutureSession;
  readonly why: string;
}

/**
 * Finds the sessions that fit now but would not after the change.
 * @param changed returns the session's people after the change, on its date
 * @param wrong returns, as a sentence, any other reason why a session no longer fits; null if there is none
 */
export function unfitSessions(
  sessions: readonly FutureSession[],
  changed: (before: Match, session: FutureSession) => Match,
  wrong: (session: FutureSession) => string | null,
): UnfitSession[] {
  return sessions.flatMap((session) => {
    const before = matchOf(session);
    const reason = mismatch(before) === null ? mismatch(changed(before, session)) : null;
    const why = reason ?? wrong(session);
    return why === null ? [] : [{ session, why }];
  });
}

/** The maximum number of sessions that are listed; `total` counts all sessions that no longer fit. */
const MOST_SHOWN = 200;

/**
 * Presents the sessions that no longer fit. The client's name and the reason are included only for an account that may
 * see the session's location.
 */
export function presentUnfit(unfit: readonly UnfitSession[], caller: Parameters<typeof mayWorkAt>[0]): UnfitSessions {
  const sessions = unfit.slice(0, MOST_SHOWN).map(({ session, why }) => ({
    date: session.date,
    time: timeSlot(minutesAfter(session.date, session.starts), minutesAfter(session.date, session.ends)),
    therapist: session.therapist,
    location: session.location,
    ...(mayWorkAt(caller, session.location) ? { client: session.client, why } : {}),
  }));
  return { total: unfit.length, sessions };
}
