import { beforeEach, expect, test } from 'vitest';
import { ERRORS, type Role } from '@clinic/contract';
import { codeAt } from '../access/totp.ts';
import { makeSeal } from '../access/seal.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const START = Date.parse('2026-11-20T12:20:00Z');
let now = START;
const clock = { now: () => now };
const t = useApp(() => buildTestApp({ deps: { accessClock: clock } }));
// Each test has steps of its own, since a code works once.
beforeEach(() => void (now += 3_600_000));

function secretOf(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
const codeNow = (secret: Buffer, drift = 0): string => codeAt(secret, Math.floor(now / 30_000) + drift);

function logIn(app: TestApp, { email, password }: Pick<SignedIn, 'email' | 'password'>, code?: string) {
  const form = new URLSearchParams({ username: email, password, ...(code === undefined ? {} : { code }) });
  return app.app.inject({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  });
}

const post = (who: SignedIn, path: string, payload: object) =>
  who.call({ method: 'POST', url: `/api/second-factor${path}`, payload });

/** Someone who has set up an authenticator app in this test, and the recovery codes that they were shown. */
async function withFactor(app = t.opened, role: Role = 'scheduler') {
  const who = await app.signIn({ role });
  const begun = await post(who, '', { current_password: who.password });
  expect(begun.statusCode).toBe(200);
  const secret = secretOf(begun.json<{ secret: string }>().secret);
  const confirmed = await post(who, '/confirm', { code: codeNow(secret) });
  expect(confirmed.statusCode).toBe(200);
  now += 30_000;
  return { ...who, secret, codes: confirmed.json<{ codes: string[] }>().codes };
}
const tokenOf = (reply: { json: <T>() => T }): string => reply.json<{ access_token: string }>().access_token;
const detail = (reply: { json: <T>() => T }): string => reply.json<{ detail: string }>().detail;

test('with a second factor, the password alone is refused in words that the login page knows, and the code logs in', async () => {
  const who = await withFactor();
  const asked = await logIn(t.opened, who);
  expect([asked.statusCode, detail(asked)]).toEqual([401, ERRORS['code-needed'].text]);
  expect(detail(await logIn(t.opened, { ...who, password: 'wrong' }))).toBe('Invalid credentials');
  expect(detail(await logIn(t.opened, { ...who, password: 'wrong' }, codeNow(who.secret)))).toBe('Invalid credentials');
  const right = await logIn(t.opened, who, codeNow(who.secret));
  expect(right.statusCode).toBe(200);
  const session = await t.db
    .selectFrom('session')
    .select('way')
    .where('account_id', '=', who.accountId)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  expect(session?.way).toBe('code');
});

test('without a second factor, a login is as the specification says, even with a code', async () => {
  const who = await t.signIn();
  for (const code of [undefined, '', '123456']) {
    const reply = await logIn(t.opened, who, code);
    expect(reply.json()).toMatchObject({ token_type: 'bearer', expires_in: 900 });
  }
});

test('a code works once, and an older one not after a newer one', async () => {
  const who = await withFactor();
  const [older, code] = [codeNow(who.secret, -1), codeNow(who.secret)];
  expect((await logIn(t.opened, who, code)).statusCode).toBe(200);
  for (const again of [code, older]) expect(detail(await logIn(t.opened, who, again))).toBe(ERRORS['code-wrong'].text);
  now += 30_000;
  const together = await Promise.all([1, 2, 3].map(() => logIn(t.opened, who, codeNow(who.secret))));
  expect(together.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
});

test('each recovery code logs in once; new ones end the old ones; only hashes are stored', async () => {
  const who = await withFactor();
  expect(who.codes).toHaveLength(10);
  const [first = '', second = '', third = ''] = who.codes;
  expect((await logIn(t.opened, who, first)).statusCode).toBe(200);
  expect((await logIn(t.opened, who, first)).statusCode).toBe(401);
  expect((await logIn(t.opened, who, second.toLowerCase().replaceAll('-', ' '))).statusCode).toBe(200);
  expect((await logIn(t.opened, who, third)).statusCode).toBe(200);
});

test('the state says how many recovery codes are left, and new ones replace the old ones', async () => {
  const who = await withFactor();
  const token = tokenOf(await logIn(t.opened, who, who.codes[0]));
  const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
    t.app.inject({
      method,
      url: `/api/second-factor${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    });
  expect((await call('GET', '')).json()).toEqual({ on: true, codes_left: 9, required: false });
  expect((await call('POST', '/codes', { current_password: 'wrong' })).statusCode).toBe(422);
  const { codes } = (await call('POST', '/codes', { current_password: who.password })).json<{ codes: string[] }>();
  expect(codes).toHaveLength(10);
  expect((await logIn(t.opened, who, who.codes[1])).statusCode).toBe(401);
  const stored = JSON.stringify(await t.db.selectFrom('recovery_code').selectAll().execute());
  for (const code of codes) expect(stored).not.toContain(code);
  expect((await call('POST', '/remove', { current_password: who.password })).statusCode).toBe(204);
  expect((await logIn(t.opened, who)).statusCode).toBe(200);
});

test('the secret is stored sealed, needs the password to be made and a right code to be used', async () => {
  const who = await t.signIn();
  expect((await post(who, '', { current_password: 'wrong' })).statusCode).toBe(422);
  const { secret } = (await post(who, '', { current_password: who.password })).json<{ secret: string }>();
  const row = await t.db
    .selectFrom('second_factor')
    .select('secret')
    .where('account_id', '=', who.accountId)
    .executeTakeFirstOrThrow();
  expect(row.secret.includes(secretOf(secret))).toBe(false);
  expect(t.deps.seal.open(row.secret, `second-factor:${who.accountId}`)).toEqual(secretOf(secret));
  expect(detail(await post(who, '/confirm', { code: '000000' }))).toContain('not the code');
  expect((await logIn(t.opened, who)).statusCode).toBe(200);
  expect((await post(who, '/confirm', { code: codeNow(secretOf(secret)) })).statusCode).toBe(200);
  expect(detail(await post(who, '', { current_password: who.password }))).toContain('already');
});

test('setting up ends the other sessions of the account', async () => {
  const who = await t.signIn();
  const other = tokenOf(await logIn(t.opened, who));
  const { secret } = (await post(who, '', { current_password: who.password })).json<{ secret: string }>();
  await post(who, '/confirm', { code: codeNow(secretOf(secret)) });
  const status = async (token: string) =>
    (await t.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } })).statusCode;
  expect([await status(who.token), await status(other)]).toEqual([200, 401]);
});

test('after the key was replaced, codes no longer work, and recovery codes do', async () => {
  const who = await withFactor();
  const moved = await buildTestApp({
    database: t.database,
    deps: { accessClock: clock, seal: makeSeal('n'.repeat(32)) },
  });
  expect((await logIn(moved, who, codeNow(who.secret))).statusCode).toBe(401);
  expect((await logIn(moved, who, who.codes[0])).statusCode).toBe(200);
  await moved.close();
});

test('codes can be guessed ten times, then one in five minutes; a recovery code still logs in', async () => {
  const strict = await buildTestApp({ database: t.database, config: { rateLimit: 1 }, deps: { accessClock: clock } });
  const who = await withFactor();
  // The ways to count passwords are left out of this: each guess comes from another address.
  const guess = (n: number) =>
    strict.app.inject({
      method: 'POST',
      url: '/api/token',
      remoteAddress: `10.1.0.${n}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username: who.email, password: who.password, code: '000000' }).toString(),
    });
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) statuses.push((await guess(n)).statusCode);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  expect((await logIn(strict, who, codeNow(who.secret))).statusCode).toBe(429);
  expect((await logIn(strict, who, who.codes[0])).statusCode).toBe(200);
  await strict.close();
});

test.each([
  ['admins', ['admin'], ['scheduler', 'director']],
  ['staff', ['admin', 'scheduler', 'director'], []],
  ['all', ['admin', 'scheduler'], []],
] as const)(
  'with SECOND_FACTOR=%s, who must have one and has none can only set it up',
  async (secondFactor, must, free) => {
    const app = await buildTestApp({ database: t.database, config: { secondFactor }, deps: { accessClock: clock } });
    const [status, session] = [
      async (who: SignedIn) => (await who.call({ url: '/api/today?location=altamonte&date=2026-11-20' })).statusCode,
      async (who: SignedIn) => (await who.call({ url: '/api/session' })).json<{ must_set_up: boolean }>().must_set_up,
    ];
    for (const role of must) {
      const who = await app.signIn({ role });
      expect([await status(who), await session(who)]).toEqual([403, true]);
      const { secret } = (await post(who, '', { current_password: who.password })).json<{ secret: string }>();
      await post(who, '/confirm', { code: codeNow(secretOf(secret)) });
      expect([await status(who), await session(who)]).toEqual([200, false]);
    }
    for (const role of free) expect(await status(await app.signIn({ role }))).toBe(200);
    await app.close();
  },
);

test('a passkey or the clinic’s sign-on counts as two factors', async () => {
  const app = await buildTestApp({
    database: t.database,
    config: { secondFactor: 'all' },
    deps: { accessClock: clock },
  });
  const who = await app.signIn();
  for (const way of ['passkey', 'sign-on'] as const) {
    await t.db.updateTable('session').set({ way }).where('account_id', '=', who.accountId).execute();
    expect((await who.call({ url: '/api/today?location=altamonte&date=2026-11-20' })).statusCode).toBe(200);
  }
  await app.close();
});

test('an administrator removes the second factor of someone who lost it, with their own password; so does a new password', async () => {
  const admin = await t.signIn({ role: 'admin' });
  for (const change of [{ remove_second_factor: true }, { password: 'seven green lamps on a shelf' }]) {
    const who = await withFactor();
    const put = (more: object) =>
      admin.call({
        method: 'PUT',
        url: `/api/accounts/${who.accountId}`,
        payload: { email: who.email, name: 'Somebody', role: 'scheduler', locations: null, ...change, ...more },
      });
    expect((await put({})).statusCode).toBe(422);
    expect((await put({ your_password: admin.password })).statusCode).toBe(200);
    const password = 'password' in change ? change.password : who.password;
    expect((await logIn(t.opened, { email: who.email, password })).statusCode).toBe(200);
    const trail = await t.db
      .selectFrom('audit')
      .select('detail')
      .where('action', '=', 'account.changed')
      .where('account_id', '=', admin.accountId)
      .execute();
    expect(JSON.stringify(trail)).toContain('"second_factor":"removed"');
  }
});
