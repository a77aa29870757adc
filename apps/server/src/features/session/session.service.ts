import { setTimeout as delay } from 'node:timers/promises';
import { emailKey } from '@clinic/domain';
import { amongReads, type Db } from '../../db/connection.ts';
import { audit } from '../../platform/access/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { publishEvent } from '../../platform/events.ts';
import { checkPassword, hashPassword, isOutdated } from '../../platform/access/passwords.ts';
import { endSession, type Caller } from '../../platform/access/sessions.ts';
import type { Tokens } from '../../platform/access/tokens.ts';
import { findForSignIn, holdForSignIn, insertSession, replaceHash } from './session.queries.ts';
import { rewardSuccess, takeAttempt, takeFailure, type Refused } from '../../platform/access/login-budget.ts';

export interface SessionSettings {
  readonly tokenMinutes: number;
  readonly sessionHours: number;
  readonly rateLimit: number;
}

/** A token, and for how many seconds it is valid. */
export interface IssuedToken {
  readonly token: string;
  readonly seconds: number;
}

export interface SignInInput {
  readonly username: string;
  readonly password: string;
  /** The network address from which the request came. */
  readonly address: string;
  readonly requestId: string;
  /** Whether this request may sign in to the demo accounts, whose passwords are public. */
  readonly demoAllowed: boolean;
  /** The session with which the request came, if any; a new sign-in ends that session. */
  readonly replaces: Caller | null;
}

/**
 * Begins a session. An unknown email, a wrong password and a disabled account are refused in the same way after the
 * same work (AUTH-03). Refuses with `too-many` when passwords were tried too often.
 */
export async function signIn(
  db: Db,
  tokens: Tokens,
  clock: Clock,
  settings: SessionSettings,
  input: SignInInput,
): Promise<IssuedToken> {
  const attempt = { email: emailKey(input.username), address: input.address };
  const verdict = await takeAttempt(db, attempt, clock.now(), settings.rateLimit);
  if (!verdict.allowed) {
    // Does the same work as for an account known at this address, so that the response time does not show which
    // accounts exist.
    if (verdict.knownWouldBeTried) {
      await findForSignIn(db, attempt.email);
      await checkPassword(undefined, input.password, attempt.address);
    }
    throw tooMany(verdict);
  }
  if (verdict.waitMs > 0) await delay(verdict.waitMs);
  let begun = await begin(db, clock, settings, attempt.email, input);
  // The account has changed in the meantime; perhaps another sign-in stored a new hash of the same password.
  if (begun === 'changed') begun = await begin(db, clock, settings, attempt.email, input);
  if (typeof begun === 'string') {
    const late = await takeFailure(db, attempt, clock.now(), settings.rateLimit);
    if (!late.allowed) throw tooMany(late);
    if (late.waitMs > 0) await delay(late.waitMs);
    const account = await findForSignIn(db, attempt.email);
    await amongReads(db)
      .transaction()
      .execute((trx) =>
        audit(trx, clock.now(), {
          action: 'session.refused',
          subjectKind: 'account',
          subjectIds: account ? [account.id] : [],
          accountId: null,
          requestId: input.requestId,
        }),
      );
    throw new Refusal('invalid-credentials');
  }
  await rewardSuccess(db, attempt, begun.now, settings.rateLimit);
  if (isOutdated(begun.hash)) await replaceHash(db, begun.accountId, begun.hash, await hashPassword(input.password));
  if (input.replaces) await signOut(db, clock, input.replaces, input.requestId);
  return issue(tokens, settings, begun, begun.now, begun.ends);
}

const tooMany = ({ retryAfterSeconds }: Refused): Refusal =>
  new Refusal('too-many', { headers: { 'retry-after': String(retryAfterSeconds) } });

interface BegunSession {
  readonly accountId: string;
  readonly sessionId: string;
  /** The hash that the password matched. */
  readonly hash: string;
  readonly now: number;
  readonly ends: number;
}

/**
 * Begins a session if the password is right; otherwise returns `refused`, after the same work. If the password was
 * changed or the account disabled in the meantime, no session begins (`changed`).
 */
async function begin(
  db: Db,
  clock: Clock,
  settings: SessionSettings,
  email: string,
  { password, requestId, address, demoAllowed }: SignInInput,
): Promise<BegunSession | 'refused' | 'changed'> {
  const account = await findForSignIn(db, email);
  const fits = await checkPassword(account?.password_hash, password, address);
  const now = clock.now();
  if (!fits || !account || account.disabled_at !== null || (account.demo && !demoAllowed)) return 'refused';
  const ends = now + settings.sessionHours * 3_600_000;
  return amongReads(db)
    .transaction()
    .execute(async (trx) => {
      if (!(await holdForSignIn(trx, account.id, account.password_hash))) return 'changed';
      const sessionId = await insertSession(trx, account.id, now, ends);
      await audit(trx, now, {
        action: 'session.begun',
        subjectKind: 'session',
        subjectIds: [sessionId],
        accountId: account.id,
        requestId,
      });
      return { accountId: account.id, sessionId, hash: account.password_hash, now, ends };
    });
}

/** A new token for an open session. */
export function renew(tokens: Tokens, clock: Clock, settings: SessionSettings, caller: Caller): Promise<IssuedToken> {
  const subject = { accountId: caller.id, sessionId: caller.sessionId };
  return issue(tokens, settings, subject, clock.now(), caller.sessionEnds);
}

/** Ends the session at once in every process; its tokens stop working. */
export async function signOut(db: Db, clock: Clock, caller: Caller, requestId: string): Promise<void> {
  await amongReads(db)
    .transaction()
    .execute(async (trx) => {
      await endSession(trx, caller.sessionId, 'signed-out', clock.now());
      await publishEvent(trx, { kind: 'session-ended', session: caller.sessionId });
      await audit(trx, clock.now(), {
        action: 'session.ended',
        subjectKind: 'session',
        subjectIds: [caller.sessionId],
        accountId: caller.id,
        requestId,
      });
    });
}

async function issue(
  tokens: Tokens,
  settings: SessionSettings,
  subject: { accountId: string; sessionId: string },
  now: number,
  ends: number,
): Promise<IssuedToken> {
  const seconds = Math.max(1, Math.min(settings.tokenMinutes * 60, Math.floor((ends - now) / 1000)));
  return { token: await tokens.issue(subject, seconds), seconds };
}
