import { beforeAll, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import type { CreateOptions, OwnPasskeys, ReplyOf, adminEndpoints } from '@clinic/contract';
import { Authenticator, type Behaviour } from '../testing/authenticator.ts';
import { buildTherapist } from '../testing/builders.ts';
import { post, signInWith } from '../testing/passkeys.ts';
import { buildTestApp, tokenFor, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const PASSWORD = 'seven green lamps on a shelf';
const MINUTE = 60_000;
let now = Date.now();
let admin: SignedIn;
const t = useApp(() => buildTestApp({ deps: { accessClock: { now: () => now } } }));
beforeAll(async () => {
  admin = await t.signIn({ role: 'admin' });
});

const send = (options: InjectOptions) => t.app.inject(options);
let number = 0;
async function invite() {
  const therapist = await buildTherapist(t.deps.db, { first: 'Tess', last: `Moor${++number}` });
  const email = `tess${number}@clinic.example`;
  const reply = await admin.call({ method: 'POST', url: '/api/invitations', payload: { therapist, email } });
  const { secret } = reply.json<ReplyOf<typeof adminEndpoints.invite>>();
  return { therapist, email, secret: secret ?? '' };
}
const optionsFor = async (secret: string) =>
  (await post(send, '/welcome/passkey/options', { secret })).json<CreateOptions>();
const accept = (secret: string, passkey: object) => post(send, '/welcome/passkey', { secret, passkey, name: 'Pixel' });
const accountOf = (email: string) =>
  t.deps.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst();

test('a therapist who uses their link with a passkey is logged in, has no password, and can log in again with the passkey', async () => {
  const { therapist, email, secret } = await invite();
  const options = await optionsFor(secret);
  expect(options.user.name).toBe(email);
  expect(options.user.displayName).toContain('Tess Moor');
  const device = new Authenticator();
  const reply = await accept(secret, device.create(options));
  expect(reply.statusCode, reply.body).toBe(200);
  const { access_token: token } = reply.json<{ access_token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  const session = await send({ url: '/api/session', headers });
  expect(session.json()).toMatchObject({ account: { email, role: 'therapist', locations: [] } });
  const account = await accountOf(email);
  expect(account).toMatchObject({ therapist_id: therapist, password_hash: null, locations: ['altamonte'] });
  expect((await send({ url: '/api/passkeys', headers })).json<OwnPasskeys>()).toMatchObject({
    password: false,
    passkeys: [{ name: 'Pixel' }],
  });
  expect((await signInWith(t.app, device)).statusCode).toBe(200);
  for (const password of ['', PASSWORD, 'null']) await expect(tokenFor(t.app, email, password)).rejects.toThrow('401');
  const trail = await t.deps.db
    .selectFrom('audit')
    .select('action')
    .where('account_id', '=', account?.id ?? '')
    .orderBy('at')
    .execute();
  expect(
    trail
      .map((row) => row.action)
      .slice(0, 3)
      .sort(),
  ).toEqual(['account.added', 'passkey.added', 'session.begun']);
  const kept = JSON.stringify([await t.deps.db.selectFrom('audit').selectAll().execute(), t.logLines]);
  expect(kept).not.toContain(secret);
});

test('given several people who use a link at the same moment, with a passkey or a password, the link works for only one of them', async () => {
  const { email, secret } = await invite();
  const passkeys = [];
  for (let i = 0; i < 3; i++) passkeys.push(new Authenticator().create(await optionsFor(secret)));
  const replies = await Promise.all([
    ...passkeys.map((passkey) => accept(secret, passkey)),
    post(send, '/welcome', { secret, password: PASSWORD }),
  ]);
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 404, 404, 404]);
  const { id } = (await accountOf(email)) ?? { id: '' };
  const rows = await t.deps.db.selectFrom('passkey').select('id').where('account_id', '=', id).execute();
  expect(rows.length).toBeLessThanOrEqual(1);
});

test('a link that is not valid offers no passkey, creates no account, and does not reveal whom it was for', async () => {
  const { email, secret } = await invite();
  const passkey = new Authenticator().create(await optionsFor(secret));
  const { id } = (await admin.call({ url: '/api/invitations' }))
    .json<ReplyOf<typeof adminEndpoints.listInvitations>>()
    .invitations.find((each) => each.email === email) ?? { id: '' };
  await admin.call({ method: 'DELETE', url: `/api/invitations/${id}` });
  const guessed = await post(send, '/welcome/passkey/options', { secret: 'guessed' });
  expect(guessed.statusCode).toBe(404);
  expect((await post(send, '/welcome/passkey/options', { secret })).body).toBe(guessed.body);
  expect((await accept(secret, passkey)).body).toBe(guessed.body);
  expect(await accountOf(email)).toBeUndefined();
});

const WRONG: [what: string, how: Behaviour][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another host', { rpId: 'evil.example' }],
  ['a device that did not recognize the person', { verified: false }],
];
test.each(WRONG)('given %s, the passkey is refused, and the link still works', async (_what, how) => {
  const { email, secret } = await invite();
  const refused = await accept(secret, new Authenticator().create(await optionsFor(secret), how));
  expect(refused.statusCode).toBe(422);
  expect(await accountOf(email)).toBeUndefined();
  expect((await accept(secret, new Authenticator().create(await optionsFor(secret)))).statusCode).toBe(200);
});

test('a challenge is refused if it is from another invitation, was used or has expired', async () => {
  const [one, other] = [await invite(), await invite()];
  expect((await accept(one.secret, new Authenticator().create(await optionsFor(other.secret)))).statusCode).toBe(422);
  const late = new Authenticator().create(await optionsFor(one.secret));
  now += 5 * MINUTE;
  expect((await accept(one.secret, late)).statusCode).toBe(422);
  const passkey = new Authenticator().create(await optionsFor(one.secret));
  expect((await accept(one.secret, passkey)).statusCode).toBe(200);
  expect((await accept(other.secret, passkey)).statusCode).toBe(422);
  expect(await accountOf(other.email)).toBeUndefined();
});

test('given an account with only a passkey, when an administrator sets a password, the password works and the passkey does not', async () => {
  const { email, secret } = await invite();
  const device = new Authenticator();
  await accept(secret, device.create(await optionsFor(secret)));
  const { id = '', name = '' } = (await accountOf(email)) ?? {};
  const payload = {
    email,
    name,
    role: 'therapist',
    locations: null,
    password: PASSWORD,
    your_password: admin.password,
  };
  expect((await admin.call({ method: 'PUT', url: `/api/accounts/${id}`, payload })).statusCode).toBe(200);
  expect((await signInWith(t.app, device)).statusCode).toBe(401);
  expect(await tokenFor(t.app, email, PASSWORD)).toBeTruthy();
});

test('a colleague who uses their link with a passkey has the role and the locations of the invitation, and no password', async () => {
  for (const [role, locations] of [
    ['scheduler', ['tampa']],
    ['admin', null],
  ] as const) {
    const email = `robin${++number}@clinic.example`;
    const payload = { name: 'Robin Vance', email, role, locations, by_email: false };
    const made = await admin.call({ method: 'POST', url: '/api/colleague-invitations', payload });
    const secret = made.json<ReplyOf<typeof adminEndpoints.inviteColleague>>().secret ?? '';
    const options = await optionsFor(secret);
    expect(options.user.name).toBe(email);
    const device = new Authenticator();
    const reply = await accept(secret, device.create(options));
    expect(reply.statusCode, reply.body).toBe(200);
    const { access_token: token } = reply.json<{ access_token: string }>();
    const session = await send({ url: '/api/session', headers: { authorization: `Bearer ${token}` } });
    expect(session.json()).toMatchObject({ account: { email, name: 'Robin Vance', role, locations } });
    expect(await accountOf(email)).toMatchObject({ therapist_id: null, password_hash: null });
    expect((await signInWith(t.app, device)).statusCode).toBe(200);
    expect((await accept(secret, device.create(options))).statusCode).toBe(404);
  }
});
