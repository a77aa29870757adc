import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import type { CreateOptions, OwnPasskeys, Passkey, SignOptions } from '@clinic/contract';
import { isoAt } from '../platform/clock.ts';
import { Authenticator, type Behaviour } from '../testing/authenticator.ts';
import { buildTherapist } from '../testing/builders.ts';
import { CERTIFICATE, KEY } from '../testing/certificate.ts';
import { addPasskey, PAGE, post, signInWith } from '../testing/passkeys.ts';
import { buildTestApp, tokenFor, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { waitsOrReplied, whileAccountIsReset } from '../testing/waits.ts';

const MINUTE = 60_000;
const NEW = 'seven green lamps on a shelf';
let now = Date.now();
const t = useApp(() => buildTestApp({ deps: { accessClock: { now: () => now } } }));

const list = async ({ call }: Pick<SignedIn, 'call'>) => (await call({ url: '/api/passkeys' })).json<OwnPasskeys>();
const detail = (reply: { json: () => unknown }): unknown => (reply.json() as { detail: unknown }).detail;
const optionsFor = async ({ call, password }: SignedIn) =>
  (await post(call, '/passkeys/options', { current_password: password })).json<CreateOptions>();
const trail = (action: string, id: string) =>
  t.deps.db.selectFrom('audit').selectAll().where('action', '=', action).where('account_id', '=', id).execute();

/** A therapist with one passkey and no password, logged in with it. */
async function passkeyOnly() {
  const therapistId = await buildTherapist(t.deps.db, { last: `Only${Math.random()}` });
  const one = await t.signIn({ role: 'therapist', locations: ['altamonte'], therapistId });
  const { device, id } = await addPasskey(one);
  await t.deps.db.updateTable('account').set({ password_hash: null }).where('id', '=', one.accountId).execute();
  const confirm = async (how?: Behaviour) =>
    device.sign((await post(one.call, '/passkeys/confirm')).json<SignOptions>(), how);
  return { ...one, device, id, confirm };
}

test('users can add, name, see and remove their passkeys, and each of these actions is audited', async () => {
  const one = await t.signIn();
  expect(await list(one)).toEqual({ password: true, passkeys: [] });
  const { device, id } = await addPasskey(one);
  expect(await list(one)).toEqual({
    password: true,
    passkeys: [{ id, name: 'Phone', created_at: isoAt(now), used_at: null }],
  });
  now += 1000;
  expect((await signInWith(t.app, device)).statusCode).toBe(200);
  const renamed = await one.call({
    method: 'PUT',
    url: `/api/passkeys/${id}/name`,
    payload: { name: ' Blue\u200b phone ' },
  });
  expect(renamed.json<Passkey>()).toMatchObject({ id, name: 'Blue phone', used_at: isoAt(now) });
  const removed = await post(one.call, `/passkeys/${id}/remove`, { current_password: one.password });
  expect(removed.statusCode, removed.body).toBe(204);
  expect((await list(one)).passkeys).toEqual([]);
  expect((await signInWith(t.app, device)).statusCode).toBe(401);
  for (const action of ['passkey.added', 'passkey.renamed', 'passkey.removed'])
    expect(await trail(action, one.accountId), action).toMatchObject([{ subject_kind: 'passkey', subject_ids: [id] }]);
});

test('the options for a new passkey name this host, require user verification, and exclude devices that already have a passkey', async () => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const options = await optionsFor(one);
  expect(options.challenge).toMatch(/^[\w-]{43}$/);
  expect(options.user.displayName).toMatch(/^Person /);
  expect({ ...options, challenge: '' }).toEqual({
    challenge: '',
    rp: { id: 'localhost', name: 'Clinic Scheduler' },
    user: {
      id: Buffer.from(one.accountId.replaceAll('-', ''), 'hex').toString('base64url'),
      name: one.email,
      displayName: options.user.displayName,
    },
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: 5 * MINUTE,
    attestation: 'none',
    excludeCredentials: [{ id: device.id.toString('base64url'), type: 'public-key', transports: ['internal'] }],
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  });
});

const WRONG: [what: string, how: Behaviour][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another host', { rpId: 'evil.example' }],
  ['a device that did not recognize the person', { verified: false }],
  ['data that was signed to log in', { type: 'webauthn.get' }],
];
test.each(WRONG)('given %s, a new passkey is refused', async (_what, how) => {
  const one = await t.signIn();
  const passkey = new Authenticator().create(await optionsFor(one), how);
  const reply = await post(one.call, '/passkeys', { name: 'Phone', passkey });
  expect([reply.statusCode, detail(reply)]).toEqual([
    422,
    'This passkey was not accepted. Nothing was changed. Try again, or use another one.',
  ]);
  expect((await list(one)).passkeys).toEqual([]);
});

test('a new passkey is refused if its challenge has expired, was used, or was made for something else', async () => {
  const [one, other] = [await t.signIn(), await t.signIn()];
  const add = async (who: SignedIn, passkey: object) =>
    (await post(who.call, '/passkeys', { name: 'Phone', passkey })).statusCode;
  const used = new Authenticator().create(await optionsFor(one));
  expect([await add(one, used), await add(one, used)]).toEqual([201, 422]);
  const theirs = new Authenticator().create(await optionsFor(other));
  expect(await add(one, theirs)).toBe(422);
  expect(await add(other, theirs)).toBe(422); // the first attempt has used up the challenge
  const late = new Authenticator().create(await optionsFor(one));
  const login = (await post((options) => t.app.inject(options), '/token/passkey/options')).json<SignOptions>();
  const options = await optionsFor(one);
  expect(await add(one, new Authenticator().create(options, { challenge: login.challenge }))).toBe(422);
  expect(
    await add(one, new Authenticator().create(options, { challenge: Buffer.alloc(32).toString('base64url') })),
  ).toBe(422);
  now += 5 * MINUTE;
  expect(await add(one, late)).toBe(422);
  expect((await list(one)).passkeys).toHaveLength(1);
  expect((await list(other)).passkeys).toEqual([]);
});

test('a passkey of one account cannot become another account’s', async () => {
  const [one, other] = [await t.signIn(), await t.signIn()];
  const { device } = await addPasskey(one);
  const passkey = device.create(await optionsFor(other));
  const reply = await post(other.call, '/passkeys', { name: 'Phone', passkey });
  expect([reply.statusCode, detail(reply)]).toEqual([422, 'This passkey is already saved. Nothing was saved.']);
});

test('a passkey that comes with its manufacturer’s certificate is refused, because checking the certificate may open a URL in it', async () => {
  const one = await t.signIn();
  const maker = { certificate: new X509Certificate(CERTIFICATE).raw, key: KEY };
  const passkey = new Authenticator().create(await optionsFor(one), {}, maker);
  const reply = await post(one.call, '/passkeys', { name: 'Phone', passkey });
  expect([reply.statusCode, (await list(one)).passkeys]).toEqual([422, []]);
});

test('adding and removing a passkey require the password or a passkey, and a wrong password or passkey is refused and audited', async () => {
  const one = await t.signIn();
  const { device, id } = await addPasskey(one);
  for (const url of ['/passkeys/options', `/passkeys/${id}/remove`]) {
    const nothing = await post(one.call, url);
    expect([nothing.statusCode, detail(nothing)]).toEqual([
      422,
      'current_password: confirm with your password or a passkey. Nothing was changed.',
    ]);
    const wrong = await post(one.call, url, { current_password: 'not my password' });
    expect([wrong.statusCode, detail(wrong)]).toEqual([
      422,
      'current_password: this is not your password. Nothing was changed.',
    ]);
  }
  const asked = (await post(one.call, '/passkeys/confirm')).json<SignOptions>();
  expect(asked.allowCredentials).toEqual([
    { id: device.id.toString('base64url'), type: 'public-key', transports: ['internal'] },
  ]);
  const unseen = await post(one.call, '/passkeys/options', { passkey: device.sign(asked, { verified: false }) });
  expect(unseen.statusCode).toBe(422);
  expect(await trail('passkey.refused', one.accountId)).toHaveLength(1);
  const again = (await post(one.call, '/passkeys/confirm')).json<SignOptions>();
  const signed = device.sign(again);
  expect((await post(one.call, '/passkeys/options', { passkey: signed })).statusCode).toBe(200);
  expect((await post(one.call, '/passkeys/options', { passkey: signed })).statusCode).toBe(422);
  expect((await list(one)).passkeys).toHaveLength(1);
});

test('a confirmation fails with another account’s passkey, or with a challenge that was made for something else', async () => {
  const [one, other] = [await t.signIn(), await t.signIn()];
  const [mine, theirs] = [await addPasskey(one), await addPasskey(other)];
  const ask = async (who: SignedIn) => (await post(who.call, '/passkeys/confirm')).json<SignOptions>();
  const confirmed = async (passkey: object) => (await post(one.call, '/sessions/end-others', { passkey })).statusCode;
  expect(await confirmed(theirs.device.sign(await ask(one)))).toBe(422);
  expect(await confirmed(mine.device.sign(await ask(other)))).toBe(422);
  const login = (await post((options) => t.app.inject(options), '/token/passkey/options')).json<SignOptions>();
  expect(await confirmed(mine.device.sign(login))).toBe(422);
  expect(await confirmed(mine.device.sign(await ask(one), { userHandle: null }))).toBe(204);
});

test('wrong passkeys in a session are slowed down like wrong passwords', async () => {
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const strict = await buildTestApp({ database: t.database, config: { rateLimit: 0.05 } });
  try {
    const guess = async () => {
      const { challenge } = (await post(one.call, '/passkeys/confirm')).json<SignOptions>();
      const passkey = device.sign({ challenge, rpId: 'localhost' }, { verified: false });
      const headers = { ...PAGE, authorization: `Bearer ${one.token}` };
      const payload = { passkey };
      return strict.app.inject({ method: 'POST', url: '/api/sessions/end-others', headers, payload });
    };
    const replies = [await guess(), await guess()];
    expect(replies.map((reply) => reply.statusCode)).toEqual([422, 429]);
    expect(Number(replies[1]?.headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await strict.close();
  }
});

test('an account without a password can remove one of two passkeys', async () => {
  const one = await passkeyOnly();
  const options = (await post(one.call, '/passkeys/options', { passkey: await one.confirm() })).json<CreateOptions>();
  const added = await post(one.call, '/passkeys', { name: 'Laptop', passkey: new Authenticator().create(options) });
  const { id } = added.json<Passkey>();
  const removed = await post(one.call, `/passkeys/${id}/remove`, { passkey: await one.confirm() });
  expect(removed.statusCode, removed.body).toBe(204);
  expect((await list(one)).passkeys.map((passkey) => passkey.id)).toEqual([one.id]);
});

test('an account without a password keeps one passkey, even if requests to remove both of its passkeys arrive at the same moment', async () => {
  const one = await passkeyOnly();
  const options = (await post(one.call, '/passkeys/options', { passkey: await one.confirm() })).json<CreateOptions>();
  const passkey = new Authenticator().create(options);
  const added = await post(one.call, '/passkeys', { name: 'Laptop', passkey });
  expect(added.statusCode, added.body).toBe(201);
  const proof = await one.confirm();
  const sent = await t.deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom('account').select('id').where('id', '=', one.accountId).forUpdate().execute();
    await trx.deleteFrom('passkey').where('id', '=', added.json<Passkey>().id).execute();
    const reply = post(one.call, `/passkeys/${one.id}/remove`, { passkey: proof });
    await waitsOrReplied(t.deps.pool, [reply]); // the second removal waits for the first
    return { reply };
  });
  const refused = await sent.reply;
  expect(detail(refused)).toMatch(/^This passkey is your only way to log in\./);
  expect((await list(one)).passkeys).toHaveLength(1);
});

test('someone without a password can set one by confirming with a passkey, and can then remove the passkey', async () => {
  const one = await passkeyOnly();
  expect((await list(one)).password).toBe(false);
  const last = await post(one.call, `/passkeys/${one.id}/remove`, { passkey: await one.confirm() });
  expect(detail(last)).toBe(
    'This passkey is your only way to log in. Nothing was changed. Set a password or add another passkey first.',
  );
  await expect(tokenFor(t.app, one.email, one.password)).rejects.toThrow('401');
  const typed = await post(one.call, '/password', { current_password: '', new_password: NEW });
  expect(typed.statusCode).toBe(422);
  const set = await post(one.call, '/password', { passkey: await one.confirm(), new_password: NEW });
  expect(set.statusCode, set.body).toBe(204);
  expect(await tokenFor(t.app, one.email, NEW)).toBeTruthy();
  expect((await list(one)).password).toBe(true);
  const removed = await post(one.call, `/passkeys/${one.id}/remove`, { passkey: await one.confirm() });
  expect(removed.statusCode).toBe(204);
});

test('adding a passkey ends no session, and removing one ends every other session; other accounts can neither rename nor remove it', async () => {
  const one = await t.signIn();
  const elsewhere = await tokenFor(t.app, one.email, one.password);
  const statusWith = async (token: string) =>
    (await t.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } })).statusCode;
  const { id } = await addPasskey(one);
  expect(await statusWith(elsewhere)).toBe(200);
  const other = await t.signIn();
  expect((await post(other.call, `/passkeys/${id}/remove`, { current_password: other.password })).statusCode).toBe(404);
  const rename: InjectOptions = { method: 'PUT', url: `/api/passkeys/${id}/name`, payload: { name: 'Mine' } };
  expect((await other.call(rename)).statusCode).toBe(404);
  await post(one.call, `/passkeys/${id}/remove`, { current_password: one.password });
  expect([await statusWith(elsewhere), await statusWith(one.token)]).toEqual([401, 200]);
  expect(await trail('passkey.removed', one.accountId)).toMatchObject([{ detail: { sessions_ended: 1 } }]);
});

test('an administrator who sets a new password removes the account’s passkeys and ends its sessions', async () => {
  const admin = await t.signIn({ role: 'admin' });
  const one = await t.signIn();
  const { device } = await addPasskey(one);
  const body = { email: one.email, name: 'Person', role: 'scheduler', locations: null };
  const change = (more: object) =>
    admin.call({ method: 'PUT', url: `/api/accounts/${one.accountId}`, payload: { ...body, ...more } });
  expect((await change({ disabled: true })).statusCode).toBe(200);
  expect((await signInWith(t.app, device)).statusCode).toBe(401);
  expect((await change({ disabled: false })).statusCode).toBe(200);
  expect((await signInWith(t.app, device)).statusCode).toBe(200);
  expect((await change({ password: NEW, your_password: admin.password })).statusCode).toBe(200);
  expect((await signInWith(t.app, device)).statusCode).toBe(401);
  expect((await one.call({ url: '/api/session' })).statusCode).toBe(401);
  const rows = await t.deps.db.selectFrom('passkey').select('id').where('account_id', '=', one.accountId).execute();
  expect(rows).toEqual([]);
  const changes = await trail('account.changed', admin.accountId);
  expect(changes.map((row) => row.detail)).toContainEqual(
    expect.objectContaining({ password: true, passkeys_removed: 1 }),
  );
});

test('when an administrator sets a new password while a passkey is being added or removed, nothing is added or removed', async () => {
  const one = await t.signIn();
  const passkey = new Authenticator().create(await optionsFor(one));
  const add = () => post(one.call, '/passkeys', { name: 'Phone', passkey });
  expect((await whileAccountIsReset(t.deps, one.accountId, add)).statusCode).toBe(401);
  const other = await t.signIn();
  const { id } = await addPasskey(other);
  const remove = () => post(other.call, `/passkeys/${id}/remove`, { current_password: other.password });
  expect((await whileAccountIsReset(t.deps, other.accountId, remove)).statusCode).toBe(401);
  const kept = await t.deps.db
    .selectFrom('passkey')
    .select('id')
    .where('account_id', 'in', [one.accountId, other.accountId])
    .execute();
  expect(kept).toEqual([{ id }]);
});

test('an account has at most 20 passkeys, and deleting the account deletes its passkeys', async () => {
  const one = await t.signIn();
  for (let i = 0; i < 20; i++) await addPasskey(one);
  await expect(addPasskey(one)).rejects.toThrow('An account can have at most 20 passkeys. Nothing was saved.');
  await t.deps.db.deleteFrom('session').where('account_id', '=', one.accountId).execute();
  await t.deps.db.deleteFrom('account').where('id', '=', one.accountId).execute();
  const left = await t.deps.db.selectFrom('passkey').select('id').where('account_id', '=', one.accountId).execute();
  expect(left).toEqual([]);
});

test('no account can have neither a password nor a passkey', async () => {
  const one = await t.signIn();
  const update = t.deps.db.updateTable('account').set({ password_hash: null }).where('id', '=', one.accountId);
  await expect(update.execute()).rejects.toThrow('would have no way to log in');
});
