import type { Role } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

const COLUMNS = ['id', 'email', 'name', 'role', 'locations', 'disabled_at', 'demo'] as const;

/** An account as administrators see it. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly locations: Location[] | null;
  readonly disabled_at: string | null;
  readonly demo: boolean;
}

/** The fields of an account that can be set. */
export interface AccountValues {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly locations: readonly Location[] | null;
}

export function selectAccounts(db: Db): Promise<AccountRow[]> {
  return db.selectFrom('account').select(COLUMNS).orderBy('email').execute();
}

/** Reads an account and locks it until the transaction ends; undefined if there is none. */
export function lockAccount(db: Db, by: { id: string } | { email: string }): Promise<AccountRow | undefined> {
  const query = db.selectFrom('account').select(COLUMNS).forUpdate();
  return ('id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email)).executeTakeFirst();
}

/** How a new account logs in, and to whom the account belongs. */
export interface NewAccount {
  /** The hash of the password; null for someone who begins with a passkey. */
  readonly passwordHash: string | null;
  /** The therapist to whom the account belongs; null for every other role. */
  readonly therapistId: string | null;
  /** Whether the person signs on with the clinic's account, and so needs neither a password nor a passkey. */
  readonly signsOn?: boolean | undefined;
  /** The id that the account must have, if a passkey was made for it. */
  readonly id?: string | undefined;
}

export function insertAccount(
  db: Db,
  values: AccountValues,
  { passwordHash, therapistId, id, signsOn = false }: NewAccount,
): Promise<AccountRow> {
  return db
    .insertInto('account')
    .values({
      ...values,
      locations: values.locations && [...values.locations],
      password_hash: passwordHash,
      therapist_id: therapistId,
      signs_on: signsOn,
      ...(id === undefined ? {} : { id }),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Writes the given fields; a `disabledAt` of null enables the account again. */
export function updateAccount(
  db: Db,
  id: string,
  changes: Partial<AccountValues> & { passwordHash?: string; disabledAt?: string | null },
  at: string,
): Promise<AccountRow> {
  const { passwordHash, disabledAt, locations, ...values } = changes;
  return db
    .updateTable('account')
    .set({
      ...values,
      ...(locations === undefined ? {} : { locations: locations && [...locations] }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
      updated_at: at,
    })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Whether an account can log in with a password. */
export async function hasPassword(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('account').select('password_hash').where('id', '=', id).executeTakeFirst();
  return typeof row?.password_hash === 'string';
}

/** Ends all sessions of an account, or all except one; returns the sessions it ended. */
export async function endSessions(
  db: Db,
  accountId: string,
  why: 'disabled' | 'password' | 'signed-out',
  at: string,
  keep?: string,
): Promise<string[]> {
  const open = db
    .updateTable('session')
    .set({ ended_at: at, ended_why: why })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null);
  const rows = await (keep === undefined ? open : open.where('id', '<>', keep)).returning('id').execute();
  return rows.map((row) => row.id);
}

/** A session that is still valid. Times are in ISO 8601. */
export interface OpenSession {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
}

/** Selects the account's sessions that are open at `now` and were used after `seenAfter`, newest first. */
export function selectOpenSessions(
  db: Db,
  accountId: string,
  { now, seenAfter }: { now: string; seenAfter: string },
): Promise<OpenSession[]> {
  return db
    .selectFrom('session')
    .select(['id', 'created_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', seenAfter)
    .orderBy('created_at', 'desc')
    .execute();
}

/** Whether a session is still open. Its time limits are ignored. */
export async function isSessionOpen(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('session').select('ended_at').where('id', '=', id).executeTakeFirst();
  return row?.ended_at === null;
}

/** Counts the administrators with access to all locations who can still log in. */
export async function countManagersOfAll(db: Db): Promise<number> {
  const row = await db
    .selectFrom('account')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .where('locations', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
