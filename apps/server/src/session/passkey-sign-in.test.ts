import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import type { SessionReply, SignOptions } from '@clinic/contract';
import { takeAttempt } from '../access/login-budget.ts';
import { isoAt } from '../platform/clock.ts';
import type { Authenticator, Behaviour } from '../testing/authenticator.ts';
import { buildTherapist } from '../testing/builders.ts';
import { addPasskey, PAGE, post, signInOptions, signInWith } from '../testing/passkeys.ts';
import { buildTestApp, tokenFor, type TestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const MINUTE = 60_000;
let now = Date.now();
const t = useApp(() => buildTestApp({ deps: { accessClock: { now: () => now } } }));

const send = (options: InjectOptions) => t.app.inject(options);
const sessionOf = (token: string) => send({ url: '/api/session', headers: { authorization: `Bearer ${token}` } });
const tokenIn = (reply: { json: () => unknown }) => (reply.json() as { access_token: string }).access_token;
const trail = (action: string, id: string) =>
  t.deps.db
    .selectFrom('audit')
    .select(['account_id', 'detail', 'subject_ids'])
    .where('action', '=', action)
    .where((eb) => eb.or([eb('account_id', '=', id), eb(eb.val(id), '=', eb.fn.any('subject_ids'))]))
    .execute();

test('a login with a passkey needs no email, and gives the same kind of token and session as a password', async () => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const reply = await signInWith(t.app, device);
  expect(reply.statusCode, reply.body).toBe(200);
  const byPassword = await send({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: one.email, password: one.password }).toString(),
  });
  const claims = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  const [mine, theirs] = [claims(tokenIn(reply)), claims(tokenIn(byPassword))];
  expect({ ...mine, jti: 0 }).toEqual({ ...theirs, jti: 0 });
  expect(mine['jti']).not.toBe(theirs['jti']);
  expect(reply.json()).toMatchObject({ token_type: 'bearer', expires_in: 900 });
  const [a, b] = [await sessionOf(tokenIn(reply)), await sessionOf(tokenIn(byPassword))];
  expect({ ...a.json<SessionReply>(), now: 0 }).toEqual({ ...b.json<SessionReply>(), now: 0 });
  expect(await trail('session.begun', one.accountId)).toContainEqual(
    expect.objectContaining({ account_id: one.accountId, detail: { from: '127.0.0.1', with: 'passkey' } }),
  );
});

test('the options for a login with a passkey name this host and no account, and require user verification', async () => {
  const options = await signInOptions(t.app);
  expect(options.challenge).toMatch(/^[\w-]{43}$/);
  expect({ ...options, challenge: '' }).toEqual({
    challenge: '',
    rpId: 'localhost',
    timeout: 5 * MINUTE,
    userVerification: 'required',
    allowCredentials: [],
  });
  expect((await signInOptions(t.app)).challenge).not.toBe(options.challenge);
});

/** What may be wrong with a signature; each must be refused. */
const WRONG: [what: string, how: Behaviour][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['the same host on another port', { origin: 'http://localhost:8443' }],
  ['another host’s passkey', { rpId: 'evil.example' }],
  ['a device that did not recognize the person', { verified: false }],
  ['a device that no one touched', { present: false }],
  ['a signature that was made to add a passkey', { type: 'webauthn.create' }],
  ['no account named by the device', { userHandle: null }],
  ['another account named by the device', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
];
test.each(WRONG)('given %s, the login is refused like a wrong password', async (_what, how) => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const reply = await signInWith(t.app, device, how);
  expect([reply.statusCode, reply.body]).toEqual([401, '{"detail":"Invalid credentials"}']);
  expect(await trail('session.refused', one.accountId)).toHaveLength(1);
  expect((await signInWith(t.app, device)).statusCode).toBe(200);
});

test('a signature made on our page is refused if the page was inside a frame of another site', async () => {
  const { device } = await addPasskey(await t.signIn());
  expect((await signInWith(t.app, device, { crossOrigin: true })).statusCode).toBe(422);
});

test('given a signature with another key under a known passkey’s id, the login is refused', async () => {
  const [one, other] = [await addPasskey(await t.signIn()), await addPasskey(await t.signIn())];
  const options = await signInOptions(t.app);
  const [mine, theirs] = [one.device.sign(options), other.device.sign(options)];
  const mixed = { ...mine, response: { ...mine.response, signature: theirs.response.signature } };
  expect((await post(send, '/token/passkey', { passkey: mixed })).statusCode).toBe(401);
  const swapped = { ...theirs, id: mine.id, response: { ...theirs.response, userHandle: mine.response.userHandle } };
  const again = await signInOptions(t.app);
  expect((await post(send, '/token/passkey', { passkey: swapped })).statusCode).not.toBe(200);
  const fresh = other.device.sign(again);
  expect((await post(send, '/token/passkey', { passkey: { ...fresh, id: mine.id } })).statusCode).toBe(401);
});

test('a challenge that this server did not make is refused', async () => {
  const { device } = await addPasskey(await t.signIn());
  const reply = await signInWith(t.app, device, { challenge: Buffer.alloc(32, 1).toString('base64url') });
  expect(reply.statusCode).toBe(422);
  expect(reply.json()).toEqual({ detail: 'This took too long, or was sent twice. Nothing was changed. Try again.' });
});

test('a challenge works once, even when it is sent several times at the same moment', async () => {
  const { device } = await addPasskey(await t.signIn());
  const passkey = device.sign(await signInOptions(t.app));
  const replies = await Promise.all([1, 2, 3, 4].map(() => post(send, '/token/passkey', { passkey })));
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 422, 422, 422]);
  expect((await post(send, '/token/passkey', { passkey })).statusCode).toBe(422);
});

test('a challenge works for five minutes, in every process, and is then removed', async () => {
  const { device } = await addPasskey(await t.signIn());
  const other = await buildTestApp({ database: t.database, deps: { accessClock: { now: () => now } } });
  try {
    const [early, late] = [device.sign(await signInOptions(t.app)), device.sign(await signInOptions(t.app))];
    now += 5 * MINUTE - 1000;
    const inOther = await post((options) => other.app.inject(options), '/token/passkey', { passkey: early });
    expect(inOther.statusCode, inOther.body).toBe(200);
    now += 1000;
    expect((await post(send, '/token/passkey', { passkey: late })).statusCode).toBe(422);
    await signInOptions(t.app);
    expect(await t.deps.db.selectFrom('passkey_challenge').select('challenge').execute()).toHaveLength(1);
  } finally {
    await other.close();
  }
});

test('a challenge made for adding a passkey or for a confirmation cannot be used to log in', async () => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const confirm = (await post(one.call, '/passkeys/confirm')).json<SignOptions>();
  expect((await post(send, '/token/passkey', { passkey: device.sign(confirm) })).statusCode).toBe(422);
  const add = (await post(one.call, '/passkeys/options', { current_password: one.password })).json<SignOptions>();
  const passkey = device.sign({ challenge: add.challenge, rpId: 'localhost' });
  expect((await post(send, '/token/passkey', { passkey })).statusCode).toBe(422);
});

test('given a device that counts its signatures, a count that does not rise is refused, because the passkey may have been copied', async () => {
  const { device } = await addPasskey(await t.signIn(), { counter: 5 });
  const counts = async (counter: number) => (await signInWith(t.app, device, { counter })).statusCode;
  expect([await counts(6), await counts(6), await counts(5), await counts(0), await counts(9)]).toEqual([
    200, 401, 401, 401, 200,
  ]);
});

test('given a device that does not count its signatures, its passkey keeps working', async () => {
  const { device } = await addPasskey(await t.signIn());
  for (let i = 0; i < 3; i++) expect((await signInWith(t.app, device)).statusCode).toBe(200);
});

test('an unknown or removed passkey is refused', async () => {
  const one = await t.signIn();
  const { device, id } = await addPasskey(one);
  expect((await signInWith(t.app, device)).statusCode).toBe(200);
  await post(one.call, `/passkeys/${id}/remove`, { current_password: one.password });
  const reply = await signInWith(t.app, device);
  expect([reply.statusCode, reply.body]).toEqual([401, '{"detail":"Invalid credentials"}']);
});

test('a disabled account’s passkey is refused like a wrong one, and works again once the account is enabled', async () => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const set = (disabled_at: string | null) =>
    t.deps.db.updateTable('account').set({ disabled_at }).where('id', '=', one.accountId).execute();
  await set(isoAt(now));
  const reply = await signInWith(t.app, device);
  expect([reply.statusCode, reply.body]).toEqual([401, '{"detail":"Invalid credentials"}']);
  await set(null);
  expect((await signInWith(t.app, device)).statusCode).toBe(200);
});

test('the passkey of a therapist who has left is refused like a wrong one', async () => {
  const therapistId = await buildTherapist(t.deps.db, {});
  const one = await t.signIn({ role: 'therapist', therapistId, locations: ['altamonte'] });
  const { device } = await addPasskey(one);
  expect((await signInWith(t.app, device)).statusCode).toBe(200);
  const leave = (set: { end_date?: string | null; deleted_at?: string | null }) =>
    t.deps.db.updateTable('therapist').set(set).where('id', '=', therapistId).execute();
  for (const [gone, back] of [
    [{ end_date: '2024-03-05' }, { end_date: null }],
    [{ deleted_at: isoAt(now) }, { deleted_at: null }],
  ]) {
    await leave(gone ?? {});
    const reply = await signInWith(t.app, device);
    expect([reply.statusCode, reply.body]).toEqual([401, '{"detail":"Invalid credentials"}']);
    await leave(back ?? {});
    expect((await signInWith(t.app, device)).statusCode).toBe(200);
  }
});

test('given an account that is disabled while its passkey is being checked, no session begins', async () => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const passkey = device.sign(await signInOptions(t.app));
  const sessions = async () =>
    (await t.deps.db.selectFrom('session').select('id').where('account_id', '=', one.accountId).execute()).length;
  const before = await sessions();
  let reply: ReturnType<typeof post> | undefined;
  await t.deps.db.transaction().execute(async (trx) => {
    const disabled_at = isoAt(now);
    await trx.updateTable('account').set({ disabled_at }).where('id', '=', one.accountId).execute();
    reply = post(send, '/token/passkey', { passkey });
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  expect((await reply)?.statusCode).toBe(401);
  expect(await sessions()).toBe(before);
});

test('given an account with no attempts left, its passkey is refused too; wrong passkeys also use up attempts', async () => {
  const strict = await buildTestApp({
    database: t.database,
    config: { rateLimit: 0.3 },
    deps: { accessClock: { now: () => now } },
  });
  try {
    const at =
      (remoteAddress: string) =>
      async (device: Authenticator, how: Behaviour = {}) => {
        const passkey = device.sign(await signInOptions(t.app), how);
        const body = { method: 'POST', url: '/api/token/passkey', headers: PAGE, payload: { passkey } } as const;
        return strict.app.inject({ ...body, remoteAddress });
      };
    const one = await t.signIn();
    const { device } = await addPasskey(one);
    const attempt = { email: one.email, address: '192.0.2.1' };
    while ((await takeAttempt(t.deps.db, attempt, now, 0.3)).allowed);
    const refused = await at('192.0.2.1')(device);
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await at('192.0.2.2')(device)).statusCode).toBe(200);

    const two = await addPasskey(await t.signIn());
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const reply = await at('192.0.2.3')(two.device, { verified: false });
      statuses.push(reply.statusCode);
      if (reply.statusCode === 429) break;
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  } finally {
    await strict.close();
  }
}, 60_000);

test('a login with a passkey ends the session that the request came with, and no other', async () => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const other = await tokenFor(t.app, one.email, one.password);
  const passkey = device.sign(await signInOptions(t.app));
  const reply = await post(one.call, '/token/passkey', { passkey });
  expect((await sessionOf(one.token)).statusCode).toBe(401);
  expect((await sessionOf(other)).statusCode).toBe(200);
  expect((await sessionOf(tokenIn(reply))).statusCode).toBe(200);
});

test('a demo account’s passkey works only from this machine, like its password', async () => {
  const demo = await buildTestApp({ database: t.database, config: { demo: true } });
  const exposed = await buildTestApp({ database: t.database, config: { demo: true, loopback: false } });
  try {
    const one = await t.signIn();
    const { device } = await addPasskey(one);
    await t.deps.db.updateTable('account').set({ demo: true }).where('id', '=', one.accountId).execute();
    const logIn = async (app: TestApp, more: object = {}) => {
      const passkey = device.sign(await signInOptions(app.app));
      const headers = { ...PAGE, ...more };
      return (await app.app.inject({ method: 'POST', url: '/api/token/passkey', headers, payload: { passkey } }))
        .statusCode;
    };
    expect(await logIn(demo)).toBe(200);
    expect(await logIn(demo, { 'x-forwarded-for': '203.0.113.9' })).toBe(401);
    expect(await logIn(exposed)).toBe(401);
    expect(await logIn(t.opened)).toBe(401); // this server runs with DEMO=off, so no passkey of a demo account works
  } finally {
    await demo.close();
    await exposed.close();
  }
});

test.each([
  ['not base64url', { id: '***' }],
  ['empty', { id: '' }],
  ['not JSON', { clientDataJSON: Buffer.from('no').toString('base64url') }],
  ['a list', { clientDataJSON: Buffer.from('[]').toString('base64url') }],
  ['null', { clientDataJSON: Buffer.from('null').toString('base64url') }],
  ['too short', { authenticatorData: 'AAAA' }],
  ['no signature', { signature: '' }],
])('a malformed passkey (%s) is refused', async (_what, wrong) => {
  const { device } = await addPasskey(await t.signIn());
  const right = device.sign(await signInOptions(t.app));
  const { id = right.id, ...response } = wrong as { id?: string };
  const passkey = { ...right, id, response: { ...right.response, ...response } };
  expect([401, 422]).toContain((await post(send, '/token/passkey', { passkey })).statusCode);
});
