import type { Db } from '../../db/connection.ts';

/** Returns the account with this email, and what a login needs to know about it. */
export function findForSignIn(db: Db, email: string) {
  return db
    .selectFrom('account')
    .select(['id', 'password_hash', 'disabled_at', 'demo'])
    .where('email', '=', email)
    .executeTakeFirst();
}

/** Whether an account still has this password hash and may log in; locks the account until the transaction ends. */
export async function holdForSignIn(trx: Db, accountId: string, hash: string): Promise<boolean> {
  const row = await trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('password_hash', '=', hash)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces a password's hash with a new one, unless the password has changed. */
export async function replaceHash(db: Db, accountId: string, before: string, after: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ password_hash: after })
    .where('id', '=', accountId)
    .where('password_hash', '=', before)
    .execute();
}

/** Whether an account may log in; locks it until the transaction ends. */
export async function holdAccount(trx: Db, accountId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}
