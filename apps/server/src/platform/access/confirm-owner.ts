import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { SignedPasskey } from '@clinic/contract';
import { amongReads, type Db } from '../../db/connection.ts';
import type { Deps } from '../deps.ts';
import { refusal, Refusal } from '../refusal.ts';
import { audit } from './audit.ts';
import { callerOf } from './caller.ts';
import { confirmPassword } from './confirm-password.ts';
import { rewardSuccess, takeAttempt } from './login-budget.ts';
import { checkSignature, requireSite, takeChallenge } from './passkeys.ts';
import { noteUse } from './passkeys.queries.ts';
import type { Site } from './reach.ts';
import type { Caller } from './sessions.ts';

/** What a request proves its owner's presence with. */
export interface OwnerProof {
  readonly current_password?: string | undefined;
  readonly passkey?: SignedPasskey | undefined;
}

/**
 * Confirms that the account's owner is present, before changes that must not be possible with a stolen or unattended
 * session: by their password, or by one of their passkeys. Wrong ones count against the same budgets as at login.
 */
export async function confirmOwner(
  { db, machineClock, config }: Pick<Deps, 'db' | 'machineClock' | 'config'>,
  request: FastifyRequest,
  { current_password: password, passkey }: OwnerProof,
): Promise<void> {
  const caller = callerOf(request);
  const of = { caller, address: request.ip, requestId: request.id };
  if (passkey !== undefined) {
    const site = requireSite(request, config);
    return confirmPasskey(db, machineClock.now(), config, { ...of, site, passkey });
  }
  const field = 'current_password';
  if (password === undefined) throw refusal('confirmation-missing', field);
  return confirmPassword(db, machineClock, config, { ...of, password, field });
}

interface PasskeyConfirmation {
  readonly caller: Caller;
  readonly passkey: SignedPasskey;
  readonly site: Site;
  readonly address: string;
  readonly requestId: string;
}

async function confirmPasskey(
  db: Db,
  now: number,
  { rateLimit }: { readonly rateLimit: number },
  { caller, passkey: signed, site, address, requestId }: PasskeyConfirmation,
): Promise<void> {
  const attempt = { email: caller.email, address };
  const taken = await takeChallenge(db, 'confirm', signed.response.clientDataJSON, now);
  if (!taken) throw refusal('passkey-timed-out');
  const verdict = await takeAttempt(db, attempt, now, rateLimit);
  if (!verdict.allowed)
    throw new Refusal('too-many', { headers: { 'retry-after': String(verdict.retryAfterSeconds) } });
  if (verdict.waitMs > 0) await delay(verdict.waitMs);
  const signature = taken.accountId === caller.id && (await checkSignature(db, site, taken.challenge, signed));
  if (signature && signature.passkey.account_id === caller.id) {
    const { passkey, counter } = signature;
    if (await noteUse(db, passkey.id, counter, new Date(now).toISOString()))
      return rewardSuccess(db, attempt, now, rateLimit);
  }
  const refused = { action: 'passkey.refused', subjectKind: 'account', subjectIds: [caller.id], accountId: caller.id };
  await amongReads(db)
    .transaction()
    .execute((trx) => audit(trx, now, { ...refused, requestId }));
  throw refusal('passkey-not-accepted');
}
