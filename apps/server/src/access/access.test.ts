// This file is over 250 lines because it tests who is let in, case by case.
import { createHmac } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { adminEndpoints, DEFAULT_RULES } from '@clinic/contract';
import { buildApp } from '../app.ts';
import { loadConfig } from '../config.ts';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import type { Routes } from './deps.ts';
import type { OpenApi } from '../http/openapi.ts';

const KEY = 'k'.repeat(48);
let now = Date.now();
const t = useApp(() => buildTestApp({ config: { tokenKey: KEY }, deps: { accessClock: { now: () => now } } }));

test('given a route that does not declare who may call it, the server does not start', async () => {
  const open: Routes = (app) => void app.get('/api/forgotten', () => 'data');
  await expect(buildApp(t.deps, { extraRoutes: [open] })).rejects.toThrow(
    'GET /api/forgotten does not declare who may call it',
  );
});

interface Route {
  readonly method: string;
  readonly url: string;
  readonly open: boolean;
}

/** Every call in the OpenAPI document; those without a security requirement are public. */
async function documentedRoutes(): Promise<Route[]> {
  const { paths } = (await t.app.inject('/api/openapi.json')).json<OpenApi>();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      url: path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
      open: operation.security === undefined,
    })),
  );
}

test('[AUTH-06] without a valid token, every request is refused except for the login, using an invitation, a calendar’s secret address, and health checks', async () => {
  const routes = await documentedRoutes();
  expect(
    routes
      .filter((route) => route.open)
      .map((route) => route.url)
      .sort(),
  ).toEqual([
    '/api/login',
    '/api/sign-on/token',
    '/api/token',
    '/api/token/passkey',
    '/api/token/passkey/options',
    '/api/welcome',
    '/api/welcome/passkey',
    '/api/welcome/passkey/options',
    '/feeds/00000000-0000-4000-8000-000000000000',
    '/healthz',
    '/readyz',
  ]);
  const closed = routes.filter((route) => !route.open);
  expect(closed.length).toBeGreaterThan(10);
  for (const { method, url } of closed) {
    for (const headers of [{}, { authorization: 'Bearer a.b.c' }]) {
      const reply = await t.app.inject({ method: method as 'GET', url, headers });
      expect([method, url, reply.statusCode]).toEqual([method, url, 401]);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
  }
});

const VALUES: Readonly<Record<string, string>> = {
  location: 'orlando',
  date: '2026-11-20',
  start_date: '2026-11-16',
  from: '2026-11-16',
  to: '2026-11-20',
  by: 'client',
  figure: 'lost',
  format: 'csv',
  client_name: 'Bo Lee',
  weekday: '1',
};

test('every request for a location is refused if the account has no access to that location, and only then', async () => {
  const { paths } = (await t.app.inject('/api/openapi.json')).json<OpenApi>();
  const calls = Object.entries(paths).flatMap(([path, { get }]) => {
    const wanted = (get?.parameters ?? []).filter((each) => each.required === true || each.name === 'location');
    // What concerns a location as such, and not its day, is for administrators of all locations.
    if (path === '/api/events' || path.includes('{location}') || !wanted.some((each) => each.name === 'location'))
      return [];
    const query = wanted.map(({ name }) => `${name}=${encodeURIComponent(VALUES[name] ?? 'x')}`);
    return [`${path}?${query.join('&')}`];
  });
  expect(calls.length).toBeGreaterThan(4);
  const elsewhere = await t.signIn({ locations: ['tampa', 'altamonte'] });
  const admin = await t.signIn({ role: 'admin', locations: ['tampa'] });
  const there = await t.signIn({ locations: ['orlando'] });
  for (const url of calls) {
    expect([url, (await elsewhere.call({ url })).statusCode]).toEqual([url, 403]);
    expect([url, (await admin.call({ url })).statusCode]).toEqual([url, 403]);
    expect([url, [200, 404, 422].includes((await there.call({ url })).statusCode)]).toEqual([url, true]);
  }
});

test('only an administrator of all locations may change what concerns every location', async () => {
  const everywhere = await t.signIn({ role: 'admin' });
  const local = await t.signIn({ role: 'admin', locations: ['tampa'] });
  const changes = [
    { method: 'PUT', url: '/api/rules', payload: DEFAULT_RULES },
    { method: 'PUT', url: '/api/payers', payload: { name: 'Acme', credential: 'RBT', tag: null } },
    { method: 'POST', url: '/api/causes', payload: { label: 'Flood', lost_by: null } },
    { method: 'DELETE', url: '/api/causes/training' },
  ] as const;
  for (const change of changes) {
    const refused = await local.call(change);
    expect([change.url, refused.statusCode]).toEqual([change.url, 403]);
    expect(refused.json<{ detail: string }>().detail).toContain('every location');
    expect([change.url, (await everywhere.call(change)).statusCode < 300]).toEqual([change.url, true]);
  }
});

test('a scheduler’s request for an administrator route is refused before anything else is checked', async () => {
  const scheduler = await t.signIn();
  for (const { method, path } of Object.values(adminEndpoints)) {
    const url = `/api${path.replaceAll(/:\w+/g, 'x')}`;
    expect([url, (await scheduler.call({ method, url, payload: {} })).statusCode]).toEqual([url, 403]);
  }
});

async function statusWith(token: string): Promise<number> {
  return (await t.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } })).statusCode;
}

test('500 forged tokens are refused', async () => {
  const one = await t.signIn();
  const [head = '', payload = '', signature = ''] = one.token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (header: object, body: object, key: string, hash = 'sha256') => {
    const text = `${encode(header)}.${encode(body)}`;
    return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
  };
  const HS256 = { alg: 'HS256', typ: 'JWT' };
  expect(await statusWith(signed(HS256, claims, KEY))).toBe(200); // The signing itself works, so the tokens below are refused for their content.

  const forged: string[] = [
    `${encode({ alg: 'none' })}.${payload}.`,
    `${encode({ alg: 'none' })}.${payload}.${signature}`,
    new UnsecuredJWT(claims).encode(),
    signed({ alg: 'HS512', typ: 'JWT' }, claims, KEY, 'sha512'),
    signed({ alg: 'HS384', typ: 'JWT' }, claims, KEY, 'sha384'),
    signed({ alg: 'HS256', typ: 'at+jwt' }, claims, KEY),
    signed({ alg: 'HS256' }, claims, KEY),
    signed({ ...HS256, crit: ['x'], x: 1 }, claims, KEY),
    await new SignJWT(claims)
      .setProtectedHeader(HS256)
      .sign(new TextEncoder().encode('another key of a good length....')),
  ];
  for (const change of [
    { iss: 'another' },
    { aud: 'another' },
    { iss: undefined },
    { aud: undefined },
    { exp: undefined },
    { jti: undefined },
    { sub: undefined },
    { iat: undefined },
    { exp: Math.floor(now / 1000) - 1 },
    { exp: 'tomorrow' },
    { nbf: Math.floor(now / 1000) + 600 },
    { jti: crypto.randomUUID() }, // this session does not exist
    { sub: crypto.randomUUID() }, // this is another account's id
    { jti: "' or 1=1 --" },
    { jti: { $ne: null } },
  ]) {
    forged.push(signed(HS256, { ...claims, ...change }, KEY));
  }
  // Flips one bit in each byte of header, payload and signature, unless the token would stay the same.
  const bytes = [head, payload, signature].map((part) => Buffer.from(part, 'base64url'));
  for (let i = 0; forged.length < 500; i++) {
    const part = i % 3;
    const flipped = bytes.map((each, at) => {
      const copy = Buffer.from(each);
      if (at === part) copy[i % copy.length] = (copy[i % copy.length] ?? 0) ^ (1 << (i % 8));
      return copy.toString('base64url');
    });
    forged.push(flipped.join('.'));
  }
  const accepted: string[] = [];
  for (const token of forged) if ((await statusWith(token)) !== 401) accepted.push(token);
  expect(forged).toHaveLength(500);
  expect(accepted).toEqual([]);
});

test('a valid token for a session that has ended is refused, and so is an expired token for an open session', async () => {
  const one = await t.signIn();
  expect(await statusWith(one.token)).toBe(200); // a token also expires when it was used before
  now += 15 * 60_000 + 1000;
  expect(await statusWith(one.token)).toBe(401);
  const row = await t.deps.db
    .selectFrom('session')
    .select('ended_at')
    .where('account_id', '=', one.accountId)
    .executeTakeFirst();
  expect(row?.ended_at).toBeNull();
});

async function renew(one: SignedIn, token: string, background = false): Promise<string> {
  const reply = await t.app.inject({
    method: 'POST',
    url: '/api/token/renew',
    headers: { authorization: `Bearer ${token}`, ...(background ? { 'x-background': '1' } : {}) },
  });
  if (reply.statusCode !== 200) throw new Error(`${one.email}: ${reply.statusCode}`);
  return reply.json<{ access_token: string }>().access_token;
}

test('given a disabled account, its requests are refused even if its session has not ended', async () => {
  const one = await t.signIn();
  await t.db
    .updateTable('account')
    .set({ disabled_at: new Date(now).toISOString() })
    .where('id', '=', one.accountId)
    .execute();
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(401);
});

test('a session without activity ends after IDLE_MINUTES, whatever its tokens say; activity keeps it open', async () => {
  const one = await t.signIn();
  let token = one.token;
  for (let minutes = 0; minutes < 60; minutes += 10) {
    now += 10 * 60_000;
    token = await renew(one, token);
  }
  // Requests that the page makes by itself do not count as activity.
  for (let minutes = 0; minutes < 20; minutes += 10) {
    now += 10 * 60_000;
    token = await renew(one, token, true);
  }
  now += 9 * 60_000;
  expect(await statusWith(token)).toBe(200); // 29 minutes after the last activity; this request is activity too
  token = await renew(one, token, true);
  now += 14 * 60_000;
  token = await renew(one, token, true);
  now += 14 * 60_000;
  token = await renew(one, token, true);
  now += 3 * 60_000;
  await expect(renew(one, token)).rejects.toThrow('401');
  const row = await t.deps.db
    .selectFrom('session')
    .select('ended_why')
    .where('account_id', '=', one.accountId)
    .executeTakeFirst();
  expect(row?.ended_why).toBe('idle');
});

test('a session ends after SESSION_HOURS at the latest, and its last token expires with it', async () => {
  const one = await t.signIn();
  let token = one.token;
  const began = now;
  while (now - began < 12 * 3_600_000 - 10 * 60_000) {
    now += 10 * 60_000;
    token = await renew(one, token);
  }
  const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
  expect(exp).toBe(Math.floor((began + 12 * 3_600_000) / 1000));
  now = began + 12 * 3_600_000;
  expect(await statusWith(token)).toBe(401);
});

test('the signing key is made once, stored in the database, and used by every process', async () => {
  const config = loadConfig({ DEMO: 'off' });
  const first = await buildTestApp({ database: t.database, config });
  const second = await buildTestApp({ database: t.database, config });
  const one = await first.signIn();
  const reply = await second.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${one.token}` } });
  expect(reply.statusCode).toBe(200);
  await first.close();
  await second.close();
});
