// This file is over 250 lines because it tests whose account each kind of person gets.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertPasskey } from '../access/passkeys.queries.ts';
import { buildTherapist } from '../testing/builders.ts';
import { begin, comeBack, PUBLIC_URL, useSignOn } from '../testing/sign-on-scene.ts';

const t = useSignOn();

test('someone whose verified email is an account’s logs in with the clinic’s account, again and with a new email', async () => {
  const { sub, accountId, email } = await t.person();
  const session = await t.sessionOf(sub);
  expect(session).toMatchObject({ account: { id: accountId, email }, signed_on: true });
  t.clinic.people.set(sub, { email: 'married@clinic.example', email_verified: false });
  expect((await t.sessionOf(sub)).account.id).toBe(accountId);
  const trail = await t.one.deps.db.selectFrom('audit').selectAll().where('account_id', '=', accountId).execute();
  expect(trail.filter(({ action }) => action === 'sign-on.linked')).toHaveLength(1);
  expect(
    trail.filter(({ action, detail }) => action === 'session.begun' && JSON.stringify(detail).includes('sign-on')),
  ).toHaveLength(2);
});

test('the request uses PKCE, and shows neither the verifier nor the secret of the client', async () => {
  const on = t.browser();
  const asked = new URL(await begin(on));
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${PUBLIC_URL}/api/sign-on/callback`,
    scope: 'openid email profile',
  });
  const step = await t.one.deps.db
    .selectFrom('sign_on')
    .selectAll()
    .where('nonce', '=', asked.searchParams.get('nonce'))
    .executeTakeFirstOrThrow();
  expect(asked.href).not.toContain(step.verifier ?? '?');
  expect(asked.href).not.toContain(t.clinic.clientSecret);
  expect(asked.searchParams.get('state')).not.toContain(step.key_hash.toString('base64url'));
});

test('an unverified email opens no account, and its person is told', async () => {
  const { sub } = await t.person({}, { email_verified: false });
  expect((await t.signOn(sub)).get('failed')).toBe('unverified');
  t.clinic.people.set(sub, {});
  expect((await t.signOn(sub)).get('failed')).toBe('unverified');
});

test('the email of a Microsoft Entra tenant counts if its domain is the tenant’s own', async () => {
  const { sub, accountId } = await t.person({}, { email_verified: undefined, xms_edov: '1' });
  expect((await t.sessionOf(sub)).account.id).toBe(accountId);
  const { sub: contradicted } = await t.person({}, { email_verified: false, xms_edov: true });
  expect((await t.signOn(contradicted)).get('failed')).toBe('unverified');
});

test('an address that was given to somebody else does not open the first person’s account', async () => {
  const { sub, email } = await t.person();
  await t.sessionOf(sub);
  t.clinic.people.set('the next one', { email, email_verified: true });
  expect((await t.signOn('the next one')).get('failed')).toBe('other-person');
});

test('someone without an account or an invitation is told to ask for one', async () => {
  t.clinic.people.set('stranger', { email: 'stranger@elsewhere.example', email_verified: true });
  expect((await t.signOn('stranger')).get('failed')).toBe('unknown');
});

test('an invited person signs on without following the link, which then no longer works', async () => {
  const admin = await t.one.signIn({ role: 'admin' });
  const email = `${randomUUID()}@clinic.example`;
  const invited = await admin.call({
    method: 'POST',
    url: '/api/colleague-invitations',
    payload: { name: 'Ina Novak', email, role: 'scheduler', locations: ['tampa'], by_email: false },
  });
  t.clinic.people.set('invited', { email: email.toUpperCase(), email_verified: true });
  expect((await t.sessionOf('invited')).account).toMatchObject({ email, role: 'scheduler', locations: ['tampa'] });
  const { secret } = invited.json<{ secret: string }>();
  const late = await t.one.app.inject({
    method: 'POST',
    url: '/api/welcome',
    payload: { secret, password: 'seven green lamps on a shelf' },
  });
  expect(late.statusCode).toBe(404);
});

test('two tabs may sign on for the first time at once, with an account or an invitation', async () => {
  const { sub } = await t.person();
  const admin = await t.one.signIn({ role: 'admin' });
  const payload = { name: 'Ivo Novak', email: `${randomUUID()}@clinic.example`, role: 'scheduler', locations: null };
  await admin.call({
    method: 'POST',
    url: '/api/colleague-invitations',
    payload: { ...payload, by_email: false },
  });
  t.clinic.people.set('invited twice', { email: payload.email, email_verified: true });
  for (const who of [sub, 'invited twice']) {
    const tabs = [t.browser(), t.browser()];
    const back = await Promise.all(tabs.map(async (on) => t.clinic.logIn(await begin(on), who)));
    const found = await Promise.all(tabs.map((on, i) => comeBack(on, back[i] ?? new URL(PUBLIC_URL))));
    expect(found.map((each) => each.get('failed'))).toEqual([null, null]);
  }
});

test('an invitation whose maker could no longer invite opens nothing', async () => {
  const admin = await t.one.signIn({ role: 'admin' });
  const email = `${randomUUID()}@clinic.example`;
  const payload = { name: 'Ira Novak', email, role: 'scheduler', locations: null, by_email: false };
  await admin.call({ method: 'POST', url: '/api/colleague-invitations', payload });
  await t.one.deps.db.updateTable('account').set({ role: 'scheduler' }).where('id', '=', admin.accountId).execute();
  t.clinic.people.set('ira', { email, email_verified: true });
  expect((await t.signOn('ira')).get('failed')).toBe('unknown');
});

test('an invited therapist signs on to their own day', async () => {
  const admin = await t.one.signIn({ role: 'admin' });
  const therapist = await buildTherapist(t.one.deps.db, { first: 'Thea' });
  const email = `${randomUUID()}@clinic.example`;
  await admin.call({ method: 'POST', url: '/api/invitations', payload: { therapist, email } });
  t.clinic.people.set('therapist', { email, email_verified: true });
  expect((await t.sessionOf('therapist', t.mapped)).account).toMatchObject({ email, role: 'therapist' });
});

test.each(['disabled', 'demo'] as const)('a %s account is not opened', async (what) => {
  const { sub, accountId } = await t.person();
  const change = what === 'demo' ? { demo: true } : { disabled_at: new Date().toISOString() };
  await t.one.deps.db.updateTable('account').set(change).where('id', '=', accountId).execute();
  expect((await t.signOn(sub)).get('failed')).toBe(what === 'demo' ? 'unknown' : 'disabled');
  await t.one.deps.db.updateTable('account').set({ demo: false }).where('id', '=', accountId).execute();
});

test('groups give the role and the locations at each sign-on; without one, nobody gets in', async () => {
  const { sub, email, accountId } = await t.person({ locations: ['tampa'] });
  const withRoles = async (roles: unknown) => {
    t.clinic.people.set(sub, { email, email_verified: true, roles });
    return (await t.sessionOf(sub, t.mapped)).account;
  };
  expect(await withRoles(['desk tampa', 'desk south', 'others'])).toMatchObject({
    role: 'scheduler',
    locations: ['orlando', 'palm beach', 'tampa'],
  });
  expect(await withRoles('desk south')).toMatchObject({ role: 'scheduler', locations: ['orlando', 'palm beach'] });
  expect(await withRoles(['desk south', 'clinic-admins'])).toMatchObject({ role: 'admin', locations: null });
  const changes = await t.one.deps.db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'account.changed')
    .where('account_id', 'is', null)
    .execute();
  expect(changes.filter(({ detail }) => (detail as { by?: string }).by === 'sign-on')).toHaveLength(3);
  t.clinic.people.set(sub, { email, email_verified: true, roles: ['clinic-admins '] });
  expect((await t.signOn(sub, t.browser(t.mapped))).get('failed')).toBe('no-role');
  const account = await t.one.deps.db
    .selectFrom('account')
    .select('role')
    .where('id', '=', accountId)
    .executeTakeFirst();
  expect(account?.role).toBe('admin');
  // Without a mapping, the account keeps what an administrator gave it.
  expect((await t.sessionOf(sub)).account.role).toBe('admin');
});

test('a first sign-on without a role links nothing', async () => {
  const { sub, accountId } = await t.person();
  expect((await t.signOn(sub, t.browser(t.mapped))).get('failed')).toBe('no-role');
  const linked = await t.one.deps.db
    .selectFrom('account_identity')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute();
  expect(linked).toEqual([]);
});

test('the sign-on does not take the last administrator away', async () => {
  const { sub, accountId } = await t.person({ role: 'admin' }, { roles: ['desk tampa'] });
  const others = await t.one.deps.db
    .updateTable('account')
    .set({ disabled_at: new Date().toISOString() })
    .where('role', '=', 'admin')
    .where('id', '<>', accountId)
    .where('disabled_at', 'is', null)
    .returning('id')
    .execute();
  expect((await t.signOn(sub, t.browser(t.mapped))).get('failed')).toBe('last-administrator');
  await t.one.deps.db
    .updateTable('account')
    .set({ disabled_at: null })
    .where(
      'id',
      'in',
      others.map(({ id }) => id),
    )
    .execute();
});

/** An account that the directory has provisioned with an id of its own. */
async function provisioned(externalId: string, fields: { password_hash?: string } = {}): Promise<string> {
  const values = { email: `${randomUUID()}@clinic.example`, name: 'Pro Novak', role: 'scheduler', ...fields } as const;
  const row = { ...values, locations: ['tampa'], password_hash: fields.password_hash ?? null, signs_on: true };
  const { id } = await t.one.deps.db
    .insertInto('account')
    .values({ ...row, external_id: externalId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

test('a provisioned person signs on without an email, by `sub` or Entra’s `oid`, and nobody else does', async () => {
  const [bySub, byOid] = [await provisioned('provisioned-sub'), await provisioned('provisioned-oid')];
  t.clinic.people.set('provisioned-sub', {});
  t.clinic.people.set('pairwise', { oid: 'provisioned-oid' });
  t.clinic.people.set('another', { oid: 'provisioned-oid' });
  expect((await t.sessionOf('provisioned-sub')).account.id).toBe(bySub);
  expect((await t.sessionOf('pairwise')).account.id).toBe(byOid);
  expect((await t.signOn('another')).get('failed')).toBe('unverified');
  expect((await t.sessionOf('pairwise')).account.id).toBe(byOid);
});

test('an external id that a directory writes opens no account with a password or a passkey', async () => {
  const { accountId } = await t.person({ role: 'admin' });
  await t.one.deps.db.updateTable('account').set({ external_id: 'mallory' }).where('id', '=', accountId).execute();
  t.clinic.people.set('mallory', {});
  expect((await t.signOn('mallory')).get('failed')).toBe('unverified');
  const withKey = await provisioned('mallory-2');
  await insertPasskey(t.one.deps.db, {
    account_id: withKey,
    credential_id: Buffer.from('a passkey'),
    public_key: Buffer.alloc(1),
    counter: '0',
    transports: [],
    name: 'A passkey',
    created_at: new Date().toISOString(),
  });
  t.clinic.people.set('mallory-2', {});
  expect((await t.signOn('mallory-2')).get('failed')).toBe('unverified');
});
