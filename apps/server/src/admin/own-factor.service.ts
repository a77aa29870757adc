import { randomBytes } from 'node:crypto';
import type { AuditAction } from '@clinic/contract';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import type { Act } from '../access/act.ts';
import { audit } from '../access/audit.ts';
import { takeCodeAttempt, tooMany } from '../access/login-budget.ts';
import { makeRecoveryCodes, needsFactor, recoveryHash, sealedFor } from '../access/second-factor.ts';
import {
  countRecoveryCodes,
  deleteFactor,
  putRecoveryCodes,
  putSecret,
  selectFactor,
  takeStep,
} from '../access/second-factor.queries.ts';
import type { Seal } from '../access/seal.ts';
import { base32, setUpAddress, stepOf } from '../access/totp.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { isSessionOpen, lockAccount } from './accounts.queries.ts';
import { endOthers } from './own-account.service.ts';

/** As long as the hash of HMAC-SHA-1, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** Whether the caller has a second factor, and must have one. */
export async function readOwnFactor(db: Db, { caller }: Pick<Act, 'caller'>, setting: Config['secondFactor']) {
  const factor = await selectFactor(db, caller.id);
  const on = factor !== undefined && factor.confirmed_at !== null;
  return {
    on,
    codes_left: on ? await countRecoveryCodes(db, caller.id) : 0,
    required: caller.role !== 'service' && needsFactor(caller.role, setting),
  };
}

/** Makes the secret of an authenticator app, not yet in use. The caller must have confirmed who they are. */
export async function setUpOwnFactor(
  db: Db,
  seal: Seal,
  { caller, at }: Act,
): Promise<{ secret: string; address: string }> {
  const secret = randomBytes(SECRET_BYTES);
  const sealed = seal.close(secret, sealedFor(caller.id));
  if (!(await putSecret(db, caller.id, sealed, isoAt(at)))) throw refusal('second-factor-on');
  return { secret: base32(secret), address: setUpAddress(secret, caller.email) };
}

/** Puts the app into use with a code that it shows, ends the account's other sessions, and returns recovery codes. */
export async function confirmOwnFactor(
  db: Db,
  seal: Seal,
  act: Act,
  code: string,
  rateLimit: number,
): Promise<string[]> {
  const { caller, at } = act;
  const attempt = await takeCodeAttempt(db, caller.id, at, rateLimit);
  if (!attempt.allowed) throw tooMany(attempt);
  const codes = makeRecoveryCodes();
  await inOwnAccount(db, act, async (trx) => {
    const factor = await selectFactor(trx, caller.id);
    if (!factor) throw refusal('second-factor-missing');
    if (factor.confirmed_at !== null) throw refusal('second-factor-on');
    const secret = seal.open(factor.secret, sealedFor(caller.id));
    const step = secret && stepOf(secret, code, at);
    if (step === null || !(await takeStep(trx, caller.id, step, isoAt(at)))) throw refusal('code-not-right');
    await putRecoveryCodes(trx, caller.id, codes.map(recoveryHash));
    await record(trx, act, 'second-factor.added', { sessions_ended: await endOthers(trx, act, 'signed-out') });
  });
  await attempt.giveBack();
  return codes;
}

/** Replaces the caller's recovery codes. The caller must have confirmed who they are. */
export async function makeOwnCodes(db: Db, act: Act): Promise<string[]> {
  const codes = makeRecoveryCodes();
  await inOwnAccount(db, act, async (trx) => {
    const factor = await selectFactor(trx, act.caller.id);
    if (!factor || factor.confirmed_at === null) throw refusal('second-factor-missing');
    await putRecoveryCodes(trx, act.caller.id, codes.map(recoveryHash));
    await record(trx, act, 'second-factor.codes-made', {});
  });
  return codes;
}

/** Removes the caller's second factor, and ends the account's other sessions. The caller must have confirmed who they are. */
export const removeOwnFactor = (db: Db, act: Act): Promise<void> =>
  inOwnAccount(db, act, async (trx) => {
    if (!(await deleteFactor(trx, act.caller.id))) throw refusal('second-factor-missing');
    await record(trx, act, 'second-factor.removed', { sessions_ended: await endOthers(trx, act, 'signed-out') });
  });

/** Runs a change of the caller's account, unless an administrator has just ended this session. */
const inOwnAccount = (db: Db, { caller }: Act, work: (trx: Db) => Promise<void>): Promise<void> =>
  inTransaction(db, async (trx) => {
    await lockAccount(trx, { id: caller.id });
    if (!(await isSessionOpen(trx, caller.sessionId))) throw new Refusal('not-signed-in');
    await work(trx);
  });

function record(
  trx: Db,
  { caller, at, requestId }: Act,
  action: AuditAction,
  detail: Record<string, unknown>,
): Promise<void> {
  const { id } = caller;
  return audit(trx, at, { action, subjectKind: 'account', subjectIds: [id], accountId: id, requestId, detail });
}
