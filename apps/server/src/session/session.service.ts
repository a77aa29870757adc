import { emailKey } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { issueToken, type IssuedToken, type SessionSettings } from '../access/begin-session.ts';
import { checkPassword, hashPassword, isOutdated } from '../access/passwords.ts';
import { checkFactor } from '../access/second-factor.ts';
import type { Seal } from '../access/seal.ts';
import type { Caller } from '../access/sessions.ts';
import type { Tokens } from '../access/tokens.ts';
import type { Clock } from '../platform/clock.ts';
import { findForSignIn, holdAccount, replaceHash } from './session.queries.ts';
import { signInBy, type SignInRequest, type SignInSettings } from './sign-in.ts';

export interface PasswordSignIn extends SignInRequest {
  readonly username: string;
  readonly password: string;
  /** The code of the second factor, if one was typed. */
  readonly code: string | undefined;
  readonly seal: Seal;
}

/** Begins a session with an email and a password. */
export function signIn(
  db: Db,
  tokens: Tokens,
  clock: Clock,
  settings: SignInSettings,
  { username, password, code, seal, ...request }: PasswordSignIn,
): Promise<IssuedToken> {
  const email = emailKey(username);
  return signInBy(db, tokens, clock, settings, request, {
    email,
    async prove() {
      const account = await findForSignIn(db, email);
      const hash = account?.password_hash ?? undefined;
      const fits = await checkPassword(hash, password, request.address);
      if (!fits || !account || hash === undefined) return null;
      return {
        accountId: account.id,
        hold: (trx) => holdAccount(trx, account.id, hash),
        factor: (trx) =>
          checkFactor(trx, seal, { accountId: account.id, code, now: clock.now(), rateLimit: settings.rateLimit }),
        async afterwards() {
          if (isOutdated(hash)) await replaceHash(db, account.id, hash, await hashPassword(password));
        },
      };
    },
    async pretend() {
      await findForSignIn(db, email);
      await checkPassword(undefined, password, request.address);
    },
  });
}

/** Issues a new token for an open session. */
export function renew(tokens: Tokens, clock: Clock, settings: SessionSettings, caller: Caller): Promise<IssuedToken> {
  const { id: accountId, sessionId, sessionEnds: ends } = caller;
  return issueToken(tokens, settings, { accountId, sessionId, now: clock.now(), ends });
}
