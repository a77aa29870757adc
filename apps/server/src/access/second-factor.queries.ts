import type { Db } from '../db/connection.ts';

/** The second factor of an account, confirmed or not; undefined if it has none. */
export const selectFactor = (db: Db, accountId: string) =>
  db
    .selectFrom('second_factor')
    .select(['secret', 'confirmed_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();

/** Stores a secret that still has to be confirmed. Returns false if the account has a confirmed one, which stays. */
export async function putSecret(db: Db, accountId: string, secret: Buffer, at: string): Promise<boolean> {
  const row = { secret, made_at: at, last_step: '0' };
  const stored = await db
    .insertInto('second_factor')
    .values({ account_id: accountId, ...row })
    .onConflict((c) => c.column('account_id').doUpdateSet(row).where('second_factor.confirmed_at', 'is', null))
    .returning('account_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Uses up the code of a time step. Returns false if this code or a newer one was used before. */
export async function takeStep(db: Db, accountId: string, step: number, confirmedAt?: string): Promise<boolean> {
  const row = await db
    .updateTable('second_factor')
    .set({ last_step: String(step), ...(confirmedAt === undefined ? {} : { confirmed_at: confirmedAt }) })
    .where('account_id', '=', accountId)
    .where('last_step', '<', String(step))
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a recovery code. Of several calls at once, one returns true. */
export async function takeRecoveryCode(db: Db, accountId: string, hash: Buffer): Promise<boolean> {
  const [taken] = await db
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .execute();
  return (taken?.numDeletedRows ?? 0n) > 0n;
}

/** Replaces all recovery codes of an account. */
export async function putRecoveryCodes(db: Db, accountId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await db
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const rows = await db.selectFrom('recovery_code').select('code_hash').where('account_id', '=', accountId).execute();
  return rows.length;
}

/** Removes the second factor of an account, with its recovery codes. Returns whether it had a confirmed one. */
export async function deleteFactor(db: Db, accountId: string): Promise<boolean> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  const row = await db
    .deleteFrom('second_factor')
    .where('account_id', '=', accountId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return row !== undefined && row.confirmed_at !== null;
}
