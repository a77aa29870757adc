import { request as send, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const MIB = 1024 * 1024;
let one: SignedIn;
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
  one = await t.signIn();
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});

const post = (who: SignedIn, payload: string) =>
  who.call({ method: 'POST', url: '/api/test/large', headers: { 'content-type': 'application/json' }, payload });

test.each([
  ['of 199,990 values', `{"a":[${'1,'.repeat(199_980)}1]}`, 200],
  ['of 200,010 values', `{"a":[${'1,'.repeat(200_010)}1]}`, 413],
  ['with 200,010 different keys', `{${Array.from({ length: 200_010 }, (_, n) => `"${n}":1`).join()}}`, 413],
  ['of 25 levels', `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`, 200],
  ['of a hundred thousand levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 422],
  ['with a text of 70,000 letters', `{"a":"${'x'.repeat(70_000)}"}`, 413],
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

/** Sends only the first byte of a large body. */
function begun({ token }: SignedIn): ClientRequest {
  const { port } = t.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': MIB };
  const request = send({ port, method: 'POST', path: '/api/test/large', headers, agent: false });
  request.on('error', () => {});
  request.write('{');
  return request;
}

test('a client that hangs up in the middle of a body or with an open stream causes neither an error in the log nor a 5xx', async () => {
  const before = t.logLines.length;
  const third = await t.signIn();
  const request = begun(third);
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
