import { nameKey, type Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { meets } from '../db/wall-time.ts';

/** Loads everything that decides whether a therapist may serve a client. */
export async function selectMatch(db: Db, clientId: string, therapistId: string) {
  const client = await db
    .selectFrom('client')
    .select(['rbt_or_above', 'display_name'])
    .where('id', '=', clientId)
    // With this lock, a booking and a change of restrictions at the same moment wait for each other, and the second one
    // sees what the first has changed.
    .forShare()
    .executeTakeFirstOrThrow();
  const therapist = await db
    .selectFrom('therapist')
    .select(['gender', 'specialization', 'display_name', 'deleted_at'])
    .where('id', '=', therapistId)
    .forShare()
    .executeTakeFirstOrThrow();
  const restrictions = await db
    .selectFrom('client_restriction')
    .select(['requires_gender', 'excludes_therapist_id'])
    .where('client_id', '=', clientId)
    .execute();
  return {
    client: client.display_name,
    rbtOrAbove: client.rbt_or_above,
    requiresGender: restrictions.flatMap((restriction) => restriction.requires_gender ?? []),
    excludesTherapist: restrictions.flatMap((restriction) => restriction.excludes_therapist_id ?? []),
    therapist: { ...therapist, id: therapistId },
  };
}

/**
 * Whether another direct session has the client's first seat at that time; if so, a 2:1 client's session gets the
 * second seat.
 */
export async function isFirstSeatTaken(
  trx: Db,
  session: { key: string; location: Location; clientId: string; starts: string; ends: string },
): Promise<boolean> {
  const row = await trx
    .selectFrom('appointment')
    .innerJoin('client', 'client.id', 'appointment.client_id')
    .select('appointment.id')
    .where('client_id', '=', session.clientId)
    .where('client.two_to_one', '=', true)
    .where('appointment.id', '<>', session.key)
    .where('occupies', '=', true)
    .where('service', '=', 'direct')
    .where('seat', '=', 1)
    .where(meets(session))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the group key of another session with the same therapist, time, location and subject; null if there is none.
 */
export async function findGroup(
  trx: Db,
  session: { key: string; location: Location; therapistId: string; subject: string; starts: string; ends: string },
): Promise<string | null> {
  const rows = await trx
    .selectFrom('appointment')
    .select(['group_key', 'subject'])
    .where('id', '<>', session.key)
    .where('group_key', 'is not', null)
    .where('occupies', '=', true)
    .where('location', '=', session.location)
    .where('therapist_id', '=', session.therapistId)
    .where('starts', '=', session.starts)
    .where('ends', '=', session.ends)
    .execute();
  return rows.find((row) => nameKey(row.subject) === nameKey(session.subject))?.group_key ?? null;
}
