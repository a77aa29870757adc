import type { Db } from '../db/connection.ts';

/** A sign-on that has begun: what the issuer's answer must match. */
interface Begun {
  readonly key_hash: Buffer;
  readonly browser_hash: Buffer;
  readonly nonce: string;
  readonly verifier: string;
  readonly expires_at: string;
}

/** Stores a step of a sign-on, and removes those that have expired. */
export async function insertStep(
  db: Db,
  row: Begun | (Omit<Begun, 'nonce' | 'verifier'> & { readonly account_id: string }),
  now: string,
): Promise<void> {
  await db.deleteFrom('sign_on').where('expires_at', '<=', now).execute();
  await db.insertInto('sign_on').values(row).execute();
}

/**
 * Uses up a step that this browser took before; undefined if there is none. Of several calls at once, only one gets it.
 * A call from another browser uses nothing up.
 */
export const takeStep = (db: Db, key: Buffer, browser: Buffer, now: string) =>
  db
    .deleteFrom('sign_on')
    .where('key_hash', '=', key)
    .where('browser_hash', '=', browser)
    .where('expires_at', '>', now)
    .returning(['nonce', 'verifier', 'account_id'])
    .executeTakeFirst();

/** The account that belongs to a person of an issuer. */
export const findIdentity = (db: Db, issuer: string, subject: string) =>
  db
    .selectFrom('account_identity')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();

/** The person of the issuer to whom an account belongs, if it belongs to one. */
export async function findSubject(db: Db, accountId: string, issuer: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_identity')
    .select('subject')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return row?.subject;
}

/** Says that an account belongs to a person of an issuer, who from now on needs no password here. */
export async function linkAccount(
  db: Db,
  { account_id, issuer, subject }: { account_id: string; issuer: string; subject: string },
  at: string,
): Promise<void> {
  await db.updateTable('account').set({ signs_on: true }).where('id', '=', account_id).execute();
  await db.insertInto('account_identity').values({ account_id, issuer, subject, linked_at: at, used_at: at }).execute();
}

export const noteIdentityUse = (db: Db, issuer: string, subject: string, at: string) =>
  db
    .updateTable('account_identity')
    .set({ used_at: at })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();

/**
 * Whether an account has a password or a passkey, and belongs to nobody of the sign-on. Such an account is opened by a
 * verified email and not by what a directory writes: it may be the one that is kept for the day the sign-on fails.
 */
export async function isOwnDoor(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account as a')
    .select('a.id')
    .where('a.id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('a.password_hash', 'is not', null),
        eb.exists(eb.selectFrom('passkey as p').select('p.id').whereRef('p.account_id', '=', 'a.id')),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('account_identity as i').select('i.issuer').whereRef('i.account_id', '=', 'a.id')),
      ),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The account that the clinic's directory has provisioned for a person: its external id is the person's `sub`, or at
 * Entra their object id. An account that belongs to another person of the issuer already is not theirs, nor is one with
 * a password or a passkey.
 */
export async function findProvisioned(
  db: Db,
  issuer: string,
  { sub, oid }: { readonly sub: string; readonly oid?: unknown },
): Promise<{ account_id: string } | undefined> {
  const ids = [sub, oid].filter((id) => typeof id === 'string');
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('external_id', 'in', ids)
    .where('scim_deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row || (await findSubject(db, row.id, issuer)) !== undefined) return undefined;
  return (await isOwnDoor(db, row.id)) ? undefined : { account_id: row.id };
}
