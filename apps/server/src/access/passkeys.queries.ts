import type { Db } from '../db/connection.ts';
import type { PasskeyPurpose } from '../db/schema/access.ts';

const COLUMNS = ['id', 'name', 'created_at', 'used_at'] as const;

/** A passkey as its owner sees it. Timestamps are as PostgreSQL writes them. */
export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

/** An account's passkeys, oldest first. */
export const selectPasskeys = (db: Db, accountId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkey')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** What browsers need to find an account's passkeys. */
export const selectCredentials = (db: Db, accountId: string) =>
  db
    .selectFrom('passkey')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Returns the passkey with this credential id, and its account. */
export const findByCredential = (db: Db, credentialId: Buffer) =>
  db
    .selectFrom('passkey as p')
    .innerJoin('account as a', 'a.id', 'p.account_id')
    .select(['p.id', 'p.account_id', 'p.credential_id', 'p.public_key', 'p.counter'])
    .select('a.email')
    .where('p.credential_id', '=', credentialId)
    .executeTakeFirst();

/**
 * Records a passkey's use, and locks the passkey until the transaction ends. Returns false and records nothing if the
 * passkey was removed, or if its stored counter is not 0 and has already reached `counter`.
 */
export async function noteUse(trx: Db, id: string, counter: number, at: string): Promise<boolean> {
  const row = await trx
    .updateTable('passkey')
    .set({ counter: String(counter), used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', String(counter)), eb('counter', '=', '0')]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewPasskeyRow {
  readonly account_id: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: string[];
  readonly name: string;
  readonly created_at: string;
}

export const insertPasskey = (trx: Db, row: NewPasskeyRow): Promise<PasskeyRow> =>
  trx.insertInto('passkey').values(row).returning(COLUMNS).executeTakeFirstOrThrow();

/** Renames an account's passkey; undefined if the account has no such passkey. */
export const renameRow = (
  trx: Db,
  { id, accountId, name }: { id: string; accountId: string; name: string },
): Promise<PasskeyRow | undefined> =>
  trx
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning(COLUMNS)
    .executeTakeFirst();

/** Removes one of an account's passkeys, or all; returns how many were removed. */
export async function deletePasskeys(trx: Db, accountId: string, id?: string): Promise<number> {
  const query = trx.deleteFrom('passkey').where('account_id', '=', accountId);
  const rows = await (id === undefined ? query : query.where('id', '=', id)).returning('id').execute();
  return rows.length;
}

/** What a challenge is for. */
export interface ChallengeAbout {
  readonly purpose: PasskeyPurpose;
  readonly account_id: string | null;
  readonly invitation_id: string | null;
}

/** Stores a challenge, and removes those that have expired at `now`. */
export async function insertChallenge(
  db: Db,
  row: ChallengeAbout & { readonly challenge: Buffer; readonly expires_at: string },
  now: string,
): Promise<void> {
  await db.deleteFrom('passkey_challenge').where('expires_at', '<=', now).execute();
  await db.insertInto('passkey_challenge').values(row).execute();
}

/** Takes a challenge out of the table, so that it works only once; undefined if it no longer works at `now`. */
export const takeChallengeRow = (
  db: Db,
  { challenge, purpose }: { challenge: Buffer; purpose: PasskeyPurpose },
  now: string,
): Promise<Pick<ChallengeAbout, 'account_id' | 'invitation_id'> | undefined> =>
  db
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['account_id', 'invitation_id'])
    .executeTakeFirst();
