import type { AuditAction, CreateOptions, NewPasskey, SignOptions } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import type { Act } from '../access/act.ts';
import { audit } from '../access/audit.ts';
import { keepPasskey, makeCreateOptions, makeSignOptions, takeNewPasskey } from '../access/passkeys.ts';
import { deletePasskeys, renameRow, selectPasskeys, type PasskeyRow } from '../access/passkeys.queries.ts';
import type { Site } from '../access/reach.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { hasPassword, isSessionOpen, lockAccount } from './accounts.queries.ts';
import { endOthers } from './own-account.service.ts';

/** The maximum number of passkeys per account: more than anyone needs, but few enough not to fill the table. */
const MOST = 20;

/** Returns the caller's passkeys, and whether they also have a password. */
export async function listOwnPasskeys(
  db: Db,
  { caller }: Pick<Act, 'caller'>,
): Promise<{ password: boolean; passkeys: PasskeyRow[] }> {
  return { password: await hasPassword(db, caller.id), passkeys: await selectPasskeys(db, caller.id) };
}

/** Makes the options with which the caller confirms who they are with one of their passkeys. */
export const confirmOptions = (db: Db, { caller, at }: Act, site: Site): Promise<SignOptions> =>
  makeSignOptions(db, { site, now: at }, { purpose: 'confirm', accountId: caller.id });

/**
 * Makes the options with which the caller's browser creates another passkey. The caller must have confirmed who they
 * are.
 */
export function addOptions(db: Db, { caller, at }: Act, site: Site): Promise<CreateOptions> {
  const { id: accountId, email, name } = caller;
  return makeCreateOptions(db, { site, now: at }, { accountId, invitationId: null, email, name });
}

/** Adds a passkey to the caller's account. Accepts only a passkey made with options that this account requested. */
export async function addOwnPasskey(
  db: Db,
  act: Act,
  { site, passkey, name }: { site: Site; passkey: NewPasskey; name: string },
): Promise<PasskeyRow> {
  const { caller, at, requestId } = act;
  const checked = await takeNewPasskey(db, { site, now: at }, passkey, { accountId: caller.id });
  return inTransaction(db, async (trx) => {
    await lockAccount(trx, { id: caller.id });
    // If an administrator has just reset the account, which ended this session, no passkey is added.
    if (!(await isSessionOpen(trx, caller.sessionId))) throw new Refusal('not-signed-in');
    if ((await selectPasskeys(trx, caller.id)).length >= MOST) throw refusal('too-many-passkeys', MOST);
    return keepPasskey(trx, checked, { name, at, requestId });
  });
}

/** Renames one of the caller's passkeys. */
export async function renameOwnPasskey(db: Db, act: Act, id: string, name: string): Promise<PasskeyRow> {
  return inTransaction(db, async (trx) => {
    const row = await renameRow(trx, { id, accountId: act.caller.id, name });
    if (!row) throw new Refusal('not-found');
    await record(trx, act, 'passkey.renamed', id);
    return row;
  });
}

/**
 * Removes one of the caller's passkeys, and ends the account's other sessions, one of which may have been started with
 * this passkey. The caller must have confirmed who they are. Refuses to remove the only way to log in.
 */
export async function removeOwnPasskey(db: Db, act: Act, id: string): Promise<void> {
  const { caller } = act;
  await inTransaction(db, async (trx) => {
    // If two removals arrive at the same moment, the second one waits here and then counts the passkeys that are left.
    await lockAccount(trx, { id: caller.id });
    if (!(await isSessionOpen(trx, caller.sessionId))) throw new Refusal('not-signed-in');
    const passkeys = await selectPasskeys(trx, caller.id);
    if (!passkeys.some((each) => each.id === id)) throw new Refusal('not-found');
    if (passkeys.length === 1 && !(await hasPassword(trx, caller.id))) throw refusal('last-passkey');
    await deletePasskeys(trx, caller.id, id);
    await record(trx, act, 'passkey.removed', id, { sessions_ended: await endOthers(trx, act, 'signed-out') });
  });
}

function record(trx: Db, { caller, at, requestId }: Act, action: AuditAction, id: string, detail = {}): Promise<void> {
  return audit(trx, at, { action, subjectKind: 'passkey', subjectIds: [id], accountId: caller.id, requestId, detail });
}
