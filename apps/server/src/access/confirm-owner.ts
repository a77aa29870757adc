import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { AuditAction, SignedPasskey } from '@clinic/contract';
import { amongReads } from '../db/connection.ts';
import { isoAt } from '../platform/clock.ts';
import type { Deps } from './deps.ts';
import { refusal, type Refusal } from '../platform/refusal.ts';
import { audit } from './audit.ts';
import { callerOf } from './caller.ts';
import { rewardSuccess, takeAttempt, tooMany } from './login-budget.ts';
import { takeChallenge } from './passkey-challenges.ts';
import { checkSignature, requireSite } from './passkeys.ts';
import { noteUse } from './passkeys.queries.ts';
import { checkPassword } from './passwords.ts';

/** The proof in a request that the user is the account's owner. */
export interface OwnerProof {
  readonly current_password?: string | undefined;
  readonly passkey?: SignedPasskey | undefined;
}

type ConfirmDeps = Pick<Deps, 'db' | 'accessClock' | 'config'>;

/**
 * Confirms that the user is the account's owner, before changes that must not be possible with a stolen or unattended
 * session. The proof is the owner's password or one of their passkeys. Refuses a wrong proof, and after too many wrong
 * proofs refuses with `too-many`. Wrong proofs count against the same limits as wrong passwords at login.
 */
export async function confirmOwner(
  deps: ConfirmDeps,
  request: FastifyRequest,
  { current_password: password, passkey }: OwnerProof,
): Promise<void> {
  if (passkey !== undefined) return confirmPasskey(deps, request, passkey);
  const field = 'current_password';
  if (password === undefined) throw refusal('confirmation-missing', field);
  return confirmPassword(deps, request, password, field);
}

/**
 * Like `confirmOwner`, but accepts only a password.
 * @param field the request's field with the password, for the refusal
 */
export async function confirmPassword(
  deps: ConfirmDeps,
  request: FastifyRequest,
  password: string,
  field: string,
): Promise<void> {
  const { id } = callerOf(request);
  const isRight = async (): Promise<boolean> => {
    const kept = await deps.db.selectFrom('account').select('password_hash').where('id', '=', id).executeTakeFirst();
    return checkPassword(kept?.password_hash ?? undefined, password, id);
  };
  await confirm(deps, request, { isRight, action: 'password.refused', wrong: refusal('not-your-password', field) });
}

async function confirmPasskey(deps: ConfirmDeps, request: FastifyRequest, signed: SignedPasskey): Promise<void> {
  const { db, accessClock, config } = deps;
  const { id } = callerOf(request);
  const site = requireSite(request, config);
  const now = accessClock.now();
  const taken = await takeChallenge(db, 'confirm', signed.response.clientDataJSON, now);
  const isRight = async (): Promise<boolean> => {
    const signature = taken.accountId === id && (await checkSignature(db, site, taken.challenge, signed));
    if (!signature || signature.passkey.account_id !== id) return false;
    return noteUse(db, signature.passkey.id, signature.counter, isoAt(now));
  };
  await confirm(deps, request, { isRight, action: 'passkey.refused', wrong: refusal('passkey-not-accepted') });
}

interface Proof {
  readonly isRight: () => Promise<boolean>;
  /** The audit trail's action when the proof is wrong. */
  readonly action: AuditAction;
  /** The refusal when the proof is wrong. */
  readonly wrong: Refusal;
}

/** Checks a proof within the account's limit on attempts, and records a wrong proof in the audit trail. */
async function confirm(
  { db, accessClock, config: { rateLimit } }: ConfirmDeps,
  request: FastifyRequest,
  { isRight, action, wrong }: Proof,
): Promise<void> {
  const { id, email } = callerOf(request);
  const attempt = { email, address: request.ip };
  const verdict = await takeAttempt(db, attempt, accessClock.now(), rateLimit);
  if (!verdict.allowed) throw tooMany(verdict);
  if (verdict.waitMs > 0) await delay(verdict.waitMs);
  if (await isRight()) return rewardSuccess(db, attempt, accessClock.now(), rateLimit);
  const refused = { action, subjectKind: 'account', subjectIds: [id], accountId: id, requestId: request.id };
  await amongReads(db)
    .transaction()
    .execute((trx) => audit(trx, accessClock.now(), refused));
  throw wrong;
}
