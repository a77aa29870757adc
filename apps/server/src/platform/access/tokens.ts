import { randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Db } from '../../db/connection.ts';
import type { Clock } from '../clock.ts';

/** The claims in a token: a session and its account. Everything else is looked up, so that changes apply at once. */
export interface TokenSubject {
  readonly sessionId: string;
  readonly accountId: string;
}

/**
 * Issues and checks access tokens: JWTs signed with HS256, with `iss`, `aud`, `sub`, `jti` (the session), `iat` and
 * `exp`.
 */
export interface Tokens {
  /** @param seconds how long the token is valid from now */
  issue(subject: TokenSubject, seconds: number): Promise<string>;
  /** The token's claims if this server issued it and it is unchanged and not expired; otherwise undefined. */
  verify(token: string): Promise<TokenSubject | undefined>;
}

const ISSUER = 'clinic-scheduler';
const AUDIENCE = 'clinic-scheduler-api';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const LONGEST = 2048;

/** @param key the signing key as a string of at least 32 bytes */
export function makeTokens(key: string, clock: Clock): Tokens {
  const secret = new TextEncoder().encode(key);
  return {
    issue(subject, seconds) {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT()
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(subject.accountId)
        .setJti(subject.sessionId)
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .sign(secret);
    },
    async verify(token) {
      if (token.length > LONGEST) return undefined;
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: ['HS256'],
          typ: 'JWT',
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'jti', 'iat', 'exp'],
          currentDate: new Date(clock.now()),
        });
        const { sub, jti } = payload;
        if (!sub || !jti || !UUID.test(sub) || !UUID.test(jti)) return undefined;
        return { sessionId: jti, accountId: sub };
      } catch {
        return undefined;
      }
    },
  };
}

/** The token signing key that the database stores; the first process that needs the key creates it. */
export async function keptTokenKey(db: Db): Promise<string> {
  const made = randomBytes(48).toString('base64url');
  await db
    .insertInto('setting')
    .values({ key: 'token_key', value: JSON.stringify(made) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const kept = await db.selectFrom('setting').select('value').where('key', '=', 'token_key').executeTakeFirstOrThrow();
  if (typeof kept.value !== 'string') throw new Error('the setting token_key is no text');
  return kept.value;
}
