import type { Db } from '../db/connection.ts';
import { isoAt } from '../platform/clock.ts';
import { audit } from './audit.ts';
import type { Tokens } from './tokens.ts';

export interface SessionSettings {
  readonly tokenMinutes: number;
  readonly sessionHours: number;
}

/** A session that has just begun. Times are in milliseconds since 1970. */
export interface BegunSession {
  readonly accountId: string;
  readonly sessionId: string;
  readonly now: number;
  readonly ends: number;
}

/** A token, and the number of seconds for which it is valid. */
export interface IssuedToken {
  readonly token: string;
  readonly seconds: number;
}

interface NewSession {
  readonly accountId: string;
  readonly requestId: string;
  readonly now: number;
  /** The address from which the person logged in. */
  readonly from: string | null;
  /** How the person logged in, if not with a password. */
  readonly way?: 'passkey' | 'sign-on' | 'code' | undefined;
}

/** Begins a session in the caller's transaction. Every way to log in uses this function. */
export async function beginSession(
  trx: Db,
  { sessionHours }: SessionSettings,
  { accountId, requestId, now, from, way }: NewSession,
): Promise<BegunSession> {
  const ends = now + sessionHours * 3_600_000;
  const at = isoAt(now);
  const { id: sessionId } = await trx
    .insertInto('session')
    .values({ account_id: accountId, created_at: at, last_seen_at: at, expires_at: isoAt(ends), way: way ?? null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const detail = { ...(from === null ? {} : { from }), ...(way === undefined ? {} : { with: way }) };
  await audit(trx, now, {
    action: 'session.begun',
    subjectKind: 'session',
    subjectIds: [sessionId],
    accountId,
    requestId,
    detail,
  });
  return { accountId, sessionId, now, ends };
}

/** Issues a token for a session. The token never lasts longer than the session. */
export async function issueToken(
  tokens: Tokens,
  { tokenMinutes }: SessionSettings,
  { accountId, sessionId, now, ends }: BegunSession,
): Promise<IssuedToken> {
  const seconds = Math.max(1, Math.min(tokenMinutes * 60, Math.floor((ends - now) / 1000)));
  return { token: await tokens.issue({ accountId, sessionId }, seconds), seconds };
}

/** An issued token as a reply. */
export function presentToken({ token, seconds }: IssuedToken) {
  return { access_token: token, token_type: 'bearer' as const, expires_in: seconds };
}
