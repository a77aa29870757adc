import { randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Db } from '../db/connection.ts';
import type { Clock } from '../platform/clock.ts';

/** The claims in a token: a session and its account. Everything else is looked up, so that changes apply at once. */
export interface TokenSubject {
  readonly sessionId: string;
  readonly accountId: string;
}

/** The claims in a token of a service account: the key that asked for it, by its thumbprint, and what it may read. */
export interface ServiceSubject {
  readonly serviceAccountId: string;
  readonly key: string;
  readonly scopes: readonly string[];
}

/**
 * Issues and checks access tokens: JWTs signed with HS256, with `iss`, `aud`, `sub`, `jti` (the session), `iat` and
 * `exp`.
 */
export interface Tokens {
  /** @param seconds how long the token is valid from now */
  issue(subject: TokenSubject, seconds: number): Promise<string>;
  /** Returns the token's claims if this server issued it and it is unchanged and not expired; otherwise undefined. */
  verify(token: string): Promise<TokenSubject | undefined>;
  /** The same for service accounts. Their tokens have another audience, so that neither kind is taken for the other. */
  issueService(subject: ServiceSubject, seconds: number): Promise<string>;
  verifyService(token: string): Promise<ServiceSubject | undefined>;
}

const ISSUER = 'clinic-scheduler';
const AUDIENCE = 'clinic-scheduler-api';
const SERVICE_AUDIENCE = 'clinic-scheduler-records';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const LONGEST = 2048;

/** @param key the signing key as a string of at least 32 bytes */
export function makeTokens(key: string, clock: Clock): Tokens {
  const secret = new TextEncoder().encode(key);
  const sign = (jwt: SignJWT, audience: string, subject: string, seconds: number): Promise<string> => {
    const now = Math.floor(clock.now() / 1000);
    return jwt
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(secret);
  };
  return {
    issue: ({ sessionId, accountId }, seconds) => sign(new SignJWT().setJti(sessionId), AUDIENCE, accountId, seconds),
    verify: (token) => verifySession(token, secret, new Date(clock.now())),
    issueService: ({ serviceAccountId, key, scopes }, seconds) =>
      sign(new SignJWT({ scope: scopes.join(' '), key }), SERVICE_AUDIENCE, serviceAccountId, seconds),
    verifyService: (token) => verifyService(token, secret, new Date(clock.now())),
  };
}

/** The claims of a token that was issued here for this audience and has not expired; otherwise undefined. */
async function claimsOf(token: string, secret: Uint8Array, audience: string, now: Date) {
  if (token.length > LONGEST) return undefined;
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer: ISSUER,
      audience,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: now,
    });
    return payload;
  } catch {
    return undefined;
  }
}

async function verifySession(token: string, secret: Uint8Array, now: Date): Promise<TokenSubject | undefined> {
  const { sub, jti } = (await claimsOf(token, secret, AUDIENCE, now)) ?? {};
  if (!sub || !jti || !UUID.test(sub) || !UUID.test(jti)) return undefined;
  return { sessionId: jti, accountId: sub };
}

async function verifyService(token: string, secret: Uint8Array, now: Date): Promise<ServiceSubject | undefined> {
  const { sub, scope, key } = (await claimsOf(token, secret, SERVICE_AUDIENCE, now)) ?? {};
  if (!sub || !UUID.test(sub) || typeof scope !== 'string' || typeof key !== 'string') return undefined;
  return { serviceAccountId: sub, key, scopes: scope.split(' ') };
}

/** Returns the token signing key that the database stores; the first process that needs the key creates it. */
export async function keptTokenKey(db: Db): Promise<string> {
  const made = randomBytes(48).toString('base64url');
  await db
    .insertInto('setting')
    .values({ key: 'token_key', value: JSON.stringify(made) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const kept = await db.selectFrom('setting').select('value').where('key', '=', 'token_key').executeTakeFirstOrThrow();
  if (typeof kept.value !== 'string') throw new Error('the setting token_key is not text');
  return kept.value;
}
