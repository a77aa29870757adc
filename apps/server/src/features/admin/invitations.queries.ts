import { byName, type IsoDate, type Location } from '@clinic/domain';
import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';
import type { MessageState } from '../../platform/sending/message-state.ts';
import { waiting } from '../../platform/sending/outbox.queries.ts';

/** An invitation that was neither used nor withdrawn. Timestamps are as PostgreSQL writes them. */
export interface InvitationRow {
  readonly id: string;
  readonly therapist_id: string;
  readonly display_name: string;
  readonly location: Location;
  readonly email: string;
  readonly expires_at: string;
  /** The state of the email with the link; null if an administrator hands the link over instead. */
  readonly message: MessageState | null;
}

/** Selects the invitations that were neither used nor withdrawn, except those for deleted therapists. */
const openOnes = (db: Db) =>
  db
    .selectFrom('invitation as i')
    .innerJoin('therapist as t', 't.id', 'i.therapist_id')
    .leftJoin('message as m', 'm.invitation_id', 'i.id')
    .select(['i.id', 'i.therapist_id', 'i.email', 'i.expires_at', 't.display_name', 't.location'])
    .select(
      sql<MessageState | null>`case when m.id is not null then json_build_object('way', m.way, 'released_at', m.released_at,
        'sent_at', m.sent_at, 'failed_at', m.failed_at, 'fault', m.fault, 'dropped_at', m.dropped_at,
        'dropped_why', m.dropped_why) end`.as('message'),
    )
    .where('i.used_at', 'is', null)
    .where('i.withdrawn_at', 'is', null)
    .where('t.deleted_at', 'is', null);

/** Updates only invitations that were neither used nor withdrawn. */
const updateOpen = (db: Db) =>
  db.updateTable('invitation').where('used_at', 'is', null).where('withdrawn_at', 'is', null);

/** Returns the invitations that have not expired at `now` (ISO 8601), sorted by the therapists' names. */
export const selectInvitations = async (db: Db, now: string): Promise<InvitationRow[]> =>
  byName(await openOnes(db).where('i.expires_at', '>', now).execute(), (row) => row.display_name);

export const selectInvitation = (db: Db, id: string): Promise<InvitationRow | undefined> =>
  openOnes(db).where('i.id', '=', id).executeTakeFirst();

/** Returns the invitation to which a link belongs, if the link still works at `now` (ISO 8601). */
export const selectByHash = (db: Db, hash: Buffer, now: string): Promise<InvitationRow | undefined> =>
  openOnes(db)
    .where(sql<boolean>`(i.secret_hash = ${hash} or ${hash} = any(i.mailed_hashes))`)
    .where('i.expires_at', '>', now)
    .executeTakeFirst();

/** Marks an invitation as used. Of several concurrent calls, only one returns true. */
export async function useInvitation(db: Db, id: string, now: string): Promise<boolean> {
  const row = await updateOpen(db)
    .set({ used_at: now })
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends a therapist's open invitation, if there is one. If its email is still waiting to be sent, the email becomes due
 * at once, so that the outbox drops it.
 */
export async function withdrawOpen(db: Db, therapistId: string, now: string): Promise<void> {
  const ended = await updateOpen(db)
    .set({ withdrawn_at: now })
    .where('therapist_id', '=', therapistId)
    .returning('id')
    .execute();
  for (const { id } of ended)
    await db
      .updateTable('message')
      .set({ next_try_at: now })
      .where('invitation_id', '=', id)
      .where(waiting())
      .where('next_try_at', '>', now)
      .execute();
}

/**
 * Stores the hash of a link that is about to be emailed. Returns false if the invitation has ended by `now` (ISO 8601).
 */
export async function addMailedHash(db: Db, id: string, hash: Buffer, now: string): Promise<boolean> {
  const row = await updateOpen(db)
    .set({ mailed_hashes: sql`mailed_hashes || ${hash}::bytea` })
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

interface InvitationMessage {
  /** The invitation's id. */
  readonly id: string;
  readonly location: Location;
  readonly date: IsoDate;
  readonly address: string;
  readonly words: string;
  readonly by: string | null;
  readonly at: string;
}

/** Puts the email for an invitation into the outbox. */
export async function insertInvitationMessage(db: Db, message: InvitationMessage): Promise<void> {
  const { id, by, at, ...rest } = message;
  const about = {
    invitation_id: id,
    person: `invitation:${id}`,
    number: 1,
    version: 'invitation',
    way: 'email',
  } as const;
  const times = { released_at: at, next_try_at: at };
  await db
    .insertInto('message')
    .values({ ...rest, ...about, ...times, released_by: by })
    .execute();
}

export interface NewInvitation {
  readonly therapist_id: string;
  readonly email: string;
  /** The hash of the link's secret; null if the link goes by email, because each email contains a new link. */
  readonly secret_hash: Buffer | null;
  readonly invited_by: string | null;
  readonly invited_at: string;
  readonly expires_at: string;
}

/** Stores an invitation and returns its id. */
export async function insertInvitation(db: Db, row: NewInvitation): Promise<string> {
  const { id } = await db.insertInto('invitation').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/**
 * Returns a therapist who has not been deleted, and locks the row so that no one can delete them before the transaction
 * ends.
 */
export const holdTherapist = (db: Db, id: string) =>
  db
    .selectFrom('therapist')
    .select(['id', 'display_name', 'location'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();

/** Whether a therapist has an account. */
export async function hasAccount(db: Db, therapistId: string): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').where('therapist_id', '=', therapistId).executeTakeFirst();
  return row !== undefined;
}
