import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import type { SignOptions } from '@clinic/contract';
import type { Config } from '../config.ts';
import { addPasskey } from '../testing/passkeys.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let t: TestApp;
beforeAll(async () => void (database = await createTestDatabase()));
afterEach(() => t.close());
afterAll(() => database.close());

const PUBLIC = 'https://schedule.clinic.example';
const BEHIND_PROXY: Partial<Config> = { trustProxy: '127.0.0.1', publicUrl: PUBLIC };
const ask = (headers: Record<string, string>) =>
  t.app.inject({ method: 'POST', url: '/api/token/passkey/options', headers });

test.each<[host: string, origin: string, config: Partial<Config>, rpId: string | null]>([
  ['localhost:3000', 'http://localhost:3000', {}, 'localhost'],
  ['localhost', 'http://localhost', {}, 'localhost'],
  ['LOCALHOST:3000', 'http://localhost:3000', {}, 'localhost'],
  ['localhost:3000', 'http://localhost:3001', {}, null],
  ['localhost:3000', 'https://localhost:3000', {}, null],
  ['localhost:3000', 'https://evil.example', {}, null],
  ['localhost:3000', 'null', {}, null],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000', {}, null],
  ['[::1]:3000', 'http://[::1]:3000', {}, null],
  ['schedule.clinic.example', PUBLIC, BEHIND_PROXY, 'schedule.clinic.example'],
  // A proxy that does not pass on the host.
  ['127.0.0.1:3000', PUBLIC, BEHIND_PROXY, 'schedule.clinic.example'],
  ['schedule.clinic.example', 'http://schedule.clinic.example', BEHIND_PROXY, null],
  ['schedule.clinic.example', 'https://schedule.clinic.example.evil.example', BEHIND_PROXY, null],
])(
  'given a request to %s from a page at %s and the settings %o, the site of the passkeys is %s',
  async (host, origin, config, rpId) => {
    t = await buildTestApp({ database, config });
    const reply = await ask({ host, origin });
    expect(reply.statusCode === 200 ? reply.json<SignOptions>().rpId : null, reply.body).toBe(rpId);
    if (rpId === null) expect(reply.body).toContain('Passkeys do not work at this address.');
  },
);

test('a request without an origin, and one to a host that is not ours, get no passkey options', async () => {
  t = await buildTestApp({ database });
  expect((await ask({ host: 'localhost' })).statusCode).toBe(422);
  expect((await ask({ host: 'evil.example', origin: 'http://evil.example' })).statusCode).toBe(421);
});

test('with PUBLIC_URL, a signature made at one of the product’s URLs is accepted at that URL only', async () => {
  t = await buildTestApp({ database, config: BEHIND_PROXY });
  const { device } = await addPasskey(await t.signIn());
  const logIn = async (origin: string, signedAt = origin) => {
    const headers = { host: 'localhost', origin };
    const options = (await ask(headers)).json<SignOptions>();
    const payload = { passkey: device.sign(options, { origin: signedAt }) };
    return (await t.app.inject({ method: 'POST', url: '/api/token/passkey', headers, payload })).statusCode;
  };
  expect(await logIn('http://localhost')).toBe(200);
  // A signature for one of our addresses does not pass at another.
  expect(await logIn(PUBLIC, 'http://localhost')).toBe(401);
  expect(await logIn('http://localhost', PUBLIC)).toBe(401);
});
