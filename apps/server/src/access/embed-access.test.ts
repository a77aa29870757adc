import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const INTRANET = 'https://intranet.example';
const WEEK = 'client_name=Bo+Lee&location=altamonte&start_date=2030-11-18';

let elsewhere: SignedIn;
// This factor leaves the server 6 requests a minute.
const t = useApp(() => buildTestApp({ config: { embedOrigins: [INTRANET], rateLimit: 0.01 } }));
beforeAll(async () => {
  elsewhere = await t.signIn({ locations: ['tampa'] });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});

/** Sends a request over a socket, as a page from that origin would. */
function ask(path: string, origin: string, more: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const { port } = t.app.server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { origin, ...more } });
}
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const mayRead = (reply: Response): string | null => reply.headers.get('access-control-allow-origin');

test('a page from an allowed origin can read why its API call was refused, whatever the reason', async () => {
  const refused = [
    await ask(`/api/timeslots?${WEEK}`, INTRANET),
    await ask('/api/timeslots', INTRANET, bearer('x.y.z')),
  ];
  for (let n = 0; n < 8; n++)
    refused.push(await ask(`/api/timeslots?${n === 0 ? '' : WEEK}`, INTRANET, bearer(elsewhere.token)));
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 422, 403, 403, 403, 403, 403, 403, 429]);
  for (const reply of refused) {
    expect(mayRead(reply), String(reply.status)).toBe(INTRANET);
    expect(reply.headers.get('vary')).toContain('Origin');
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(await reply.json()).toHaveProperty('detail');
  }
  expect(refused.at(-1)?.headers.get('access-control-expose-headers')).toContain('retry-after');
  expect(Number(refused.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('given a page from an allowed origin, the browser may send its preflight request without a token', async () => {
  const reply = await ask('/api/timeslots', INTRANET, { 'access-control-request-method': 'GET' }, 'OPTIONS');
  expect(reply.status).toBe(204);
  expect(mayRead(reply)).toBe(INTRANET);
  expect(reply.headers.get('access-control-allow-headers')).toBe('authorization');
});

test.each([
  ['another origin', '/api/timeslots', 'https://evil.example'],
  ['another call', '/api/clients', INTRANET],
])('pages cannot read a refusal meant for %s', async (_what, path, origin) => {
  const reply = await ask(path, origin);
  expect(reply.status).toBe(401);
  expect(mayRead(reply)).toBeNull();
});
