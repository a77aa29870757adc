import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { loadConfig, type Config } from '../config.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { prepareDemo } from './demo.ts';

let database: TestDatabase;
let t: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  await prepareDemo(loadConfig({}), database.db, () => {});
});
afterEach(() => t.close());
afterAll(() => database.close());

async function listen(config: Partial<Config>): Promise<number> {
  t = await buildTestApp({ database, config });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  return (t.app.server.address() as AddressInfo).port;
}

/** Sends a request over a real socket with exactly these headers. */
function send(port: number, path: string, headers: Record<string, string>, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    request({ host: '127.0.0.1', port, path, method, headers: { ...form, ...headers } }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
}

const DEMO = new URLSearchParams({ username: 'admin@clinic.example', password: 'demo admin password' }).toString();

test.each([
  ['localhost', 200],
  ['localhost:1', 200],
  ['127.0.0.1:3000', 200],
  ['[::1]:3000', 200],
  ['evil.example', 421],
  ['evil.example:3000', 421],
  ['127.0.0.1.evil.example', 421],
  ['localhost@evil.example', 421],
  ['10.0.0.7', 421],
])('without PUBLIC_URL, a request for the host %j gets status %i', async (host, status) => {
  const port = await listen({});
  expect(await send(port, '/api/openapi.json', { host })).toBe(status);
  expect(await send(port, '/healthz', { host })).toBe(200);
});

test.each([
  ['schedule.clinic.example', 200],
  ['Schedule.Clinic.Example:443', 200],
  ['127.0.0.1', 200],
  ['evil.example', 421],
])('with PUBLIC_URL, a request for the host %j gets status %i', async (host, status) => {
  const port = await listen({ publicUrl: 'https://schedule.clinic.example', trustProxy: 'loopback' });
  expect(await send(port, '/api/openapi.json', { host })).toBe(status);
});

test.each<[string, Partial<Config>, Record<string, string>, number]>([
  ['on this machine', {}, { host: 'localhost' }, 200],
  ['with DEMO=off', { demo: false }, { host: 'localhost' }, 401],
  ['behind a proxy that is trusted', { trustProxy: 'loopback' }, { host: 'localhost' }, 401],
  ['under an address for other machines', { publicUrl: 'https://a.example' }, { host: 'localhost' }, 401],
  ['on a HOST that others reach', { loopback: false, host: '0.0.0.0' }, { host: 'localhost' }, 401],
  ['through a proxy that no setting names', {}, { host: 'localhost', 'x-forwarded-for': '10.0.0.7' }, 401],
  ['through one that sends Forwarded', {}, { host: 'localhost', forwarded: 'for=10.0.0.7' }, 401],
])(
  'a demo account, whose password is public, can log in only where that does no harm: %s',
  async (_what, config, headers, status) => {
    const port = await listen({ demo: true, ...config });
    expect(await send(port, '/api/token', headers, DEMO)).toBe(status);
  },
);

test.each<[Record<string, string>, RegExp]>([
  [{ HOST: '0.0.0.0' }, /HOST 0\.0\.0\.0 can be reached from other machines/],
  [{ TRUST_PROXY: 'loopback' }, /TRUST_PROXY lets other machines in through a proxy/],
  [{ PUBLIC_URL: 'https://schedule.clinic.example' }, /PUBLIC_URL is an address for other machines/],
  [{ TRUST_PROXY: 'loopback', DEMO: 'off' }, /holds the demo accounts/],
])('given demo accounts in the database and the settings %j, the server does not start', async (env, line) => {
  t = await buildTestApp({ database });
  await expect(prepareDemo(loadConfig(env), database.db, () => {})).rejects.toThrow(line);
});

test('/metrics is closed to requests through a proxy, whichever header reveals the proxy', async () => {
  const port = await listen({});
  expect(await send(port, '/metrics', { host: 'localhost' })).toBe(200);
  for (const name of ['forwarded', 'x-forwarded-for', 'via'])
    expect(await send(port, '/metrics', { host: 'localhost', [name]: 'for=10.0.0.7' })).toBe(401);
});
