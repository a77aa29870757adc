import { createConnection } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { buildTherapist } from '../testing/builders.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const t = useApp(buildTestApp, async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});

/** Sends these bytes and returns everything that the server sends until it closes the connection. */
function raw(text: string): Promise<string> {
  const { port } = t.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = createConnection(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

test('methods without a route are refused, including TRACE', async () => {
  for (const method of ['TRACE', 'CONNECT-LIKE', 'PROPFIND'])
    expect(await raw(`${method} /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 (400|401|404|405|501) /,
    );
});

test.each([
  ['/api/session', 'PUT', 'GET, HEAD'],
  ['/api/session?x=1', 'DELETE', 'GET, HEAD'],
  ['/api/token', 'GET', 'POST'],
  ['/api/therapists/T-1', 'PATCH', 'DELETE, GET, HEAD, PUT'],
  ['/healthz', 'POST', 'GET, HEAD'],
  ['/api/docs', 'DELETE', 'GET, HEAD'],
  ['/calendar', 'POST', 'GET, HEAD'],
] as const)(
  'given the path %s, the method %s gets 405, and Allow lists those that it takes',
  async (url, method, allow) => {
    const reply = await t.staff.call({ method, url });
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow]);
    expect(reply.json<{ detail: string }>().detail).toMatch(/^This address does not take/);
  },
);

test('a path that does not exist is not found, whatever the method', async () => {
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    for (const url of ['/api/nowhere', '/api/therapists/T-1/nowhere', '/api/therapists//', '/nowhere.png'])
      expect((await t.staff.call({ method, url })).statusCode, `${method} ${url}`).toBe(404);
});

test('a request that names its host twice is refused, even if the names are the same', async () => {
  for (const [first, second] of [
    ['localhost', 'evil.example'],
    ['evil.example', 'localhost'],
    ['localhost', 'localhost'],
  ])
    for (const path of ['/api/session', '/healthz', '/calendar'])
      expect(
        await raw(`GET ${path} HTTP/1.1\r\nHost: ${first}\r\nhOST: ${second}\r\nConnection: close\r\n\r\n`),
      ).toMatch(/^HTTP\/1\.1 400 [\s\S]*names its host more than once/);
});

test('a request with two contradictory lengths is refused, so that no second request can be smuggled in behind it', async () => {
  const both =
    'POST /api/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /';
  expect(await raw(both)).toMatch(/^HTTP\/1\.1 400 /);
  const twice = 'POST /api/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd';
  expect(await raw(twice)).toMatch(/^HTTP\/1\.1 400 /);
});

test('a parameter that is sent twice is refused', async () => {
  const reply = await t.staff.call({ url: '/api/slots?date=2026-11-20&location=tampa&location=orlando' });
  expect(reply.statusCode).toBe(422);
  expect(reply.json<{ detail: string }>().detail).toContain('location');
});

test('unknown fields in a request change nothing', async () => {
  const { db } = t.deps;
  const id = await buildTherapist(db, { first: 'Kai', last: 'Wood' });
  const body = { first_name: 'Kai', last_name: 'Woods', location: 'altamonte', specialization: 'RBT', gender: 'Male' };
  const reply = await t.staff.call({
    method: 'PUT',
    url: `/api/therapists/${id}`,
    payload: {
      ...body,
      start_date: '2026-11-20',
      availability: [],
      id: 'T-other',
      deleted_at: '2026-01-01',
      display_name: 'X',
    },
  });
  const row = await db.selectFrom('therapist').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect([200, 422]).toContain(reply.statusCode);
  expect(row).toMatchObject({ deleted_at: null });
  expect(row.display_name).toMatch(/^Kai Wood/);
});

test('a token is accepted only in the header, not in the URL, a form or a cookie', async () => {
  const { token } = t.staff;
  const tries = [
    t.app.inject({ url: `/api/session?access_token=${token}` }),
    t.app.inject({ url: '/api/session', headers: { cookie: `access_token=${token}; token=${token}` } }),
    t.app.inject({
      method: 'POST',
      url: '/api/sign-out',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
      payload: `access_token=${token}`,
    }),
  ];
  for (const reply of await Promise.all(tries)) {
    expect(reply.statusCode).toBe(401);
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  }
  expect((await t.staff.call({ url: '/api/session' })).statusCode).toBe(200);
});

test('given a forwarding header that no trusted proxy sent, the sender gets no additional attempts at guessing passwords', async () => {
  // Each guess uses a different account and forwarded address, and there are too few guesses for the general rate
  // limit: only the real address's budget can refuse them.
  const guess = (app: TestApp, n: number) =>
    app.app.inject({
      method: 'POST',
      url: '/api/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `10.0.0.${n}` },
      payload: `username=nobody${n}%40clinic.example&password=x`,
    });
  const strict = await buildTestApp({ database: t.database, config: { rateLimit: 0.01, trustProxy: false } });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await guess(strict, n)).statusCode);
    expect(statuses).toEqual([401, 429, 429, 429]);
  } finally {
    await strict.close();
  }
});

test('only browsers that connect over TLS through a trusted proxy are told to keep using TLS', async () => {
  const ask = (app: TestApp, url: string) => app.app.inject({ url, headers: { 'x-forwarded-proto': 'https' } });
  expect((await ask(t.opened, '/api/session')).headers['strict-transport-security']).toBeUndefined();
  const behind = await buildTestApp({ database: t.database, config: { trustProxy: true } });
  try {
    for (const url of ['/login', '/api/session'])
      expect((await ask(behind, url)).headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await behind.app.inject({ url: '/api/session' })).headers['strict-transport-security']).toBeUndefined();
  } finally {
    await behind.close();
  }
});

test.each(['/.git/config', '/assets/', '/legacy/', '/embed/', '/package.json', '/src/main.tsx'])(
  'a request for %s returns neither a directory listing nor a file from the repository',
  async (url) => {
    const reply = await t.app.inject({ url });
    expect(reply.body).not.toMatch(/repositoryformatversion|clinic-scheduler"|Index of|createRoot/);
  },
);

test('replies state their type and encoding, but not the server software', async () => {
  for (const url of ['/api/session', '/api/docs', '/api/nothing', '/healthz']) {
    const { headers } = await t.staff.call({ url });
    expect(headers['content-type']).toMatch(/charset=utf-8/);
    expect(headers['server']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  }
});
