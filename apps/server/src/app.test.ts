import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as z from 'zod/mini';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failingSolver } from './testing/cover-app.ts';
import { buildTestApp, tokenFor, type SignedIn, type TestApp } from './testing/test-app.ts';
import type { Routes } from './access/deps.ts';
import { Refusal } from './platform/refusal.ts';

const SECRET = 'Maximiliana Secretname';

/** Routes that fail, each in a different way. */
const faulty: Routes = (app) => {
  const config = { access: 'signed-in' as const };
  app.get('/api/test/throws', { config }, () => {
    throw new Error(`no such client ${SECRET}`);
  });
  app.get('/api/test/sql', { config }, () => {
    throw Object.assign(new Error(`duplicate key: (${SECRET})`), {
      code: '23505',
      detail: `Key (${SECRET})`,
      constraint: 'client_display_name',
    });
  });
  app.get('/api/test/overlap', { config }, () => {
    throw Object.assign(new Error('conflicting key'), { code: '23P01' });
  });
  app.get('/api/test/lost', { config }, () => {
    throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  });
  // `pg` reports a connection that breaks during a query in several ways: with an error code, without one, and with
  // another error for the statement after it.
  for (const [path, error] of [
    ['reset', Object.assign(new Error('read'), { code: 'ECONNRESET' })],
    ['ended', new Error('Connection terminated unexpectedly')],
    ['before', new Error('Client has encountered a connection error and is not queryable')],
    ['closed', new Error('Client was closed and is not queryable')],
  ] as const)
    for (const method of ['GET', 'POST'])
      app.route({ method, url: `/api/test/lost-${path}`, config, handler: () => Promise.reject(error) });
  app.get('/api/test/conflict', { config }, () => {
    throw new Refusal('pins-conflict', {
      conflicts: [{ date: '2026-11-20', time: '8:30 AM - 10:00 AM', therapist: 'Lin Park' }],
    });
  });
  app.get(
    '/api/test/reply',
    { config, schema: { response: { 200: z.object({ n: z.number() }) } } },
    () => ({ n: SECRET }) as never,
  );
  app.get('/api/test/pool', { config }, () => {
    // The pool's error message when no connection became free.
    throw new Error('timeout exceeded when trying to connect');
  });
  app.post('/api/test/body', { config, schema: { body: z.record(z.string(), z.unknown()) } }, () => ({}));
};

let t: TestApp;
let one: SignedIn;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-pages-'));
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  write('web/index.html', '<!doctype html><title>Scheduler</title>');
  write('web/assets/app-abc123.js', 'console.log("plain")');
  write('web/assets/app-abc123.js.br', brotliCompressSync('console.log("plain")'));
  write('web/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('embed/embed/timeslot-cancel.js', 'window.TimeslotCancel = {}');
  write('embed/legacy/index.html', '<p>legacy</p>');
  t = await buildTestApp({
    config: { embedOrigins: ['https://intranet.example'] },
    pages: { web: join(folder, 'web'), embed: join(folder, 'embed') },
    extraRoutes: [faulty],
  });
  one = await t.signIn();
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([true, false])('with SOLVER_WARM_UP %s, the solver starts with the server, or not', async (solverWarmUp) => {
  let started = 0;
  const solver = { ...failingSolver(new Error('nothing to solve')), warm: () => void started++ };
  const own = await buildTestApp({ config: { solverWarmUp }, solver });
  await own.app.listen({ host: '127.0.0.1', port: 0 });
  expect(started).toBe(solverWarmUp ? 1 : 0);
  await own.close();
});

test.each([
  '/',
  '/login',
  '/login.html',
  '/calendar?date=2026-11-20',
  '/no/such/page',
  '/100%',
  '/%E0%A4%A?id=100%',
  '/profiles?id=%00',
])('[ROUTE-05] %s returns the application', async (url) => {
  const reply = await t.app.inject({ url });
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['content-type']).toContain('text/html');
  expect(reply.headers['cache-control']).toBe('no-cache');
  expect(reply.body).toContain('Scheduler');
});

test('a file with a hash in its name is cached for a year, and is sent compressed to browsers that accept compression', async () => {
  const plain = await t.app.inject({ url: '/assets/app-abc123.js' });
  expect(plain.body).toBe('console.log("plain")');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const small = await t.app.inject({ url: '/assets/app-abc123.js', headers: { 'accept-encoding': 'gzip, br' } });
  expect(small.headers['content-encoding']).toBe('br');
  expect(small.headers['content-type']).toContain('javascript');
});

test.each([
  '/assets/gone.js',
  '/favicon.ico',
  '/legacy/gone.html',
  '/embed/gone.js',
  '/api/nothing',
  '/api',
  '/../package.json',
  '/assets/../../package.json',
])('%s returns 404, not the application', async (url) => {
  const reply = await t.app.inject({ url });
  expect(reply.statusCode).toBe(404);
  expect(reply.json()).toEqual({ detail: 'This does not exist, or it was deleted.' });
});

test.each([
  ['a lone percent sign', '/api/therapists/%', 404],
  ['a longer id than any', `/api/therapists/${'x'.repeat(300)}`, 422],
])('[DATA-06] a request for %s is refused with a reason in words', async (_what, url, status) => {
  const reply = await one.call({ url });
  expect(reply.statusCode).toBe(status);
  expect(reply.json<{ detail: string }>().detail).toMatch(/\w/);
});

test('[LEG-01] the server delivers the legacy page and the embedded script', async () => {
  expect((await t.app.inject({ url: '/legacy/index.html' })).body).toBe('<p>legacy</p>');
  const script = await t.app.inject({ url: '/embed/timeslot-cancel.js' });
  expect(script.body).toContain('TimeslotCancel');
  expect(script.headers['cross-origin-resource-policy']).toBe('cross-origin');
});

test("a page from an allowed origin may make only the embedded page's API call; any other page may make no API call", async () => {
  const preflight = (origin: string, url: string) =>
    t.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    });
  const allowed = await preflight('https://intranet.example', '/api/timeslots');
  expect(allowed.statusCode).toBe(204);
  expect(allowed.headers['access-control-allow-origin']).toBe('https://intranet.example');
  expect(
    (await preflight('https://evil.example', '/api/timeslots')).headers['access-control-allow-origin'],
  ).toBeUndefined();
  expect(
    (await preflight('https://intranet.example', '/api/clients')).headers['access-control-allow-origin'],
  ).toBeUndefined();
});

test('every reply carries the security headers that restrict what a page may load and do', async () => {
  const odd = ['/%E0%A4%A', '/api/clients/%E0%A4%A', `/api/clients/${'x'.repeat(5000)}`];
  for (const url of ['/', '/api/session', '/api/docs', '/assets/app-abc123.js', ...odd]) {
    const { headers } = await t.app.inject({ url });
    const policy = String(headers['content-security-policy']);
    expect(policy.split(/;\s*/).sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      'trusted-types legacy-scheduler',
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  }
});

test('a URL that cannot be decoded gets the checks that every request gets', async () => {
  const url = '/api/clients/%E0%A4%A';
  expect((await t.app.inject({ url, headers: { host: 'evil.example' } })).statusCode).toBe(421);
  expect((await t.app.inject({ url })).statusCode).toBe(401);
  const before = t.logLines.length;
  const found = await one.call({ url });
  expect([found.statusCode, found.json<{ detail: string }>().detail]).toEqual([404, expect.any(String)]);
  expect(t.logLines.slice(before).join()).toContain('"route":"/api/clients/:id"');
});

test('a reply with data is never cached', async () => {
  for (const url of ['/api/session', '/api/nothing', '/api/test/throws'])
    expect((await one.call({ url })).headers['cache-control']).toBe('no-store');
});

test.each([
  ['/api/test/throws', 500, 'Something went wrong on the server'],
  ['/api/test/reply', 500, 'Something went wrong on the server'],
  ['/api/test/lost', 503, 'The scheduler cannot reach its database'],
  ['/api/test/pool', 503, 'The scheduler cannot reach its database'],
])(
  '[DATA-06] a failing request for %s gets %d with a readable message, and no data from the error is shown or logged',
  async (url, status, text) => {
    const before = t.logLines.length;
    const reply = await one.call({ url });
    expect(reply.statusCode).toBe(status);
    expect(reply.json<{ detail: string }>().detail).toContain(text);
    expect(reply.body).not.toContain('Secretname');
    const lines = t.logLines.slice(before).join('\n');
    if (status === 500) expect(lines).toContain('"msg":"request failed"');
    expect(lines).not.toContain('Secretname');
    if (status === 503) expect(reply.headers['retry-after']).toBe('2');
  },
);

test('[DATA-06] when a database rule refuses a write, the reply is in plain words, and the row is not logged', async () => {
  const before = t.logLines.length;
  const { statusCode, body } = await one.call({ url: '/api/test/sql' });
  expect([statusCode, body]).toEqual([409, expect.stringContaining('Someone saved the same thing')]);
  expect(body + t.logLines.slice(before).join('\n')).not.toContain('Secretname');
});

test('when the database connection breaks during a write, the reply does not claim that nothing changed', async () => {
  for (const how of ['reset', 'ended', 'before', 'closed']) {
    const url = `/api/test/lost-${how}`;
    const [write, read] = [await one.call({ method: 'POST', url }), await one.call({ url })];
    expect([write.statusCode, read.statusCode]).toEqual([503, 503]);
    expect(write.body).toContain('so this may have been saved. Check before trying');
    expect(read.body).toContain('Nothing was changed');
  }
});

test('[DATA-06] the refusal of a malformed request names each invalid field and says what is wrong with it', async () => {
  const reply = await t.app.inject({ method: 'POST', url: '/api/token', payload: {} });
  expect(reply.statusCode).toBe(422);
  expect(reply.json()).toEqual({ detail: 'username: is missing; password: is missing' });
  const text = await t.app.inject({
    method: 'POST',
    url: '/api/token',
    payload: '7',
    headers: { 'content-type': 'application/json' },
  });
  expect(text.json()).toEqual({ detail: 'the request: must be an object' });
});

test('[DATA-06] 409 and 410 replies carry a message and the conflicts', async () => {
  const overlap = await one.call({ url: '/api/test/overlap' });
  expect(overlap.statusCode).toBe(409);
  expect(overlap.json()).toEqual({
    detail: { message: expect.stringContaining('just booked this time') as unknown, conflicts: [] },
  });
  const pins = await one.call({ url: '/api/test/conflict' });
  expect(pins.statusCode).toBe(410);
  expect(pins.json<{ detail: { conflicts: unknown[] } }>().detail.conflicts).toEqual([
    { date: '2026-11-20', time: '8:30 AM - 10:00 AM', therapist: 'Lin Park' },
  ]);
});

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const bodies: [string, string, string, number][] = [
  ['that breaks off', '{"a":', 'application/json', 400],
  ['that is empty', '', 'application/json', 400],
  ['that reaches for the prototype', '{"__proto__":{"x":1}}', 'application/json', 400],
  ['that reaches for the constructor', '{"constructor":{"prototype":{"x":1}}}', 'application/json', 400],
  ['that is a list', '[1]', 'application/json', 422],
  ['with a zero character', '{"a":"\\u0000"}', 'application/json', 422],
  ['with half a character', '{"a":"\\ud800"}', 'application/json', 422],
  ['with a zero character in a key', '{"a\\u0000":1}', 'application/json', 422],
  ['nested 20 deep', nested(20), 'application/json', 200],
  ['nested 40 deep', nested(40), 'application/json', 422],
  ['nested 9000 deep', nested(9000), 'application/json', 422],
  ['of more than a quarter mebibyte', `{"a":[${'"x",'.repeat(66_000)}1]}`, 'application/json', 413],
  ['with a text of more than 64 kibibytes', `{"a":"${'x'.repeat(66_000)}"}`, 'application/json', 413],
  ['of XML', '<a/>', 'text/xml', 415],
  ['of a form', 'a=1', 'application/x-www-form-urlencoded', 200],
  ['of a form larger than any login', `a=${'x'.repeat(17_000)}`, 'application/x-www-form-urlencoded', 413],
];
for (const [what, payload, type, status] of bodies) {
  test(`a request body ${what} gets the status ${status}`, async () => {
    const reply = await one.call({ method: 'POST', url: '/api/test/body', headers: { 'content-type': type }, payload });
    expect(reply.statusCode).toBe(status);
    if (status !== 200) expect(reply.json<{ detail: string }>().detail).toMatch(/\w/);
  });
}

test('the log contains routes, statuses and accounts, but no data from requests', async () => {
  const before = t.logLines.length;
  await one.call({
    url: `/api/timeslots?client_name=${encodeURIComponent(SECRET)}&location=tampa&start_date=2026-11-16`,
  });
  await one.call({ url: `/api/nothing/${encodeURIComponent(SECRET)}` });
  await one.call({ method: 'POST', url: '/api/test/body', payload: { name: SECRET } });
  const lines = t.logLines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines, JSON.stringify(lines)).toHaveLength(3);
  expect(lines[2]).toMatchObject({ method: 'POST', route: '/api/test/body', status: 200, account: one.accountId });
  expect(JSON.stringify(lines)).not.toMatch(/Secretname|client_name/);
});

test('[requirements] the OpenAPI document and the page that displays it list every endpoint', async () => {
  const document = (await t.app.inject({ url: '/api/openapi.json' })).json<{ openapi: string; paths: object }>();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/api/token', '/api/slots', '/api/therapists', '/healthz']),
  );
  const page = await t.app.inject({ url: '/api/docs' });
  for (const path of Object.keys(document.paths)) expect(page.body).toContain(path);
  expect(page.body).not.toMatch(/<script|style=|onclick/);
});

test('a caller over the rate limit is asked to wait, while other callers are served', async () => {
  const limited = await buildTestApp({ database: t.database, config: { rateLimit: 0.02 } });
  try {
    const [noisy, quiet] = [await t.signIn(), await t.signIn()];
    const call = ({ token }: SignedIn) =>
      limited.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } });
    const statuses: number[] = [];
    for (let i = 0; i < 14; i++) statuses.push((await call(noisy)).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    const refused = await call(noisy);
    expect(refused.statusCode).toBe(429);
    expect(refused.json<{ detail: string }>().detail).toContain('Too many requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(quiet)).statusCode).toBe(200);
  } finally {
    await limited.close();
  }
});

test('pages and their files do not count towards the rate limit: many people behind one IP address can open them and log in', async () => {
  const limited = await buildTestApp({
    database: t.database,
    config: { rateLimit: 0.02 },
    pages: { web: join(folder, 'web'), embed: join(folder, 'embed') },
  });
  try {
    const statuses = new Set<number>();
    for (let n = 0; n < 35; n++)
      for (const url of ['/login', '/assets/app-abc123.js', '/favicon.svg', '/embed/timeslot-cancel.js', '/healthz'])
        statuses.add((await limited.app.inject({ url })).statusCode);
    expect([...statuses]).toEqual([200]);
    expect(await tokenFor(limited.app, one.email, one.password)).toBeTruthy();
    // All other requests count towards the limit.
    let refused = 0;
    for (let n = 0; n < 20; n++) if ((await limited.app.inject({ url: '/api/nothing' })).statusCode === 429) refused++;
    expect(refused).toBeGreaterThanOrEqual(8);
  } finally {
    await limited.close();
  }
});

test("/metrics is open to requests from the server's own machine; other machines need an administrator's token", async () => {
  const admin = await t.signIn({ role: 'admin' });
  const local = await t.app.inject({ url: '/metrics' });
  expect(local.statusCode).toBe(200);
  expect(local.body).toContain('http_request_duration_seconds');
  expect(local.body).not.toContain('Secretname');
  const far = { url: '/metrics', remoteAddress: '10.1.2.3' };
  expect((await t.app.inject(far)).statusCode).toBe(401);
  for (const name of [
    'x-forwarded-for',
    'forwarded',
    'via',
    'x-real-ip',
    'x-forwarded-host',
    'cf-connecting-ip',
    'true-client-ip',
    'x-client-ip',
    'x-original-forwarded-for',
    'x-forwarded',
    'x-cluster-client-ip',
    'fastly-client-ip',
  ]) {
    const behind = { url: '/metrics', headers: { [name]: name === 'forwarded' ? 'for=8.8.8.8' : '8.8.8.8' } };
    expect((await t.app.inject(behind)).statusCode, name).toBe(401);
    expect((await admin.call(behind)).statusCode, name).toBe(200);
  }
  expect((await one.call(far)).statusCode).toBe(403);
  expect((await admin.call(far)).statusCode).toBe(200);
});
