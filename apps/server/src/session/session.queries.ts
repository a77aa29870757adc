import type { Db } from '../db/connection.ts';
import { hasLeft } from '../access/sessions.ts';

/** Returns the account with this email, and the hash of its password. */
export function findForSignIn(db: Db, email: string) {
  return db.selectFrom('account').select(['id', 'password_hash']).where('email', '=', email).executeTakeFirst();
}

/** Whether an account may log in once its user has proven who they are; not if it is disabled or its therapist has left. */
export async function mayLogIn(db: Db, accountId: string, now: number, demoAllowed: boolean): Promise<boolean> {
  const account = await db
    .selectFrom('account as a')
    .leftJoin('therapist as t', 't.id', 'a.therapist_id')
    .select(['a.role', 'a.disabled_at', 'a.demo', 't.deleted_at', 't.end_date'])
    .where('a.id', '=', accountId)
    .executeTakeFirst();
  if (!account || account.disabled_at !== null || (account.demo && !demoAllowed)) return false;
  return !(account.role === 'therapist' && hasLeft(account, now));
}

/** Whether an account is an administrator's. */
export async function isAdministrator(db: Db, accountId: string): Promise<boolean> {
  const account = await db.selectFrom('account').select('role').where('id', '=', accountId).executeTakeFirst();
  return account?.role === 'admin';
}

/**
 * Whether anyone can log in at all.
 * @param demo whether the demo accounts count
 */
export async function canAnyoneLogIn(db: Db, { demo }: { demo: boolean }): Promise<boolean> {
  const query = db.selectFrom('account').select('id').where('disabled_at', 'is', null).limit(1);
  return (await (demo ? query : query.where('demo', '=', false)).executeTakeFirst()) !== undefined;
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

/** Whether an account may log in, and still has this password hash if one is given; locks it until the transaction ends. */
export async function holdAccount(trx: Db, accountId: string, hash?: string): Promise<boolean> {
  const open = trx.selectFrom('account').select('id').where('id', '=', accountId).where('disabled_at', 'is', null);
  const held = hash === undefined ? open : open.where('password_hash', '=', hash);
  return (await held.forShare().executeTakeFirst()) !== undefined;
}
