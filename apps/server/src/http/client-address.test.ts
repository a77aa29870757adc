import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../config.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

let t: TestApp;
let one: SignedIn;
beforeAll(async () => {
  t = await buildTestApp();
  one = await t.signIn();
});
afterAll(() => t.close());

const PROXY = '10.9.0.1';
type Case = [string, Config['trustProxy'], string, string | undefined, string | null];

test.each<Case>([
  ['without a proxy, its own', false, '203.0.113.7', undefined, '203.0.113.7'],
  ['an IPv4 address on an IPv6 socket, as IPv4', false, '::ffff:203.0.113.7', undefined, '203.0.113.7'],
  ['behind a trusted proxy, the one that the proxy forwards', PROXY, PROXY, '203.0.113.7', '203.0.113.7'],
  ['of several that were forwarded, the nearest not of a proxy', PROXY, PROXY, '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['a client that forwards for another, its own', PROXY, '198.51.100.9', '203.0.113.7', '198.51.100.9'],
  ['where no proxy is trusted, the sender', false, '198.51.100.9', '203.0.113.7', '198.51.100.9'],
  ['a name in place of an address, none', true, PROXY, 'Maximiliana Secretname', null],
  ['a name in place of an interface, without it', true, PROXY, 'fe80::1%Secretname', 'fe80::1'],
])(
  'the log and the trail say from which address a request came: %s',
  async (_, trustProxy, remoteAddress, via, from) => {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const config = { trustProxy, logLevel: 'info' as const, rateLimit: 1000 };
    const { app, close } = await buildTestApp({ database: t.database, logStream, config });
    const since = new Date();
    const logIn = (password: string) =>
      app.inject({
        method: 'POST',
        url: '/api/token',
        remoteAddress,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(via === undefined ? {} : { 'x-forwarded-for': via }),
        },
        payload: new URLSearchParams({ username: one.email, password }).toString(),
      });
    try {
      expect((await logIn('wrong')).statusCode).toBe(401);
      expect((await logIn(one.password)).statusCode).toBe(200);
    } finally {
      await close();
    }
    const rows = await t.deps.db
      .selectFrom('audit')
      .select(['action', 'detail'])
      .where('action', 'like', 'session.%')
      .where('at', '>=', since.toISOString())
      .orderBy('number')
      .execute();
    const detail = from === null ? {} : { from };
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        { action: 'session.refused', detail },
        { action: 'session.begun', detail },
      ]),
    );
    const requests = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request');
    expect(requests.map((line) => line['from'])).toEqual([from, from]);
    expect(lines.join('')).not.toContain('Secretname');
  },
);
