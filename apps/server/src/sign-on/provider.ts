import * as client from 'openid-client';
import type { SignOnFailure } from '@clinic/contract';
import { isLoopback, type Config } from '../config.ts';

export type Oidc = NonNullable<Config['oidc']>;

/** Thrown when nobody is logged in; `why` is what the login page says. */
export class SignOnFailed extends Error {
  override name = 'SignOnFailed';
  readonly why: SignOnFailure;
  constructor(why: SignOnFailure, options?: ErrorOptions) {
    super(why, options);
    this.why = why;
  }
}

/** What binds the issuer's answer to the request: all made here, used once. */
interface Binding {
  readonly state: string;
  readonly nonce: string;
  /** The secret whose hash the request shows (PKCE). */
  readonly verifier: string;
}

/** What the issuer says about a person: the verified claims of the ID token and, where these lack some, of userinfo. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** The clinic's sign-on. Each function throws `SignOnFailed`. */
export interface Provider {
  /** Reads the issuer's addresses and keys, unless they are known. */
  discover(): Promise<unknown>;
  /** The issuer's address at which the person logs in. */
  begin(binding: Binding): Promise<URL>;
  /** Exchanges the code in the address to which the person came back, and verifies the ID token. */
  finish(current: URL, binding: Binding): Promise<{ readonly claims: Claims; readonly idToken: string }>;
  /**
   * The issuer's address that ends the login there; null if it has none.
   * @param idToken whose login; without it, some issuers ask the person first
   */
  end(returnTo: string, idToken: string | null): Promise<URL | null>;
}

const TIMEOUT_SECONDS = 10;
/** After a failure, the issuer is left alone this long, so that a slow one does not hold everybody up. */
const REST_MS = 5000;
/** The issuer's addresses are read again after a day. */
const KNOWN_MS = 24 * 3_600_000;

/**
 * @param returnTo the address to which the issuer sends the browser back
 * @param onTrouble is told in words why the issuer could not be used
 */
export function makeProvider(
  oidc: Oidc,
  returnTo: string,
  onTrouble: (reason: string, cause: unknown) => void,
): Provider {
  let known: { readonly configuration: client.Configuration; readonly at: number } | undefined;
  let asking: Promise<void> | undefined;
  let failedAt = -Infinity;

  async function ask(): Promise<void> {
    try {
      known = { configuration: await discovered(oidc), at: performance.now() };
    } catch (error) {
      failedAt = performance.now();
      onTrouble(`the sign-on's addresses could not be read from ${oidc.issuer}`, error);
    }
  }

  /** The issuer's addresses. Callers at the same moment share one request; if it fails, what was known stays in use. */
  async function configured(): Promise<client.Configuration> {
    const now = performance.now();
    const isFresh = known !== undefined && now - known.at < KNOWN_MS;
    if (!isFresh && now - failedAt >= REST_MS) await (asking ??= ask().finally(() => (asking = undefined)));
    if (!known) throw new SignOnFailed('away');
    return known.configuration;
  }

  return {
    discover: configured,
    async begin({ state, nonce, verifier }) {
      const configuration = await configured();
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: returnTo,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async finish(current, { state, nonce, verifier }) {
      const configuration = await configured();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, current, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        // The library checks `azp` only beside several audiences.
        if (!claims || (claims.azp !== undefined && claims.azp !== oidc.clientId))
          throw new SignOnFailed('not-accepted');
        const idToken = tokens.id_token ?? '';
        return { claims: await whole(configuration, oidc, claims, tokens.access_token), idToken };
      } catch (error) {
        const why = failureOf(error);
        if (why !== 'declined') onTrouble(`a sign-on failed (${why})`, error);
        throw new SignOnFailed(why, { cause: error });
      }
    },
    async end(address, idToken) {
      const configuration = await configured();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      const hint = idToken === null ? {} : { id_token_hint: idToken };
      return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: address, ...hint });
    },
  };
}

async function discovered({ issuer, clientId, clientSecret }: Oidc): Promise<client.Configuration> {
  const url = new URL(issuer);
  const insecure = url.protocol === 'http:' && isLoopback(url.hostname) ? [client.allowInsecureRequests] : [];
  const choose: client.ClientAuth = (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = ways.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic;
    return way(clientSecret)(server, ...rest);
  };
  return client.discovery(url, clientId, {}, choose, {
    // Without this, an ID token that comes straight from the issuer is taken without a look at its signature.
    execute: [client.enableNonRepudiationChecks, ...insecure],
    timeout: TIMEOUT_SECONDS,
  });
}

/** Adds what userinfo says, if the ID token says neither the email nor the roles. The ID token goes before. */
async function whole(
  configuration: client.Configuration,
  { roles, roleClaim }: Oidc,
  claims: client.IDToken,
  accessToken: string,
): Promise<Claims> {
  const lacks = claims['email'] === undefined || (roles !== null && valueOf(claims, roleClaim) === undefined);
  if (!lacks || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const more = await client.fetchUserInfo(configuration, accessToken, claims.sub);
  return { ...more, ...claims };
}

/** A claim by its name, or by its path in claims within claims: `realm_access.roles`. */
export function valueOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const [first = '', ...rest] = name.split('.');
  const inner = Object.hasOwn(claims, first) ? claims[first] : undefined;
  if (rest.length === 0 || typeof inner !== 'object' || inner === null) return undefined;
  return valueOf(Object.fromEntries(Object.entries(inner)), rest.join('.'));
}

function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailed) return error.why;
  if (error instanceof client.AuthorizationResponseError)
    return ['access_denied', 'login_required', 'interaction_required', 'consent_required'].includes(error.error)
      ? 'declined'
      : 'not-accepted';
  return isOfNetwork(error) ? 'away' : 'not-accepted';
}

/** Whether no answer came: `fetch` throws a TypeError then, and a timeout has a name of its own. */
function isOfNetwork(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each.name === 'TimeoutError' || (each instanceof TypeError && each.message === 'fetch failed')) return true;
  }
  return false;
}
