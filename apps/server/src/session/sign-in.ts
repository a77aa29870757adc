import { setTimeout as delay } from 'node:timers/promises';
import { amongReads, type Db } from '../db/connection.ts';
import { audit } from '../access/audit.ts';
import {
  beginSession,
  issueToken,
  type BegunSession,
  type IssuedToken,
  type SessionSettings,
} from '../access/begin-session.ts';
import { rewardSuccess, takeAttempt, takeFailure, tooMany } from '../access/login-budget.ts';
import type { FactorResult } from '../access/second-factor.ts';
import type { Caller } from '../access/sessions.ts';
import type { Tokens } from '../access/tokens.ts';
import type { Clock } from '../platform/clock.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { findForSignIn, isAdministrator, mayLogIn } from './session.queries.ts';
import { signOut } from './sign-out.ts';

export interface SignInSettings extends SessionSettings {
  readonly rateLimit: number;
  /** Whether everyone may log in here, or only administrators: the others use the clinic's sign-on. */
  readonly passwordLogin: 'on' | 'admins-only';
}

/** The request with which someone logs in. */
export interface SignInRequest {
  /** The IP address from which the request came, by which attempts are counted. */
  readonly address: string;
  /** The same for the audit trail; null if it is no address. */
  readonly from: string | null;
  readonly requestId: string;
  /** Whether this request may log in to the demo accounts, whose passwords are public. */
  readonly demoAllowed: boolean;
  /** The session with which the request came, if any; a new login ends that session. */
  readonly replaces: Caller | null;
}

/** Proof of who the user is: a correct password or signature. */
export interface Proof {
  readonly accountId: string;
  /**
   * Whether the proof still holds and the account may log in. The proof and the account stay locked until the
   * transaction ends.
   */
  hold(trx: Db): Promise<boolean>;
  /** Checks the second factor of a password, once the proof holds; left out where the proof is two factors. */
  factor?(trx: Db): Promise<FactorResult>;
  /** Runs once the session has begun. */
  afterwards?(): Promise<void>;
}

/** A way to log in. */
export interface Way {
  /** The email of the account whose attempts are counted. */
  readonly email: string;
  /** How the audit trail names this way to log in; left out for a password. */
  readonly name?: 'passkey';
  /** Checks the proof; returns null if the proof is wrong. */
  prove(): Promise<Proof | null>;
  /** Does the same work as `prove`, but proves nothing. */
  pretend(): Promise<void>;
}

/**
 * Begins a session. An unknown account, a wrong proof and a disabled account are refused in the same way after the same
 * work (AUTH-03). After too many attempts, refuses with `too-many`.
 */
export async function signInBy(
  db: Db,
  tokens: Tokens,
  clock: Clock,
  settings: SignInSettings,
  request: SignInRequest,
  way: Way,
): Promise<IssuedToken> {
  const attempt = { email: way.email, address: request.address };
  const verdict = await takeAttempt(db, attempt, clock.now(), settings.rateLimit);
  if (!verdict.allowed) {
    // Does the same work as for an account that has logged in from this IP address before, so that the response time
    // does not show which accounts exist.
    if (verdict.knownWouldBeTried) await way.pretend();
    throw tooMany(verdict);
  }
  if (verdict.waitMs > 0) await delay(verdict.waitMs);
  let begun = await begin(db, clock, settings, request, way);
  // The account has changed in the meantime; perhaps another login stored a new hash of the same password.
  if (begun === 'changed') begun = await begin(db, clock, settings, request, way);
  if (begun === 'needed') throw new Refusal('code-needed');
  if (typeof begun !== 'string' && 'allowed' in begun) throw tooMany(begun);
  if (typeof begun === 'string') {
    const late = await takeFailure(db, attempt, clock.now(), settings.rateLimit);
    if (!late.allowed) throw tooMany(late);
    if (late.waitMs > 0) await delay(late.waitMs);
    await recordRefusal(db, clock, attempt.email, request);
    throw new Refusal(begun === 'wrong' ? 'code-wrong' : 'invalid-credentials');
  }
  await rewardSuccess(db, attempt, begun.session.now, settings.rateLimit);
  await begun.proof.afterwards?.();
  if (request.replaces) await signOut(db, clock, request.replaces, request.requestId);
  return issueToken(tokens, settings, begun.session);
}

/**
 * Begins a session if the proof is right; otherwise returns `refused`, after the same work. If the proof no longer
 * holds or the account was disabled in the meantime, no session begins (`changed`); nor does one without the second
 * factor, if the account has one.
 */
async function begin(
  db: Db,
  clock: Clock,
  settings: SignInSettings,
  { requestId, demoAllowed, from }: SignInRequest,
  way: Way,
): Promise<
  | { readonly proof: Proof; readonly session: BegunSession }
  | 'refused'
  | 'changed'
  | Exclude<FactorResult, 'none' | 'passed'>
> {
  const proof = await way.prove();
  const now = clock.now();
  if (!proof) return 'refused';
  const { accountId } = proof;
  if (!(await mayLogIn(db, accountId, now, demoAllowed))) return 'refused';
  if (settings.passwordLogin === 'admins-only' && !(await isAdministrator(db, accountId)))
    throw refusal('sign-on-only');
  return amongReads(db)
    .transaction()
    .execute(async (trx) => {
      if (!(await proof.hold(trx))) return 'changed';
      const factor = (await proof.factor?.(trx)) ?? 'none';
      if (factor !== 'none' && factor !== 'passed') return factor;
      const name = factor === 'passed' ? 'code' : way.name;
      return { proof, session: await beginSession(trx, settings, { accountId, requestId, now, from, way: name }) };
    });
}

async function recordRefusal(db: Db, clock: Clock, email: string, { requestId, from }: SignInRequest): Promise<void> {
  const account = await findForSignIn(db, email);
  await amongReads(db)
    .transaction()
    .execute((trx) =>
      audit(trx, clock.now(), {
        action: 'session.refused',
        subjectKind: 'account',
        subjectIds: account ? [account.id] : [],
        accountId: null,
        requestId,
        detail: from === null ? {} : { from },
      }),
    );
}
