import { byName, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

/** An invitation that has not been used or withdrawn. Times are as the database writes them. */
export interface InvitationRow {
  readonly id: string;
  readonly therapist_id: string;
  readonly display_name: string;
  readonly location: Location;
  readonly email: string;
  readonly expires_at: string;
}

/** Invitations that were neither used nor withdrawn, of therapists who are at the clinic. */
const openOnes = (db: Db) =>
  db
    .selectFrom('invitation as i')
    .innerJoin('therapist as t', 't.id', 'i.therapist_id')
    .select(['i.id', 'i.therapist_id', 'i.email', 'i.expires_at', 't.display_name', 't.location'])
    .where('i.used_at', 'is', null)
    .where('i.withdrawn_at', 'is', null)
    .where('t.deleted_at', 'is', null);

/** The invitations that have not expired at `now` (ISO 8601), by the therapist's name. */
export const selectInvitations = async (db: Db, now: string): Promise<InvitationRow[]> =>
  byName(await openOnes(db).where('i.expires_at', '>', now).execute(), (row) => row.display_name);

export const selectInvitation = (db: Db, id: string): Promise<InvitationRow | undefined> =>
  openOnes(db).where('i.id', '=', id).executeTakeFirst();

/** The invitation to which a link belongs, if the link still works at `now` (ISO 8601). */
export const selectByHash = (db: Db, hash: Buffer, now: string): Promise<InvitationRow | undefined> =>
  openOnes(db).where('i.secret_hash', '=', hash).where('i.expires_at', '>', now).executeTakeFirst();

/** Marks a link as used; when several people try it, only one of them gets true. */
export async function useInvitation(db: Db, id: string, now: string): Promise<boolean> {
  const row = await db
    .updateTable('invitation')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a therapist's open invitation, if there is one. */
export async function withdrawOpen(db: Db, therapistId: string, now: string): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ withdrawn_at: now })
    .where('therapist_id', '=', therapistId)
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute();
}

export interface NewInvitation {
  readonly therapist_id: string;
  readonly email: string;
  readonly secret_hash: Buffer;
  readonly invited_by: string | null;
  readonly invited_at: string;
  readonly expires_at: string;
}

/** Stores an invitation and returns its id. */
export async function insertInvitation(db: Db, row: NewInvitation): Promise<string> {
  const { id } = await db.insertInto('invitation').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A therapist who is at the clinic, locked until the transaction ends so that no one deletes them. */
export const holdTherapist = (db: Db, id: string) =>
  db
    .selectFrom('therapist')
    .select(['id', 'display_name', 'location'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();

/** Whether an account belongs to this therapist. */
export async function hasAccount(db: Db, therapistId: string): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').where('therapist_id', '=', therapistId).executeTakeFirst();
  return row !== undefined;
}
