import { beforeAll, expect, test } from 'vitest';
import type { ReplyOf, adminEndpoints } from '@clinic/contract';
import { isoAt } from '../platform/clock.ts';
import { buildTherapist } from '../testing/builders.ts';
import { buildTestApp, tokenFor, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { waitsOrReplied } from '../testing/waits.ts';

/** The reply with a link to hand over. */
type Invited = ReplyOf<typeof adminEndpoints.invite> & { secret: string };

const PASSWORD = 'seven green lamps on a shelf';
const DAY = 24 * 3_600_000;
let now = Date.now();
let admin: SignedIn;
const t = useApp(() =>
  buildTestApp({
    deps: { accessClock: { now: () => now } },
    config: { idleMinutes: 1440, sessionHours: 168 },
  }),
);
beforeAll(async () => {
  admin = await t.signIn({ role: 'admin' });
});

let number = 0;
async function invite(who = admin, plan: Parameters<typeof buildTherapist>[1] = {}) {
  const therapist = await buildTherapist(t.deps.db, { first: 'Tess', last: `Moor${++number}`, ...plan });
  const email = `Tess${number}@Clinic.example`;
  const reply = await who.call({ method: 'POST', url: '/api/invitations', payload: { therapist, email } });
  return { therapist, email: email.toLowerCase(), reply, made: reply.json<Invited>() };
}
const accept = (secret: string, password = PASSWORD) =>
  t.app.inject({ method: 'POST', url: '/api/welcome', payload: { secret, password } });
const detail = (reply: { json: () => unknown }): unknown => (reply.json() as { detail: unknown }).detail;

test('a therapist who uses their link chooses a password and can log in as that therapist only', async () => {
  const { therapist, email, reply, made } = await invite();
  expect(reply.statusCode, reply.body).toBe(201);
  const accepted = await accept(made.secret);
  expect(accepted.json()).toEqual({ email });
  const token = await tokenFor(t.app, email, PASSWORD);
  const session = await t.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } });
  expect(session.json()).toMatchObject({ account: { email, role: 'therapist', locations: [] } });
  const stored = await t.deps.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ therapist_id: therapist, locations: ['altamonte'], role: 'therapist' });
  const trail = await t.deps.db.selectFrom('audit').select('action').where('account_id', '=', stored.id).execute();
  expect(trail.map((row) => row.action)).toContain('account.added');
});

test('the link’s secret is not stored, and appears in neither the audit trail nor the log', async () => {
  const { made } = await invite();
  await accept(made.secret);
  expect(made.secret).toMatch(/^[\w-]{43}$/);
  const rows = await t.deps.db.selectFrom('invitation').selectAll().execute();
  const trail = await t.deps.db.selectFrom('audit').selectAll().execute();
  for (const kept of [JSON.stringify(rows), JSON.stringify(trail), t.logLines.join('\n')])
    expect(kept).not.toContain(made.secret);
});

test('given several people who use a link at the same moment, the link works for only one of them', async () => {
  const { made, therapist } = await invite();
  const replies = await Promise.all([1, 2, 3, 4].map(() => accept(made.secret)));
  expect(replies.map((each) => each.statusCode).sort()).toEqual([200, 404, 404, 404]);
  expect((await accept(made.secret)).statusCode).toBe(404);
  const accounts = await t.deps.db.selectFrom('account').select('id').where('therapist_id', '=', therapist).execute();
  expect(accounts).toHaveLength(1);
});

test('given a link that is withdrawn while it is used, the withdrawal is refused, since there is an account', async () => {
  const { made } = await invite();
  const sent = await t.db.transaction().execute(async (trx) => {
    await trx.selectFrom('invitation').select('id').where('id', '=', made.id).forUpdate().execute();
    const used = accept(made.secret);
    expect(await waitsOrReplied(t.deps.pool, [used])).toBe(true);
    const withdrawn = admin.call({ method: 'DELETE', url: `/api/invitations/${made.id}` });
    expect(await waitsOrReplied(t.deps.pool, [used, withdrawn], 2)).toBe(true);
    return { used, withdrawn };
  });
  expect([(await sent.used).statusCode, (await sent.withdrawn).statusCode]).toEqual([200, 404]);
});

test('a weak password is refused, and the link still works', async () => {
  const { made } = await invite();
  const weak = await accept(made.secret, 'password password');
  expect(weak.statusCode).toBe(422);
  expect(detail(weak)).toMatch(/^password: too easy to guess/);
  expect((await accept(made.secret)).statusCode).toBe(200);
});

test('a link that expired, was withdrawn or was replaced does not work, and the refusal does not reveal whom it was for', async () => {
  const ended = 'This invitation cannot be used: it was used before, has expired, or was replaced by a newer one.';
  const late = await invite();
  const withdrawn = await invite();
  const replaced = await invite();
  await admin.call({ method: 'DELETE', url: `/api/invitations/${withdrawn.made.id}` });
  const payload = { therapist: replaced.therapist, email: replaced.email };
  const newer = await admin.call({ method: 'POST', url: '/api/invitations', payload });
  for (const { made } of [withdrawn, replaced]) {
    const reply = await accept(made.secret);
    expect([reply.statusCode, String(detail(reply)).startsWith(ended)]).toEqual([404, true]);
  }
  expect((await accept(newer.json<Invited>().secret)).statusCode).toBe(200);
  now += 7 * DAY + 1;
  const reply = await accept(late.made.secret);
  now -= 7 * DAY + 1;
  expect([reply.statusCode, String(detail(reply)).startsWith(ended)]).toEqual([404, true]);
  expect((await accept('guessed')).json()).toEqual(reply.json());
});

test('a therapist can have only one account, and two accounts cannot have the same email', async () => {
  const { therapist, email, made } = await invite();
  await accept(made.secret);
  const again = await admin.call({ method: 'POST', url: '/api/invitations', payload: { therapist, email } });
  expect(detail(again)).toMatch(/^therapist: Tess Moor\d+ already has an account/);
  const other = await buildTherapist(t.deps.db, { last: 'Other' });
  const taken = await admin.call({ method: 'POST', url: '/api/invitations', payload: { therapist: other, email } });
  expect(detail(taken)).toBe(`email: ${email} already has an account.`);
});

test('a link whose email got an account in the meantime is refused and can still be used later', async () => {
  const { email, made } = await invite();
  const { accountId } = await t.signIn({ email });
  const refused = await accept(made.secret);
  expect([refused.statusCode, detail(refused)]).toEqual([422, `email: ${email} already has an account.`]);
  await t.deps.db.deleteFrom('session').where('account_id', '=', accountId).execute();
  await t.deps.db.deleteFrom('account').where('id', '=', accountId).execute();
  expect((await accept(made.secret)).statusCode).toBe(200);
});

test('no one who is not on file can be invited, and an ended invitation cannot be withdrawn', async () => {
  const { made } = await invite();
  const withdraw = async (): Promise<number> =>
    (await admin.call({ method: 'DELETE', url: `/api/invitations/${made.id}` })).statusCode;
  expect([await withdraw(), await withdraw()]).toEqual([204, 404]);
  const payload = { therapist: 'T-none', email: 'none@clinic.example' };
  const reply = await admin.call({ method: 'POST', url: '/api/invitations', payload });
  expect([reply.statusCode, detail(reply)]).toEqual([
    404,
    expect.stringMatching(/^This therapist is no longer on file/),
  ]);
});

test('administrators can invite therapists only at their own locations, and do not see other locations’ invitations', async () => {
  const local = await t.signIn({ role: 'admin', locations: ['tampa'] });
  expect((await invite(local)).reply.statusCode).toBe(403);
  const there = await invite(local, { location: 'tampa' });
  expect(there.reply.statusCode).toBe(201);
  const here = await invite();
  const listed = (await local.call({ url: '/api/invitations' }))
    .json<ReplyOf<typeof adminEndpoints.listInvitations>>()
    .invitations.map(({ id }) => id);
  expect(listed).toContain(there.made.id);
  expect(listed).not.toContain(here.made.id);
  expect((await local.call({ method: 'DELETE', url: `/api/invitations/${here.made.id}` })).statusCode).toBe(403);
});

test('no existing account can become a therapist’s, and a therapist’s account cannot get another role', async () => {
  const { email, made } = await invite();
  await accept(made.secret);
  const { id } = await t.deps.db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const change = (account: string, role: string) => {
    const payload = { email: account === id ? email : admin.email, name: 'Someone', role, locations: null };
    return admin.call({ method: 'PUT', url: `/api/accounts/${account}`, payload });
  };
  expect((await change(id, 'scheduler')).statusCode).toBe(422);
  expect((await change(admin.accountId, 'therapist')).statusCode).toBe(422);
  // The locations in the request are ignored, because a therapist's profile determines their location.
  expect((await change(id, 'therapist')).json()).toMatchObject({ role: 'therapist', locations: ['altamonte'] });
  const added = await admin.call({
    method: 'POST',
    url: '/api/accounts',
    payload: { email: 'x@clinic.example', name: 'X', role: 'therapist', locations: null, password: PASSWORD },
  });
  expect(detail(added)).toMatch(/^role: therapists get their account by invitation/);
});

test.each([
  ['was deleted', () => ({ deleted_at: isoAt(now) })],
  ['had their last day', () => ({ end_date: new Date(now - 2 * DAY).toISOString().slice(0, 10) })],
])('given a therapist who %s, their account loses access at once', async (_, change) => {
  const { therapist, email, made } = await invite();
  await accept(made.secret);
  const headers = { authorization: `Bearer ${await tokenFor(t.app, email, PASSWORD)}` };
  expect((await t.app.inject({ url: '/api/session', headers })).statusCode).toBe(200);
  const unused = await invite();
  const left = [therapist, unused.therapist];
  await t.deps.db.updateTable('therapist').set(change()).where('id', 'in', left).execute();
  expect((await t.app.inject({ url: '/api/session', headers })).statusCode).toBe(401);
  const renewed = await t.app.inject({ method: 'POST', url: '/api/token/renew', headers });
  expect(renewed.statusCode).toBe(401);
  // They get no token, in the same words as for a wrong password.
  await expect(tokenFor(t.app, email, PASSWORD)).rejects.toThrow(/status 401: .*Invalid credentials/);
  expect((await accept(unused.made.secret)).statusCode).toBe(404);
  const payload = { therapist: unused.therapist, email: unused.email };
  expect((await admin.call({ method: 'POST', url: '/api/invitations', payload })).statusCode).toBe(404);
});

test('the list of invitations has only those that can still be used, of therapists who are still here', async () => {
  const [open, used, expired, gone] = [await invite(), await invite(), await invite(), await invite()];
  const listed = async (): Promise<string[]> => {
    const { invitations } = (await admin.call({ url: '/api/invitations' })).json<
      ReplyOf<typeof adminEndpoints.listInvitations>
    >();
    const made = [open, used, expired, gone].map((each) => each.made.id);
    return invitations.map(({ id }) => id).filter((id) => made.includes(id));
  };
  expect(await listed()).toHaveLength(4);
  expect((await accept(used.made.secret)).statusCode).toBe(200);
  const past = isoAt(now - DAY);
  await t.db.updateTable('invitation').set({ expires_at: past }).where('id', '=', expired.made.id).execute();
  await t.db.updateTable('therapist').set({ deleted_at: past }).where('id', '=', gone.therapist).execute();
  expect(await listed()).toEqual([open.made.id]);
});
