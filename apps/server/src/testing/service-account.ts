import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { RecordScope, ServiceAccount } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { TestApp } from './test-app.ts';

/** The address that assertions name, since requests in tests are sent to `localhost`. */
export const TOKEN_ENDPOINT = 'http://localhost/fhir/r4/token';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
export const makeKeys = (alg = 'ES384'): Promise<KeyPair> => generateKeyPair(alg, { extractable: true });
export const publicJwk = async (keys: KeyPair, kid = 'one') =>
  JSON.stringify({ ...(await exportJWK(keys.publicKey)), kid });

/** Another program that has a service account, and how it makes requests. */
export interface Program {
  readonly account: ServiceAccount;
  readonly keys: KeyPair;
  readonly token: string;
  readonly call: (options: InjectOptions) => Promise<LightMyRequestResponse>;
}

interface ProgramPlan {
  readonly scopes?: RecordScope[];
  readonly locations?: Location[] | null;
  readonly alg?: 'ES384' | 'RS384';
}

/** Makes a service account as an administrator would, and gets it a token as its program would. */
export async function openProgram(t: TestApp, plan: ProgramPlan = {}): Promise<Program> {
  const { scopes = ['fhir.read', 'changes.read'], locations = null, alg = 'ES384' } = plan;
  const admin = await t.signIn({ role: 'admin' });
  const keys = await makeKeys(alg);
  const payload = { name: `Program ${randomUUID().slice(0, 8)}`, scopes, locations, keys: await publicJwk(keys) };
  const made = await admin.call({ method: 'POST', url: '/api/service-accounts', payload });
  if (made.statusCode !== 201) throw new Error(`the service account was refused: ${made.body}`);
  const account = made.json<ServiceAccount>();
  const reply = await askToken(
    t,
    await assertionOf(account.id, keys, { alg, now: t.deps.accessClock.now() }),
    scopes.join(' '),
  );
  const { access_token: token } = reply.json<{ access_token: string }>();
  if (!token) throw new Error(`no token: ${reply.body}`);
  const call = (options: InjectOptions) =>
    t.app.inject({ ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } });
  return { account, keys, token, call };
}

interface AssertionPlan {
  readonly alg?: string;
  readonly kid?: string;
  readonly seconds?: number;
  readonly now?: number;
  /** Claims to set, or with undefined to leave out. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Signs an assertion for a service account (RFC 7523). */
export function assertionOf(
  id: string,
  { privateKey }: Pick<KeyPair, 'privateKey'>,
  { alg = 'ES384', kid = 'one', seconds = 240, now = Date.now(), claims = {} }: AssertionPlan = {},
): Promise<string> {
  const exp = Math.floor(now / 1000) + seconds;
  const all: JWTPayload = { iss: id, sub: id, aud: TOKEN_ENDPOINT, jti: randomUUID(), exp, ...claims };
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT', kid }).sign(privateKey);
}

export function askToken(
  t: Pick<TestApp, 'app'>,
  assertion: string,
  scope = 'fhir.read',
  more: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  const form = {
    grant_type: 'client_credentials',
    scope,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    ...more,
  };
  return t.app.inject({
    method: 'POST',
    url: '/fhir/r4/token',
    headers: FORM,
    payload: new URLSearchParams(form).toString(),
  });
}

/** Makes a service account without keys that work, only to be looked up; returns its id. */
export async function buildServiceAccount(
  db: Db,
  {
    scopes,
    locations = null,
    disabled = false,
  }: { scopes: RecordScope[]; locations?: Location[] | null; disabled?: boolean },
): Promise<string> {
  const at = new Date().toISOString();
  const { id } = await db
    .insertInto('service_account')
    .values({
      name: 'Program',
      scopes,
      locations,
      keys: JSON.stringify([{ thumbprint: 'key', jwk: {} }]),
      made_at: at,
      disabled_at: disabled ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
