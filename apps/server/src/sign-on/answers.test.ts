// This file is over 250 lines because it tests each way in which an answer of the sign-on can be wrong.
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test, vi } from 'vitest';
import { buildTestApp, tokenFor } from '../testing/test-app.ts';
import { begin, comeBack, exchange, open, PUBLIC_URL, useSignOn } from '../testing/sign-on-scene.ts';

const t = useSignOn();

const claimsWith = (changes: Readonly<Record<string, unknown>>) => (claims: Record<string, unknown>) => ({
  ...claims,
  ...changes,
});
const now = () => Math.floor(Date.now() / 1000);
test.each([
  ['for another client', () => claimsWith({ aud: 'another' })],
  ['for us and another client, made for that one', () => claimsWith({ aud: ['scheduler', 'another'], azp: 'another' })],
  ['for us, made for another client', () => claimsWith({ azp: 'another' })],
  ['of another issuer', () => claimsWith({ iss: 'https://elsewhere.example' })],
  ['with another nonce', () => claimsWith({ nonce: 'another' })],
  [
    'without a nonce',
    () =>
      ({ nonce: _, ...claims }: Record<string, unknown>) =>
        claims,
  ],
  ['that has expired', () => claimsWith({ iat: now() - 7200, exp: now() - 3600 })],
  ['without a signature', () => () => 'none' as const],
])('an ID token %s begins nothing', async (_what, tamper) => {
  const { sub, accountId } = await t.person();
  t.clinic.tamper = tamper();
  expect((await t.signOn(sub)).get('failed')).toBe('not-accepted');
  const sessions = await t.one.deps.db
    .selectFrom('session')
    .select('way')
    .where('account_id', '=', accountId)
    .execute();
  expect(sessions.map(({ way }) => way)).toEqual([null]);
  t.clinic.tamper = (claims) => claims;
  expect((await t.signOn(sub)).get('code')).toMatch(/^[\w-]{43}$/);
});

test('an ID token signed with a key that is not the provider’s begins nothing', async () => {
  const { sub } = await t.person();
  const on = t.browser();
  const back = await t.clinic.logIn(await begin(on), sub);
  // The reply keeps its key's name, but the signature is another's.
  t.clinic.tamper = (claims) => claims;
  const sign = globalThis.crypto.subtle.sign.bind(globalThis.crypto.subtle);
  vi.spyOn(globalThis.crypto.subtle, 'sign').mockImplementation(async (...input) => {
    const signature = new Uint8Array(await sign(...input));
    signature[10] = (signature[10] ?? 0) ^ 1;
    return signature.buffer;
  });
  expect((await comeBack(on, back)).get('failed')).toBe('not-accepted');
  vi.restoreAllMocks();
});

test('an answer is taken once, in the browser that asked, and within ten minutes', async () => {
  const { sub } = await t.person();
  const on = t.browser();
  const back = await t.clinic.logIn(await begin(on), sub);
  expect((await comeBack(t.browser(), back)).get('failed')).toBe('too-late');
  const other = t.browser();
  await begin(other);
  expect((await comeBack(other, back)).get('failed')).toBe('too-late');
  const wrong = new URL(back);
  wrong.searchParams.set('state', 'another');
  expect((await comeBack(on, wrong)).get('failed')).toBe('too-late');
  expect((await comeBack(on, back)).get('code')).not.toBeNull();
  expect((await comeBack(on, back)).get('failed')).toBe('too-late');
});

test('a code that was used before is refused by the provider, even with a new state', async () => {
  const { sub } = await t.person();
  const on = t.browser();
  const back = await t.clinic.logIn(await begin(on), sub);
  await comeBack(on, back);
  const again = new URL(back);
  again.searchParams.set('state', new URL(await begin(on)).searchParams.get('state') ?? '');
  expect((await comeBack(on, again)).get('failed')).toBe('not-accepted');
});

test('an answer that names another issuer is refused before its code is sent anywhere', async () => {
  const { sub } = await t.person();
  const on = t.browser();
  const back = await t.clinic.logIn(await begin(on), sub);
  back.searchParams.set('iss', 'https://elsewhere.example');
  expect((await comeBack(on, back)).get('failed')).toBe('not-accepted');
});

test('the code for the page works once, in its browser, within a minute, and not after the account is disabled', async () => {
  const { sub, accountId } = await t.person();
  const on = t.browser();
  const code = (await t.signOn(sub, on)).get('code') ?? '';
  expect((await exchange(t.browser(), code)).statusCode).toBe(404);
  expect((await exchange(on, 'guessed')).statusCode).toBe(404);
  expect((await exchange(on, code)).statusCode).toBe(200);
  expect((await exchange(on, code)).statusCode).toBe(404);
  const late = (await t.signOn(sub, on)).get('code') ?? '';
  await t.one.deps.db
    .updateTable('sign_on')
    .set({ expires_at: new Date().toISOString() })
    .where('account_id', '=', accountId)
    .execute();
  expect((await exchange(on, late)).statusCode).toBe(404);
  const shut = (await t.signOn(sub, on)).get('code') ?? '';
  await t.one.deps.db
    .updateTable('account')
    .set({ disabled_at: new Date().toISOString() })
    .where('id', '=', accountId)
    .execute();
  expect((await exchange(on, shut)).statusCode).toBe(403);
});

test('two tabs of one browser may sign on at the same time', async () => {
  const { sub } = await t.person();
  const on = t.browser();
  const [first, second] = [await begin(on), await begin(on)];
  for (const start of [second, first])
    expect((await comeBack(on, await t.clinic.logIn(start, sub))).get('code')).not.toBeNull();
});

test('someone who declines at the provider is back at the login page', async () => {
  const on = t.browser();
  expect((await comeBack(on, await t.clinic.decline(await begin(on)))).get('failed')).toBe('declined');
});

test('a provider that signs with a new key is still understood', async () => {
  const { sub, accountId } = await t.person();
  await t.sessionOf(sub);
  await t.clinic.rotate();
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
  expect((await t.sessionOf(sub)).account.id).toBe(accountId);
});

test('while the provider is away, passwords still log in; once it is back, so does the sign-on', async () => {
  const { sub, email, password } = await t.person();
  await t.clinic.stop();
  const started = await t.build();
  try {
    const on = t.browser(started);
    const reply = await open(on, '/api/sign-on');
    expect(reply.headers.location).toBe('/login#failed=away');
    expect(started.logLines.join('')).toContain(`the sign-on's addresses could not be read from ${t.clinic.issuer}`);
    expect(await tokenFor(started.app, email, password)).toBeTruthy();
    await t.clinic.restart();
    // A provider that failed is left alone for some seconds.
    await expect.poll(async () => (await open(on, '/api/sign-on')).headers.location).toContain(t.clinic.issuer);
    expect((await t.signOn(sub, on)).get('code')).not.toBeNull();
    const back = await t.clinic.logIn(await begin(on), sub);
    await t.clinic.stop();
    expect((await comeBack(on, back)).get('failed')).toBe('away');
  } finally {
    await t.clinic.restart();
    await started.close();
  }
});

test('logging out leads to the end of the session at the provider', async () => {
  const reply = await open(t.browser(), '/api/sign-on/end');
  const end = new URL(String(reply.headers.location));
  expect(end.origin).toBe(t.clinic.issuer);
  expect(end.searchParams.get('post_logout_redirect_uri')).toBe(`${PUBLIC_URL}/login`);
  expect(end.searchParams.get('client_id')).toBe('scheduler');
});

test('the browser that signed on logs out as that person, whose name its cookie does not show, once', async () => {
  const { sub, email } = await t.person();
  const on = t.browser();
  await t.signOn(sub, on);
  const cookie = on.cookies.get('sign-off');
  expect(cookie?.path).toBe('/api/sign-on/end');
  for (const text of [sub, email]) expect(Buffer.from(cookie?.value ?? '', 'base64url').includes(text)).toBe(false);
  const hintOf = async (): Promise<string | null> =>
    new URL(String((await open(on, '/api/sign-on/end')).headers.location)).searchParams.get('id_token_hint');
  const end = (await hintOf()) ?? '';
  expect(decodeJwt(end)).toMatchObject({ sub, iss: t.clinic.issuer, aud: 'scheduler' });
  expect(on.cookies.has('sign-off')).toBe(false);
  expect(await hintOf()).toBeNull();
  // One of another server, or a made one, says nothing.
  on.cookies.set('sign-off', { value: cookie?.value.replace(/^.{8}/, 'AAAAAAAA') ?? '', path: '/api/sign-on/end' });
  expect(await hintOf()).toBeNull();
});

test('an ID token that no cookie can hold is left out, and its person still logs in and out', async () => {
  const { sub } = await t.person({}, { roles: Array.from({ length: 200 }, () => randomUUID()) });
  const on = t.browser();
  expect((await t.signOn(sub, on)).get('code')).not.toBeNull();
  expect(on.cookies.has('sign-off')).toBe(false);
  expect((await open(on, '/api/sign-on/end')).headers.location).toContain(t.clinic.issuer);
});

test('a sign-on begins at the public address, where its cookie belongs', async () => {
  const reply = await t.one.app.inject({ url: '/api/sign-on', headers: { host: '127.0.0.1' } });
  expect(reply.headers.location).toBe(`${PUBLIC_URL}/api/sign-on?here`);
  expect(reply.headers['set-cookie']).toBeUndefined();
  const cookie = String((await open(t.browser(), '/api/sign-on')).headers['set-cookie']);
  expect(cookie).toMatch(/^sign-on=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
});

test('without the settings, there is no sign-on, and the login page offers none', async () => {
  const plain = await buildTestApp({ database: t.database });
  for (const url of ['/api/sign-on', '/api/sign-on/callback', '/api/sign-on/end'])
    expect((await plain.app.inject({ url })).statusCode).toBe(404);
  expect((await plain.app.inject({ url: '/api/login' })).json()).toMatchObject({ sign_on: false, admins_only: false });
  expect((await t.one.app.inject({ url: '/api/login' })).json()).toMatchObject({ sign_on: true });
  await plain.close();
});

test('with PASSWORD_LOGIN=admins-only, only administrators log in with a password, and nobody is invited to one', async () => {
  const strict = await buildTestApp({
    database: t.database,
    config: { publicUrl: PUBLIC_URL, oidc: t.one.deps.config.oidc, passwordLogin: 'admins-only' },
  });
  try {
    const [admin, staff] = [await strict.signIn({ role: 'admin' }), await strict.signIn()];
    expect(await tokenFor(strict.app, admin.email, admin.password)).toBeTruthy();
    await expect(tokenFor(strict.app, staff.email, staff.password)).rejects.toThrow('only administrators log in');
    await expect(tokenFor(strict.app, staff.email, 'wrong')).rejects.toThrow('Invalid credentials');
    const email = `${randomUUID()}@clinic.example`;
    const invited = await admin.call({
      method: 'POST',
      url: '/api/colleague-invitations',
      payload: { name: 'Ina Novak', email, role: 'scheduler', locations: null, by_email: false },
    });
    const { secret } = invited.json<{ secret: string }>();
    const welcome = await strict.app.inject({
      method: 'POST',
      url: '/api/welcome',
      payload: { secret, password: 'seven green lamps on a shelf' },
    });
    expect(welcome.statusCode).toBe(403);
    expect((await strict.app.inject({ url: '/api/login' })).json()).toMatchObject({ admins_only: true });
  } finally {
    await strict.close();
  }
});

test('neither codes nor secrets nor people are in the log', () => {
  const lines = [...t.one.logLines, ...t.mapped.logLines].join('');
  expect(lines).not.toMatch(/code=|state=|person-\d|@clinic\.example|a secret of the clinic/);
});
