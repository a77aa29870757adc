import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReplyOf, adminEndpoints } from '@clinic/contract';
import { sendDue } from '../platform/sending/outbox.ts';
import { makeSender } from '../platform/sending/sender.ts';
import { buildTherapist } from '../testing/builders.ts';
import { openMailReceiver, type MailReceiver } from '../testing/mail-receiver.ts';
import { outboxOf } from '../testing/released-day.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

type Invited = ReplyOf<typeof adminEndpoints.invite>;
type Listed = ReplyOf<typeof adminEndpoints.listInvitations>;

const PUBLIC_URL = 'https://schedule.clinic.example';
const PASSWORD = 'seven green lamps on a shelf';
const DAY_MS = 24 * 3_600_000;

let mail: MailReceiver;
let t: TestApp;
let admin: SignedIn;
let now = Date.now();
const clock = { now: () => now };
beforeAll(async () => {
  mail = await openMailReceiver();
  t = await open({ smtpUrl: mail.url, mailFrom: 'clinic@clinic.example', publicUrl: PUBLIC_URL });
  admin = await t.signIn({ role: 'admin' });
});
const open = (config: object) =>
  buildTestApp({
    deps: { accessClock: clock },
    config: { idleMinutes: 2880, sessionHours: 168, tokenMinutes: 2880, ...config },
  });
let before = 0;
beforeEach(() => void (before = mail.received.length));
afterEach(async () => {
  mail.mood = 'accept';
  now = Date.now();
  await t.deps.db.updateTable('message').set({ next_try_at: 'infinity' }).execute(); // messages of earlier tests are not sent again
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

let number = 0;
/** Adds a therapist with an email address among their contacts. */
async function addTherapist(db = t.deps.db) {
  const id = await buildTherapist(db, { first: 'Tess', last: `Moor${++number}` });
  const email = `tess${number}@home.example`;
  const self = { therapist_id: id, name: `Tess Moor${number}`, relation: '', rank: 1, phone: '407 555 0100' };
  await db
    .insertInto('contact')
    .values({ ...self, email })
    .execute();
  return { id, email };
}
const ask = (payload: object, who = admin) => who.call({ method: 'POST', url: '/api/invitations', payload });
/** Invites a new therapist by email. */
async function invite() {
  const therapist = await addTherapist();
  const reply = await ask({
    therapist: therapist.id,
    email: `login${number}@clinic.example`,
    send_to: therapist.email,
  });
  expect(reply.statusCode, reply.body).toBe(201);
  return { therapist, invited: reply.json<Invited>() };
}
const send = () => sendDue(outboxOf({ app: t }, makeSender(t.deps.config), clock));
const newMails = () => mail.received.slice(before);
/** The text of an email, decoded as its reader sees it. */
const textOf = ({ content }: { content: string }): string => {
  const [head = '', ...body] = content.split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString();
  return text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
};
const secretIn = (text: string): string => /welcome#([\w-]{43})\b/.exec(text)?.[1] ?? '';
const accept = (secret: string) =>
  t.app.inject({ method: 'POST', url: '/api/welcome', payload: { secret, password: PASSWORD } });
async function listed(id: string) {
  const { invitations } = (await admin.call({ url: '/api/invitations' })).json<Listed>();
  return invitations.find((each) => each.id === id);
}
const messageOf = (invitation: string) =>
  t.deps.db.selectFrom('message').selectAll().where('invitation_id', '=', invitation).executeTakeFirstOrThrow();

test('given a therapist’s email address, then the link goes only there, creates an account, and is listed as sent', async () => {
  const { therapist, invited } = await invite();
  expect([invited.secret, invited.message?.state]).toEqual([null, 'waiting']);
  await send();
  const [received, ...others] = newMails();
  expect([received?.to, others]).toEqual([therapist.email, []]);
  const text = textOf(received ?? { content: '' });
  expect(text.trim()).toMatch(
    /^Your own page of the clinic schedule: open https:\/\/schedule\.clinic\.example\/welcome#[\w-]{43} and choose how you log in\. The link works once, until \w+, \w+ \d+\. It is only for you; please do not forward it\.$/,
  );
  expect(received?.content).toContain('Subject: Your own page of the clinic schedule\r\n');
  expect(await listed(invited.id)).toMatchObject({ message: { way: 'email', state: 'sent', fault: null } });
  expect((await accept(secretIn(text))).json()).toEqual({ email: invited.email });
  expect((await accept(secretIn(text))).statusCode).toBe(404);
});

test('no table, audit trail or log contains the link’s secret, while the email waits or after it is sent', async () => {
  mail.mood = 'die-after-data';
  const { invited } = await invite();
  await send();
  const secret = secretIn(textOf(newMails()[0] ?? { content: '' }));
  expect(secret).not.toBe('');
  const look = async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(
      t.deps.db,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['message', 'invitation', 'audit']));
    for (const { name } of tables) {
      const found = await sql`select 1 from ${sql.table(name)} as row where strpos(row::text, ${secret}) > 0`.execute(
        t.deps.db,
      );
      expect([name, found.rows.length]).toEqual([name, 0]);
    }
    expect(t.logLines.join('\n')).not.toContain(secret);
  };
  await look();
  mail.mood = 'accept';
  now += 60_000;
  await send();
  expect((await messageOf(invited.id)).sent_at).not.toBeNull();
  await look();
});

test('given an email that arrived but was not acknowledged, then its link works, and so does the next email’s link', async () => {
  const secrets: string[] = [];
  for (const use of [0, 1]) {
    mail.mood = 'die-after-data';
    const { invited } = await invite();
    await send();
    mail.mood = 'accept';
    now += 60_000;
    await send();
    const mails = newMails().slice(-2);
    expect(mails.map(({ id }) => id)).toEqual([mails[0]?.id, mails[0]?.id]);
    secrets.push(...mails.map((each) => secretIn(textOf(each))));
    const used = await accept(secrets.at(use - 2) ?? '');
    expect(used.json()).toEqual({ email: invited.email });
    expect((await accept(secrets.at(-1 - use) ?? '')).statusCode).toBe(404);
  }
  expect(new Set(secrets).size).toBe(4);
});

test('given a mail server that refuses the email, then the list shows why; after a day, it shows that the email was not delivered', async () => {
  mail.mood = 'refuse';
  const { invited } = await invite();
  await send();
  const fault = 'The mail server refuses this address (550). Check it in the profile, or call.';
  expect((await listed(invited.id))?.message).toMatchObject({ state: 'waiting', fault });
  now += DAY_MS;
  await send();
  expect((await listed(invited.id))?.message).toMatchObject({ state: 'failed', fault });
});

test('given an invitation withdrawn or replaced while its email waits, then the email is dropped at once', async () => {
  mail.mood = 'wait';
  const withdrawn = await invite();
  const replaced = await invite();
  await send();
  mail.mood = 'accept';
  await admin.call({ method: 'DELETE', url: `/api/invitations/${withdrawn.invited.id}` });
  const { id, email } = replaced.therapist;
  const again = await ask({ therapist: id, email: 'again@clinic.example', send_to: email });
  await send();
  expect(newMails().map(({ to }) => to)).toEqual([email]);
  for (const { invited } of [withdrawn, replaced])
    expect(await messageOf(invited.id)).toMatchObject({ dropped_why: 'ended', sent_at: null });
  expect(await listed(replaced.invited.id)).toBeUndefined();
  expect((await listed(again.json<Invited>().id))?.message?.state).toBe('sent');
});

test('given an email that was dropped, or that is due already, when its invitation is withdrawn, then nothing about the email changes', async () => {
  const dropped = await invite();
  const ofTherapist = t.deps.db.deleteFrom('contact').where('therapist_id', '=', dropped.therapist.id);
  await ofTherapist.execute();
  await send();
  const due = await invite();
  now += 60_000;
  for (const { invited } of [dropped, due]) {
    const message = await messageOf(invited.id);
    const reply = await admin.call({ method: 'DELETE', url: `/api/invitations/${invited.id}` });
    expect(reply.statusCode, reply.body).toBe(204);
    expect(await messageOf(invited.id)).toEqual(message);
  }
  expect((await messageOf(dropped.invited.id)).dropped_why).toBe('address');
});

test('given an address that is no longer in the profile, then no email goes there, and the list shows the reason', async () => {
  const { therapist, invited } = await invite();
  await t.deps.db
    .updateTable('contact')
    .set({ email: 'new@home.example' })
    .where('therapist_id', '=', therapist.id)
    .execute();
  await send();
  expect(newMails()).toEqual([]);
  const fault = 'There is no longer an address for this message.';
  expect((await listed(invited.id))?.message).toMatchObject({ state: 'dropped', fault });
});

test('a link goes only to an email address among the therapist’s own contacts', async () => {
  const { id } = await addTherapist();
  const other = await addTherapist();
  const reply = await ask({ therapist: id, email: 'own@clinic.example', send_to: other.email });
  expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([
    422,
    `send_to: Tess Moor${number - 1}’s profile does not list ${other.email}. Nothing was saved. Correct the profile, or give them the link yourself.`,
  ]);
});

test('the audit trail records that the link went by email, without the address', async () => {
  const { therapist } = await invite();
  const rows = await t.deps.db.selectFrom('audit').selectAll().where('action', '=', 'invitation.made').execute();
  const row = rows.find(({ subject_ids }) => subject_ids.includes(therapist.id));
  expect(row).toMatchObject({ account_id: admin.accountId, detail: { link: 'by email' } });
});

test('no call list shows an invitation', async () => {
  const { invited } = await invite();
  const { location, date } = await messageOf(invited.id);
  const reply = await admin.call({ url: '/api/calls', query: { location, date } });
  expect(reply.statusCode).toBe(200);
  expect(reply.body).not.toContain(invited.id);
});

test.each([
  [{}, 'no-mail-server'],
  [{ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'clinic@clinic.example' }, 'no-public-url'],
])('given settings %j, then email is off, the list shows why, and no link is sent', async (config, why) => {
  const off = await open(config);
  const who = await off.signIn({ role: 'admin' });
  expect((await who.call({ url: '/api/invitations' })).json()).toEqual({ email_off: why, invitations: [] });
  const { id, email } = await addTherapist(off.deps.db);
  const reply = await ask({ therapist: id, email: 'own@clinic.example', send_to: email }, who);
  expect([reply.statusCode, (await who.call({ url: '/api/invitations' })).json()]).toEqual([
    422,
    { email_off: why, invitations: [] },
  ]);
  await off.close();
});

test('given a colleague invited by email, then the link goes only to the email of the account, and gives the role and the locations', async () => {
  const email = `robin${++number}@clinic.example`;
  const payload = { name: 'Robin Vance', email, role: 'scheduler', locations: ['tampa'], by_email: true };
  const reply = await admin.call({ method: 'POST', url: '/api/colleague-invitations', payload });
  expect(reply.statusCode, reply.body).toBe(201);
  const invited = reply.json<Invited>();
  expect([invited.secret, invited.message?.state]).toEqual([null, 'waiting']);
  await send();
  const [received, ...others] = newMails();
  expect([received?.to, others]).toEqual([email, []]);
  const text = textOf(received ?? { content: '' });
  expect(text).toMatch(/^Your account for the clinic schedule: open /);
  expect(text).not.toMatch(/Robin|tampa/i);
  expect(await listed(invited.id)).toMatchObject({ message: { way: 'email', state: 'sent', fault: null } });
  expect((await accept(secretIn(text))).json()).toEqual({ email });
  const account = await t.deps.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst();
  expect(account).toMatchObject({ role: 'scheduler', locations: ['tampa'], therapist_id: null });
  expect((await accept(secretIn(text))).statusCode).toBe(404);
});
