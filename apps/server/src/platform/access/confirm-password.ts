import { setTimeout as delay } from 'node:timers/promises';
import { amongReads, type Db } from '../../db/connection.ts';
import { audit } from './audit.ts';
import type { Clock } from '../clock.ts';
import { refusal, Refusal } from '../refusal.ts';
import { rewardSuccess, takeAttempt } from './login-budget.ts';
import { checkPassword } from './passwords.ts';
import type { Caller } from './sessions.ts';

export interface Confirmation {
  readonly caller: Caller;
  /** The password that the person entered as their own. */
  readonly password: string;
  /** The request field that held the password, to be named in the refusal. */
  readonly field: string;
  /** The network address that the request came from. */
  readonly address: string;
  readonly requestId: string;
}

/**
 * Confirms that the account's owner is present, before changes that must not be possible with a stolen or unattended
 * session. Wrong passwords count against the same budgets as at login. Refuses with `invalid` if the password is wrong,
 * and with `too-many` if the budgets are used up.
 */
export async function confirmPassword(
  db: Db,
  clock: Clock,
  settings: { readonly rateLimit: number },
  { caller, password, field, address, requestId }: Confirmation,
): Promise<void> {
  const attempt = { email: caller.email, address };
  const verdict = await takeAttempt(db, attempt, clock.now(), settings.rateLimit);
  if (!verdict.allowed) {
    throw new Refusal('too-many', { headers: { 'retry-after': String(verdict.retryAfterSeconds) } });
  }
  if (verdict.waitMs > 0) await delay(verdict.waitMs);
  const kept = await db.selectFrom('account').select('password_hash').where('id', '=', caller.id).executeTakeFirst();
  if (await checkPassword(kept?.password_hash ?? undefined, password, caller.id)) {
    await rewardSuccess(db, attempt, clock.now(), settings.rateLimit);
    return;
  }
  const refused = { action: 'password.refused', subjectKind: 'account', subjectIds: [caller.id], accountId: caller.id };
  await amongReads(db)
    .transaction()
    .execute((trx) => audit(trx, clock.now(), { ...refused, requestId }));
  throw refusal('not-your-password', field);
}
