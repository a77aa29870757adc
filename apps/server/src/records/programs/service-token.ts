import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JWK } from 'jose';
import { audit } from '../../access/audit.ts';
import type { Deps } from '../../access/deps.ts';
import { findServiceAccount, ownScope, scopesAllow, type ServiceKey } from '../../access/service-callers.ts';
import { isoAt } from '../../platform/clock.ts';

/** How long a service account's token is valid, and how far ahead an assertion may end, in seconds. */
const TOKEN_SECONDS = 300;
const LONGEST_ASSERTION_SECONDS = 300;
/** How far clocks may differ, in seconds. */
const SKEW_SECONDS = 10;
export const ALGORITHMS = ['RS384', 'ES384'];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export interface TokenRequest {
  readonly grant_type?: string | undefined;
  readonly scope?: string | undefined;
  readonly client_assertion_type?: string | undefined;
  readonly client_assertion?: string | undefined;
}

/** The errors of RFC 6749, section 5.2. The text says what to correct, and nothing about which accounts exist. */
export interface TokenFault {
  readonly error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope';
  readonly error_description: string;
}

export interface TokenGrant {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly scope: string;
}

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Exchanges an assertion, signed with a service account's key (RFC 7523), for a token. An assertion works once, on
 * whichever server it arrives.
 * @param endpoint the address that the assertion must name as its audience
 */
export async function grantToken(
  { db, tokens, accessClock }: Pick<Deps, 'db' | 'tokens' | 'accessClock'>,
  request: TokenRequest,
  { endpoint, requestId }: { readonly endpoint: string; readonly requestId: string },
): Promise<TokenGrant | TokenFault> {
  const now = accessClock.now();
  if (request.grant_type !== 'client_credentials')
    return fault('unsupported_grant_type', 'grant_type must be client_credentials.');
  if (request.client_assertion_type !== ASSERTION || !request.client_assertion)
    return fault('invalid_request', `client_assertion_type must be ${ASSERTION}, with a client_assertion.`);
  const account = await accountOf(db, request.client_assertion);
  const used = account && (await verify(request.client_assertion, account, endpoint, now));
  if (!account || !used) return REFUSED;
  const scopes = scopesIn(request.scope).filter((scope) => scopesAllow(account.scopes, ownScope(scope)));
  if (scopes.length === 0) return fault('invalid_scope', 'This account may read nothing of what scope names.');
  const first = await db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('service_assertion')
      .values({ service_account_id: account.id, jti_hash: used.jtiHash, expires_at: isoAt(used.until) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 1n) return false;
    await trx
      .updateTable('service_account')
      .set({ used_at: isoAt(now) })
      .where('id', '=', account.id)
      .execute();
    const subject = { subjectKind: 'service-account', subjectIds: [account.id], detail: { scopes } };
    await audit(trx, now, { ...subject, action: 'service-account.token', accountId: account.id, requestId });
    return true;
  });
  if (!first) return REFUSED;
  const subject = { serviceAccountId: account.id, key: used.key, scopes };
  const access_token = await tokens.issueService(subject, TOKEN_SECONDS);
  return { access_token, token_type: 'bearer', expires_in: TOKEN_SECONDS, scope: scopes.join(' ') };
}

const fault = (error: TokenFault['error'], error_description: string): TokenFault => ({ error, error_description });

const REFUSED = fault(
  'invalid_client',
  `The assertion was not accepted. It must be signed (${ALGORITHMS.join(', ')}) with a key of this account, name the account as iss and sub and the token endpoint as aud, end within five minutes, and have a jti that was not used before.`,
);

/** Finds the account that an assertion names, before anything in it can be believed. */
async function accountOf(db: Deps['db'], assertion: string) {
  let id: string | undefined;
  try {
    id = decodeJwt(assertion).iss;
  } catch {
    return undefined;
  }
  if (id === undefined || !UUID.test(id)) return undefined;
  const account = await findServiceAccount(db, id);
  return account?.disabled_at === null ? account : undefined;
}

async function verify(
  assertion: string,
  { id, keys }: { readonly id: string; readonly keys: readonly ServiceKey[] },
  endpoint: string,
  now: number,
): Promise<{ key: string; jtiHash: Buffer; until: number } | undefined> {
  for (const { jwk, thumbprint } of keys) {
    try {
      const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys: [jwk as JWK] }), {
        algorithms: ALGORITHMS,
        issuer: id,
        subject: id,
        audience: endpoint,
        requiredClaims: ['exp', 'jti'],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(now),
      });
      const { exp = Infinity, jti = '' } = payload;
      if (exp * 1000 - now > (LONGEST_ASSERTION_SECONDS + SKEW_SECONDS) * 1000) return undefined;
      if (typeof jti !== 'string' || jti === '' || jti.length > 255) return undefined;
      const until = (exp + 2 * SKEW_SECONDS) * 1000;
      return { key: thumbprint, jtiHash: createHash('sha256').update(jti).digest(), until };
    } catch {
      // perhaps signed with another of the account's keys
    }
  }
  return undefined;
}

/** The scopes of a request as we keep them: SMART's older `.read` is its newer `.rs`. Others are left out. */
function scopesIn(scope = ''): string[] {
  const all = scope.split(/\s+/).flatMap((each) => {
    if (each === 'fhir.read' || each === 'changes.read') return [each];
    const [, resource] = /^system\/(\*|[A-Za-z]+)\.(?:read|rs)$/.exec(each) ?? [];
    return resource === undefined ? [] : [`system/${resource}.rs`];
  });
  return [...new Set(all)];
}
