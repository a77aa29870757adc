import { request as send, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const MIB = 1024 * 1024;
let one: SignedIn;
let other: SignedIn;
/** The account and route of each reply that has ended, whether or not it was sent. */
const closed: string[] = [];
/** The token and route of each request that has arrived. */
const arrived: string[] = [];
const t = useApp(() =>
  buildTestApp({
    extraRoutes: [
      (app) => {
        const config = { access: 'signed-in' as const };
        const schema = { body: z.record(z.string(), z.unknown()) };
        app.addHook('onRequest', (request, reply, done) => {
          arrived.push(`${request.headers.authorization} ${request.routeOptions.url}`);
          reply.raw.once('close', () => closed.push(`${request.account?.id} ${request.routeOptions.url}`));
          done();
        });
        app.post('/api/test/large', { config, schema, bodyLimit: 8 * MIB }, () => ({ done: true }));
      },
    ],
  }),
);
beforeAll(async () => {
  [one, other] = [await t.signIn(), await t.signIn()];
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});

const post = (who: SignedIn, payload: string) =>
  who.call({ method: 'POST', url: '/api/test/large', headers: { 'content-type': 'application/json' }, payload });

/** The processor time that this process uses during `act`, in milliseconds. */
async function work(act: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

test('refusing a body of millions of values takes less time than parsing it', async () => {
  const body = `{"a":[${'1,'.repeat(4_000_000)}1]}`;
  await post(one, '{}');
  let status = 0;
  const refused = await work(async () => {
    for (let n = 0; n < 2; n++) status = (await post(one, body)).statusCode;
  });
  expect(status).toBe(413);
  const parsed = await work(() => {
    for (let n = 0; n < 2; n++) JSON.parse(body);
  });
  expect(refused).toBeLessThan(parsed);
});

test.each([
  ['of 199,990 values', `{"a":[${'1,'.repeat(199_980)}1]}`, 200],
  ['of 200,010 values', `{"a":[${'1,'.repeat(200_010)}1]}`, 413],
  ['with 100,010 different keys', `{${Array.from({ length: 100_010 }, (_, n) => `"${n}":1`).join()}}`, 413],
  ['with one key 100,011 times', `{${'"a":1,'.repeat(100_010)}"a":1}`, 413],
  ['with a number of a million digits', `{"a":${'1'.repeat(1_000_000)}}`, 413],
  ['of 8 mebibytes of space', `{"a":${' '.repeat(8 * MIB - 100)}1}`, 200],
])('a large body %s is accepted or refused according to the limits', async (_what, body, status) => {
  const reply = await post(one, body);
  expect(reply.statusCode).toBe(status);
  if (status !== 200) expect(reply.json<{ detail: string }>().detail).toContain('Nothing was changed.');
});

test.each([
  ['in Latin-1', Buffer.from('{"first_name":"José"}', 'latin1'), 400],
  ['that ends within a letter', Buffer.concat([Buffer.from('{"a":"é').subarray(0, -1), Buffer.from('"}')]), 400],
  ['in UTF-8', Buffer.from('{"first_name":"José 🙂"}'), 200],
])('a body %s is refused, unless all its letters can be read', async (_what, payload, status) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await one.call({ method: 'POST', url: '/api/test/large', headers, payload });
  expect(reply.statusCode, reply.body).toBe(status);
  if (status !== 200) expect(reply.json<{ detail: string }>().detail).toMatch(/UTF-8.* Nothing was changed\.$/);
});

/** Sends a large body, either whole or only its first byte; `status` resolves to the reply's status. */
function upload({ token }: SignedIn, whole: boolean): { request: ClientRequest; status: Promise<number> } {
  const body = `{"a":"${' '.repeat(60_000)}"${' '.repeat(MIB)}}`;
  const { port } = t.app.server.address() as AddressInfo;
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const request = send({ port, method: 'POST', path: '/api/test/large', headers, agent: false });
  const status = new Promise<number>((resolve, reject) => {
    request.once('response', (reply) => resolve(reply.resume().statusCode ?? 0));
    request.once('error', reject);
  });
  status.catch(() => {});
  if (whole) request.end(body);
  else request.write('{');
  return { request, status };
}

test('given unfinished large bodies from an account, only that account has to wait, until the client hangs up', async () => {
  const stalled = [upload(one, false), upload(one, false)];
  // A turn is taken when the headers arrive; further bodies from the same account are not read.
  await expect
    .poll(async () => {
      const next = upload(one, true);
      const answered = await Promise.race([next.status, new Promise((r) => setTimeout(() => r('waits'), 100))]);
      if (answered === 'waits') stalled.push(next);
      else next.request.destroy();
      return answered;
    })
    .toBe('waits');
  expect(await upload(other, true).status).toBe(200);
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(200);
  for (const { request } of stalled.splice(0, 2)) request.destroy();
  expect(await stalled[0]?.status).toBe(200);
});

test('a client that hangs up in the middle of a body or with an open stream causes neither an error in the log nor a 5xx', async () => {
  const before = t.logLines.length;
  const third = await t.signIn();
  const { request } = upload(third, false);
  const { port } = t.app.server.address() as AddressInfo;
  const stream = send({ port, path: '/api/events', headers: { authorization: `Bearer ${third.token}` }, agent: false });
  const opened = new Promise((resolve) => stream.once('response', (reply) => reply.once('data', resolve)));
  stream.on('error', () => {});
  stream.end();
  await opened;
  // A request that has not arrived would leave nothing to close.
  await expect.poll(() => arrived).toContain(`Bearer ${third.token} /api/test/large`);
  stream.destroy();
  request.destroy();
  const expected = ['/api/events', '/api/test/large'].map((route) => `${third.accountId} ${route}`);
  await expect.poll(() => closed).toEqual(expect.arrayContaining(expected));
  await new Promise((resolve) => setImmediate(resolve)); // By now, the log has all lines about the closed replies.
  const lines = t.logLines.slice(before).map((line) => JSON.parse(line) as { level: number; status?: number });
  expect(lines.filter(({ level, status = 0 }) => level >= 40 || status >= 500)).toEqual([]);
  const metrics = (await t.app.inject({ url: '/metrics' })).body;
  expect(metrics).not.toMatch(/http_request_duration_seconds_count\{[^}]*status="5/);
});
