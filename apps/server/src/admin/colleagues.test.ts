import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplyOf, adminEndpoints } from '@clinic/contract';
import { buildTestApp, tokenFor, type SignedIn, type TestApp } from '../testing/test-app.ts';

type Invited = ReplyOf<typeof adminEndpoints.inviteColleague>;

let t: TestApp;
let admin: SignedIn;
let number = 0;
beforeAll(async () => {
  t = await buildTestApp();
  admin = await t.signIn({ role: 'admin' });
});
afterAll(() => t.close());

const PASSWORD = 'seven violet otters sing';
const email = (): string => `colleague${++number}@clinic.example`;

const invite = (by: SignedIn, more: object = {}) =>
  by.call({
    method: 'POST',
    url: '/api/colleague-invitations',
    payload: { name: 'Robin Vance', email: email(), role: 'scheduler', locations: ['tampa'], by_email: false, ...more },
  });
const accept = (secret: string | null) =>
  t.app.inject({ method: 'POST', url: '/api/welcome', payload: { secret, password: PASSWORD } });
const listed = async (by: SignedIn) =>
  (await by.call({ url: '/api/invitations' })).json<ReplyOf<typeof adminEndpoints.listInvitations>>().invitations;

test.each([
  ['scheduler', ['tampa']],
  ['scheduler', null],
  ['admin', ['orlando', 'tampa']],
  ['admin', null],
] as const)(
  'a colleague with the role %s, invited by link, chooses a password and has the role and the locations %j',
  async (role, locations) => {
    const reply = await invite(admin, { role, locations });
    expect(reply.statusCode).toBe(201);
    const made = reply.json<Invited>();
    expect(made).toMatchObject({ therapist: null, name: 'Robin Vance', role, locations, message: null });
    expect((await listed(admin)).map(({ id }) => id)).toContain(made.id);
    expect((await accept(made.secret)).json()).toEqual({ email: made.email });
    expect((await listed(admin)).map(({ id }) => id)).not.toContain(made.id);
    const headers = { authorization: `Bearer ${await tokenFor(t.app, made.email, PASSWORD)}` };
    const session = await t.app.inject({ url: '/api/session', headers });
    expect(session.json()).toMatchObject({ demo: false, account: { name: 'Robin Vance', role, locations } });
    expect((await accept(made.secret)).statusCode).toBe(404);
  },
);

test('an administrator of some locations invites only for these, and sees and ends only such invitations', async () => {
  const local = await t.signIn({ role: 'admin', locations: ['tampa'] });
  for (const locations of [null, ['orlando'], ['tampa', 'orlando']])
    expect((await invite(local, { locations })).statusCode).toBe(403);
  const mine = (await invite(local)).json<Invited>();
  const shared = (await invite(admin, { locations: ['tampa', 'orlando'] })).json<Invited>();
  const all = (await invite(admin, { locations: null })).json<Invited>();
  const seen = (await listed(local)).map(({ id }) => id);
  expect(seen).toContain(mine.id);
  for (const { id, email } of [shared, all]) {
    expect(seen).not.toContain(id);
    expect((await local.call({ method: 'DELETE', url: `/api/invitations/${id}` })).statusCode).toBe(403);
    expect((await invite(local, { email })).statusCode).toBe(403); // this would end the other invitation
    expect((await listed(admin)).map((each) => each.id)).toContain(id);
  }
  const { message } = (await invite(local, { role: 'therapist' })).json<{ message?: string }>();
  expect(message).toBeUndefined();
});

test.each([
  ['is disabled', { disabled_at: '2026-11-20T12:00:00Z' }],
  ['is no longer an administrator', { role: 'scheduler' as const }],
  ['no longer works there', { locations: ['orlando' as const] }],
])('given an administrator who %s, an unused link of theirs makes no account', async (_what, change) => {
  const inviter = await t.signIn({ role: 'admin' });
  const made = (await invite(inviter)).json<Invited>();
  await t.deps.db.updateTable('account').set(change).where('id', '=', inviter.accountId).execute();
  expect((await accept(made.secret)).statusCode).toBe(404);
  const account = t.deps.db.selectFrom('account').select('id').where('email', '=', made.email);
  expect(await account.execute()).toEqual([]);
});

test('a new link to the same email replaces the earlier one, and an email with an account cannot be invited', async () => {
  const first = (await invite(admin)).json<Invited>();
  const second = (await invite(admin, { email: first.email.toUpperCase(), role: 'admin' })).json<Invited>();
  expect((await accept(first.secret)).statusCode).toBe(404);
  expect((await accept(second.secret)).statusCode).toBe(200);
  const again = await invite(admin, { email: first.email });
  expect(again.json<{ detail: string }>().detail).toBe(`email: ${first.email} already has an account.`);
});

test('without a mail server and a public address, a link cannot be emailed to a colleague', async () => {
  const reply = await invite(admin, { by_email: true });
  expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([
    422,
    expect.stringMatching(/^send_to: email is not set up/),
  ]);
});

test.each(['a@[1.2.3.4]', '=?utf-8?q?a?=@e.org', '-a@e.org', '"a b"@e.org', 'a@e.org\nbcc: b@e.org', 'a@1.2.3.4'])(
  'no account, invitation or contact has the address %j',
  async (odd) => {
    const person = { name: 'Robin Vance', email: odd, role: 'scheduler', locations: null };
    const contact = { name: 'Ann', relation: '', phone: '', email: odd, language: '', preferred: '' };
    for (const [url, payload] of [
      ['/api/accounts', { ...person, password: PASSWORD }],
      ['/api/colleague-invitations', { ...person, by_email: false }],
      ['/api/invitations', { therapist: 'T-1', email: odd }],
      ['/api/invitations', { therapist: 'T-1', email: 'fine@e.org', send_to: odd }],
      ['/api/clients', { first_name: 'Ann', last_name: 'Odd', location: 'tampa', contacts: [contact] }],
    ] as const) {
      const reply = await admin.call({ method: 'POST', url, payload });
      expect([url, reply.statusCode]).toEqual([url, 422]);
      expect(reply.body).toMatch(/[Nn]ot an email address|control character/);
    }
    const own = { ...person, email: odd, role: 'admin', your_password: admin.password };
    expect(
      (await admin.call({ method: 'PUT', url: `/api/accounts/${admin.accountId}`, payload: own })).statusCode,
    ).toBe(422);
  },
);
