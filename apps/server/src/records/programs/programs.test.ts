import { sql } from 'kysely';
import { exportJWK, generateKeyPair } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import {
  askToken,
  assertionOf,
  makeKeys,
  openProgram,
  publicJwk,
  type KeyPair,
} from '../../testing/service-account.ts';
import { buildTestApp, type SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';
import type { ServiceAccount } from '@clinic/contract';

const t = useApp(() => buildTestApp());
let admin: SignedIn;
let keys: KeyPair;
beforeAll(async () => {
  admin = await t.signIn({ role: 'admin' });
  keys = await makeKeys();
});

const URL = '/api/service-accounts';
const body = async (more: object = {}) => ({
  name: 'Warehouse',
  scopes: ['fhir.read'],
  locations: null,
  keys: await publicJwk(keys),
  ...more,
});
const add = async (more: object = {}) => admin.call({ method: 'POST', url: URL, payload: await body(more) });
const made = async (more: object = {}): Promise<ServiceAccount> => (await add(more)).json<ServiceAccount>();
const errorOf = async (id: string, plan: Parameters<typeof assertionOf>[2] = {}, by = keys, scope = 'fhir.read') => {
  const reply = await askToken(t.opened, await assertionOf(id, by, plan), scope);
  return reply.json<{ error?: string }>().error ?? 'granted';
};

test.each(['ES384', 'RS384'] as const)(
  'a program with a key for %s gets a token for five minutes, and reads with it',
  async (alg) => {
    const program = await openProgram(t.opened, { alg });
    expect((await program.call({ url: '/fhir/r4/Practitioner' })).statusCode).toBe(200);
    const assertion = await assertionOf(program.account.id, program.keys, { alg });
    const reply = await askToken(t.opened, assertion, 'system/*.read launch');
    expect(reply.json()).toMatchObject({ token_type: 'bearer', expires_in: 300, scope: 'system/*.rs' });
    expect(reply.headers['cache-control']).toBe('no-store');
  },
);

test('a narrower scope reads only that type', async () => {
  const { account } = await openProgram(t.opened);
  const own = await makeKeys();
  const changed = { ...(await body()), keys: await publicJwk(own), disabled: false, version: account.version };
  expect((await admin.call({ method: 'PUT', url: `${URL}/${account.id}`, payload: changed })).statusCode).toBe(200);
  const reply = await askToken(t.opened, await assertionOf(account.id, own), 'system/Appointment.read changes.read');
  const { access_token, scope } = reply.json<{ access_token: string; scope: string }>();
  expect(scope).toBe('system/Appointment.rs'); // the account lost changes.read with that change
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await t.app.inject({ url: '/fhir/r4/Appointment', headers })).statusCode).toBe(200);
  expect((await t.app.inject({ url: '/fhir/r4/Patient?_id=1', headers })).statusCode).toBe(403);
  expect((await t.app.inject({ url: '/api/changes', headers })).statusCode).toBe(403);
});

test('an assertion works once, also when it is sent twice at the same time to two servers', async () => {
  const { id } = await made();
  const other = await buildTestApp({ database: t.opened.database });
  const assertion = await assertionOf(id, keys);
  const replies = await Promise.all([
    askToken(t.opened, assertion),
    askToken(other, assertion),
    askToken(t.opened, assertion),
  ]);
  await other.close();
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
  expect((await askToken(t.opened, assertion)).json()).toMatchObject({ error: 'invalid_client' });
});

const FAULTS: [what: string, plan: Parameters<typeof assertionOf>[2]][] = [
  ['another audience', { claims: { aud: 'http://localhost/api/token' } }],
  ['no audience', { claims: { aud: undefined } }],
  ['another subject', { claims: { sub: 'someone' } }],
  ['no jti', { claims: { jti: undefined } }],
  ['an empty jti', { claims: { jti: '' } }],
  ['no end', { claims: { exp: undefined } }],
  ['an end in an hour', { seconds: 3600 }],
  ['an end in the past', { seconds: -60 }],
  ['a beginning in the future', { claims: { nbf: Math.floor(Date.now() / 1000) + 200 } }],
];
test.each(FAULTS)('an assertion with %s is refused', async (_what, plan) => {
  const { id } = await made();
  expect(await errorOf(id, plan)).toBe('invalid_client');
  expect(await errorOf(id)).toBe('granted');
});

test('an assertion signed with another key, with another algorithm, or for an account that is not there is refused', async () => {
  const { id } = await made();
  expect(await errorOf(id, {}, await makeKeys())).toBe('invalid_client');
  expect(await errorOf(id, { alg: 'RS384' }, await makeKeys('RS384'))).toBe('invalid_client');
  expect(await errorOf('00000000-0000-4000-8000-000000000000')).toBe('invalid_client');
  expect(await errorOf('nobody')).toBe('invalid_client');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: id, sub: id })).toString('base64url')}.`;
  expect((await askToken(t.opened, unsigned)).statusCode).toBe(401);
  expect((await askToken(t.opened, 'x')).statusCode).toBe(401);
});

test('a request with another grant or without scope is refused with the error of OAuth', async () => {
  const { id } = await made();
  const ask = async (more: Record<string, string>, scope?: string) =>
    (await askToken(t.opened, await assertionOf(id, keys), scope, more)).json<{ error: string }>().error;
  expect(await ask({ grant_type: 'password' })).toBe('unsupported_grant_type');
  expect(await ask({ client_assertion_type: 'x' })).toBe('invalid_request');
  expect(await ask({}, 'changes.read')).toBe('invalid_scope');
  expect(await ask({}, '')).toBe('invalid_scope');
});

test('an account that is disabled, or whose key is replaced, is refused at once, with the token it had', async () => {
  const { account, call, keys: own } = await openProgram(t.opened);
  const change = async (more: object, version: number) =>
    admin.call({
      method: 'PUT',
      url: `${URL}/${account.id}`,
      payload: { name: account.name, scopes: ['fhir.read'], locations: null, disabled: false, version, ...more },
    });
  const read = async () => (await call({ url: '/fhir/r4/Location' })).statusCode;
  expect(await read()).toBe(200);
  expect((await change({ disabled: true }, 1)).json()).toMatchObject({ disabled: true, version: 2 });
  expect(await read()).toBe(401);
  expect(await errorOf(account.id, {}, own)).toBe('invalid_client');
  expect((await change({}, 1)).statusCode).toBe(409);
  expect((await change({}, 2)).statusCode).toBe(200);
  expect(await read()).toBe(200);
  expect((await change({ keys: await publicJwk(keys) }, 3)).statusCode).toBe(200);
  expect(await read()).toBe(401);
});

test('a private key, a weak one, one on another curve and what is no key are refused, and nothing is kept of them', async () => {
  const weak = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const { n = '', ...rest } = await exportJWK(weak.publicKey);
  const p256 = await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey);
  const cases: [object | string, RegExp][] = [
    [await exportJWK(keys.privateKey), /^keys: this is a private key/],
    [{ keys: [await exportJWK(keys.privateKey)] }, /private key/],
    [{ kty: 'oct', k: 'AAAA' }, /private key/],
    [{ ...rest, n: n.slice(0, 170) }, /at least 2048 bits/],
    [p256, /P-384/],
    [{ ...(await exportJWK(keys.publicKey)), x: 'AAAA' }, /P-384/],
    ['not JSON', /not a JWK/],
    ['[1]', /not a JWK/],
    [{ keys: [] }, /1 to 5 keys/],
  ];
  for (const [value, words] of cases) {
    const reply = await add({ name: 'Unfit', keys: typeof value === 'string' ? value : JSON.stringify(value) });
    expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([422, expect.stringMatching(words)]);
  }
  const list = (await admin.call({ url: URL })).json<ServiceAccount[]>();
  expect(list.filter(({ name }) => name === 'Unfit')).toEqual([]);
});

test('making, changing and logging in are in the audit trail, under the administrator and under the program', async () => {
  const { account } = await openProgram(t.opened, { locations: ['tampa'] });
  const rows = await t.db
    .selectFrom('audit')
    .selectAll()
    .where(sql<boolean>`subject_ids @> array[${account.id}]`)
    .orderBy('at')
    .execute();
  expect(rows.map(({ action }) => action)).toEqual(['service-account.added', 'service-account.token']);
  expect(rows[1]?.account_id).toBe(account.id);
  const trail = await admin.call({ url: `/api/audit?account=${account.id}` });
  expect(trail.json<{ account: string }[]>().map((row) => row.account)).toEqual([account.name]);
  expect(JSON.stringify(rows)).not.toMatch(/eyJ/); // no assertion and no token
});

test('only an administrator of all locations manages programs, and a program manages nothing', async () => {
  const payload = await body();
  for (const by of [await t.signIn(), await t.signIn({ role: 'admin', locations: ['altamonte'] })])
    expect((await by.call({ method: 'POST', url: URL, payload })).statusCode).toBe(403);
  const { call } = await openProgram(t.opened);
  for (const url of [URL, '/api/accounts', '/api/session', '/api/slots', '/api/events', '/api/me'])
    expect([url, (await call({ url })).statusCode]).toEqual([url, 403]);
});
