import { byName, type IsoDate, type Location } from '@clinic/domain';
import type { Role } from '@clinic/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { MessageState } from '../platform/sending/message-state.ts';
import { lastDayBy } from '../access/sessions.ts';
import { waiting } from '../platform/sending/outbox.queries.ts';

/** An invitation that was neither used nor withdrawn. Timestamps are as PostgreSQL writes them. */
export interface InvitationRow {
  readonly id: string;
  /** The invited therapist; null for a colleague. */
  readonly therapist_id: string | null;
  readonly display_name: string;
  readonly role: Role;
  /** The locations of the account that it makes: a therapist's own, or a colleague's; null for all. */
  readonly locations: Location[] | null;
  readonly email: string;
  /** Who made the invitation. */
  readonly invited_by: string | null;
  readonly expires_at: string;
  /** The state of the email with the link; null if an administrator hands the link over instead. */
  readonly message: MessageState | null;
}

/** Selects the invitations that were neither used nor withdrawn, except those for therapists who have left by `at`. */
const openOnes = (db: Db, at: string) =>
  db
    .selectFrom('invitation as i')
    .leftJoin('therapist as t', 't.id', 'i.therapist_id')
    .leftJoin('message as m', 'm.invitation_id', 'i.id')
    .select(['i.id', 'i.therapist_id', 'i.email', 'i.expires_at', 'i.role', 'i.invited_by'])
    .select(sql<string>`coalesce(t.display_name, i.name, '')`.as('display_name'))
    .select(sql<Location[] | null>`case when t.id is null then i.locations else array[t.location] end`.as('locations'))
    .select(
      sql<MessageState | null>`case when m.id is not null then json_build_object('way', m.way, 'released_at', m.released_at,
        'sent_at', m.sent_at, 'failed_at', m.failed_at, 'fault', m.fault, 'dropped_at', m.dropped_at,
        'dropped_why', m.dropped_why) end`.as('message'),
    )
    .where('i.used_at', 'is', null)
    .where('i.withdrawn_at', 'is', null)
    .where((eb) => eb.or([eb('i.therapist_id', 'is', null), isHere(at)]));

/** Whether a therapist was not deleted, and their last day has not passed by `at` (ISO 8601). */
const isHere = (at: string) =>
  sql<boolean>`t.id is not null and t.deleted_at is null and (t.end_date is null or t.end_date >= ${lastDayBy(at)}::date)`;

/** Updates only invitations that were neither used nor withdrawn. */
const updateOpen = (db: Db) =>
  db.updateTable('invitation').where('used_at', 'is', null).where('withdrawn_at', 'is', null);

/** Returns the invitations that have not expired at `now` (ISO 8601), sorted by the therapists' names. */
export const selectInvitations = async (db: Db, now: string): Promise<InvitationRow[]> =>
  byName(await openOnes(db, now).where('i.expires_at', '>', now).execute(), (row) => row.display_name);

export const selectInvitation = (db: Db, id: string, now: string): Promise<InvitationRow | undefined> =>
  openOnes(db, now).where('i.id', '=', id).executeTakeFirst();

/** Returns the invitation to which a link belongs, if the link still works at `now` (ISO 8601). */
export const selectByHash = (db: Db, hash: Buffer, now: string): Promise<InvitationRow | undefined> =>
  openOnes(db, now)
    .where(sql<boolean>`(i.secret_hash = ${hash} or ${hash} = any(i.mailed_hashes))`)
    .where('i.expires_at', '>', now)
    .executeTakeFirst();

/** Returns the newest invitation for an email that can still be used at `now` (ISO 8601). */
export const selectByEmail = (db: Db, email: string, now: string): Promise<InvitationRow | undefined> =>
  openOnes(db, now)
    .where('i.email', '=', email)
    .where('i.expires_at', '>', now)
    .orderBy('i.invited_at', 'desc')
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

/** Whom an invitation is for: a therapist, or a colleague with this email. */
export type Invited = { readonly therapistId: string } | { readonly email: string };

export const invitedBy = ({
  therapist_id: therapistId,
  email,
}: Pick<InvitationRow, 'therapist_id' | 'email'>): Invited => (therapistId === null ? { email } : { therapistId });

/** The open invitation of a person, expired or not. */
export async function findOpen(
  db: Db,
  whom: Invited,
): Promise<{ id: string; locations: Location[] | null } | undefined> {
  const query = db
    .selectFrom('invitation')
    .select(['id', 'locations'])
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null);
  return 'therapistId' in whom
    ? query.where('therapist_id', '=', whom.therapistId).executeTakeFirst()
    : query.where('therapist_id', 'is', null).where('email', '=', whom.email).executeTakeFirst();
}

/**
 * Ends an open invitation. If its email is still waiting to be sent, the email becomes due at once, so that the outbox
 * drops it.
 */
export async function withdrawOpen(db: Db, id: string, now: string): Promise<void> {
  await updateOpen(db).set({ withdrawn_at: now }).where('id', '=', id).execute();
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
  readonly therapist_id: string | null;
  readonly email: string;
  /** A colleague's name, role and locations. */
  readonly name?: string;
  readonly role: Role;
  readonly locations?: Location[] | null;
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
 * Returns a therapist who has not left by `now` (ISO 8601), and locks the row so that no one can delete them before the
 * transaction ends.
 */
export const holdTherapist = (db: Db, id: string, now: string) =>
  db
    .selectFrom('therapist as t')
    .select(['t.id', 't.display_name', 't.location'])
    .where('t.id', '=', id)
    .where(isHere(now))
    .forShare()
    .executeTakeFirst();

/** Whether a therapist has an account. */
export async function hasAccount(db: Db, therapistId: string): Promise<boolean> {
  const row = await db.selectFrom('account').select('id').where('therapist_id', '=', therapistId).executeTakeFirst();
  return row !== undefined;
}
