import { createHash, randomBytes } from 'node:crypto';
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
/** How many checked tokens are remembered, by their SHA-256. */
const MOST_CHECKED = 1000;

interface CheckedToken {
  readonly subject: TokenSubject;
  /** When the token expires, in seconds since 1970. */
  readonly expires: number;
}

/** @param key the signing key as a string of at least 32 bytes */
export function makeTokens(key: string, clock: Clock): Tokens {
  const secret = new TextEncoder().encode(key);
  // Whether a token was issued here depends only on its bytes, so this is verified only once. Whether it has expired
  // and whether its session is open can change, so both are checked at every use.
  const checked = new Map<string, CheckedToken>();
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
      const digest = createHash('sha256').update(token).digest('base64');
      const known = checked.get(digest);
      if (known) return Math.floor(clock.now() / 1000) < known.expires ? known.subject : undefined;
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: ['HS256'],
          typ: 'JWT',
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'jti', 'iat', 'exp'],
          currentDate: new Date(clock.now()),
        });
        const { sub, jti, exp } = payload;
        if (!sub || !jti || exp === undefined || !UUID.test(sub) || !UUID.test(jti)) return undefined;
        if (checked.size >= MOST_CHECKED) checked.clear();
        const subject = { sessionId: jti, accountId: sub };
        // A token with a not-before date (`nbf`) is not cached, because it must be compared with the current time at
        // every use.
        if (payload.nbf === undefined) checked.set(digest, { subject, expires: exp });
        return subject;
      } catch {
        return undefined;
      }
    },
    issueService({ serviceAccountId, key, scopes }, seconds) {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ scope: scopes.join(' '), key })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(SERVICE_AUDIENCE)
        .setSubject(serviceAccountId)
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .sign(secret);
    },
    verifyService: (token) => verifyService(token, secret, new Date(clock.now())),
  };
}

async function verifyService(token: string, secret: Uint8Array, now: Date): Promise<ServiceSubject | undefined> {
  if (token.length > LONGEST) return undefined;
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer: ISSUER,
      audience: SERVICE_AUDIENCE,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: now,
    });
    const { sub, scope, key } = payload;
    if (!sub || !UUID.test(sub) || typeof scope !== 'string' || typeof key !== 'string') return undefined;
    return { serviceAccountId: sub, key, scopes: scope.split(' ') };
  } catch {
    return undefined;
  }
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
