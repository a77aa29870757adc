import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { makeSender } from './sending/sender.ts';
import { sendDue } from './sending/outbox.ts';
import { makeServers } from './servers.ts';
import { openMailReceiver, type MailReceiver } from '../testing/mail-receiver.ts';
import { changeReleasedDay, outboxOf } from '../testing/released-day.ts';
import { openSmallClinic, type SmallApp } from '../testing/small-app.ts';
import { CallList } from '../testing/call-list.ts';

let t: SmallApp;
let mail: MailReceiver;
let ahead = 0;
const clock = { now: () => Date.now() + ahead };
let ends: (() => void)[] = [];
beforeEach(async () => {
  for (const end of ends) end();
  ends = [];
  ahead = 0;
  mail = await openMailReceiver();
  t = await openSmallClinic(t?.app, {
    config: { smtpUrl: mail.url, mailFrom: 'clinic@clinic.example', publicUrl: PUBLIC },
  });
  await changeReleasedDay(t);
});
afterEach(() => mail.close());
afterAll(() => {
  for (const end of ends) end();
  return t.app.close();
});

const PUBLIC = 'https://schedule.clinic.example';
const MAIL = { SMTP_URL: 'smtp://clinic:secret@mail.example:587', MAIL_FROM: 'clinic@clinic.example' };

/** Announces a server with these settings at a port; returns it and what it was told. */
async function announce(port: number, env: Record<string, string> = {}) {
  const told: (readonly string[])[] = [];
  const servers = makeServers(t.db, loadConfig({ PORT: String(port), ...env }), clock);
  ends.push(await servers.begin((unequal) => told.push(unequal)));
  return { servers, told };
}

const { post } = new CallList(() => t.who);
const states = () =>
  t.db.selectFrom('message').select(['way', 'sent_at', 'dropped_at', 'failed_at', 'taken_until']).execute();

test('a server without a mail server leaves emails to the one that has one, and drops none of them', async () => {
  const able = makeSender(t.app.deps.config);
  const unable = makeSender(loadConfig({}));
  const without = await announce(4401);
  await announce(4402, MAIL);
  await post('release', {});
  const waiting = await states();
  expect(waiting.length).toBeGreaterThan(1);
  const { place } = without.servers;
  expect(await sendDue({ ...outboxOf(t, unable, clock), place })).toBe(0);
  expect(await states()).toEqual(waiting);
  // Also while the other one restarts, for as long as a message may wait:
  ahead = 23 * 3_600_000;
  expect(await sendDue({ ...outboxOf(t, unable, clock), place })).toBe(0);
  ahead = 0;
  expect(await sendDue(outboxOf(t, able, clock))).toBe(waiting.length);
  for (const row of await states())
    expect(row).toMatchObject({ sent_at: expect.any(String) as string, dropped_at: null });
  expect(mail.received).toHaveLength(waiting.length);
});

test('if no server can send emails, they are dropped, and the call list says so', async () => {
  const { servers } = await announce(4401);
  await announce(4402, MAIL);
  await announce(4402); // the same server, started again without its mail server
  await post('release', {});
  const unable = makeSender(loadConfig({}));
  expect(await sendDue({ ...outboxOf(t, unable, clock), place: servers.place })).toBeGreaterThan(1);
  for (const row of await states()) expect(row.dropped_at).not.toBeNull();
});

test('a message that must now go by text is left to the server that can send texts', async () => {
  const { servers } = await announce(4401, MAIL);
  await announce(4402, { TEXT_WEBHOOK_URL: 'https://gateway.example', TEXT_WEBHOOK_SECRET: 'x'.repeat(32) });
  await post('release', {});
  await t.db.updateTable('contact').set({ preferred: 'text' }).where('email', '=', 'mother@home.example').execute();
  await sendDue({ ...outboxOf(t, makeSender(t.app.deps.config), clock), place: servers.place });
  const left = (await states()).filter(({ way }) => way === 'text');
  expect(left).toEqual([{ way: 'text', sent_at: null, dropped_at: null, failed_at: null, taken_until: null }]);
  expect(mail.received.map(({ to }) => to)).toEqual(['kai@home.example']);
});

test('servers with different settings are told their names, on the log’s side and by /readyz, and never a value', async () => {
  const one = await announce(4401, { ...MAIL, TOKEN_MINUTES: '5' });
  expect(one.told).toEqual([]);
  const two = await announce(4402, { TOKEN_KEY: 'k'.repeat(32) });
  const names = ['MAIL_FROM', 'SMTP_URL', 'TOKEN_KEY', 'TOKEN_MINUTES'];
  expect(two.told).toEqual([names]);
  expect(two.servers.unequal()).toEqual(names);
  const stored = JSON.stringify(await t.db.selectFrom('server').selectAll().execute());
  for (const secret of ['secret', 'mail.example', 'kkkk']) expect(stored).not.toContain(secret);
  // A server that has ended no longer counts.
  ahead = 61_000;
  const three = await announce(4403, MAIL);
  expect(three.told).toEqual([]);
  expect((await t.app.app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ok' });
});

test('/readyz names the settings that differ', async () => {
  ends.push(await t.app.deps.servers.begin(() => {}));
  await announce(4402, { SESSION_HOURS: '8' });
  ends.push(await t.app.deps.servers.begin(() => {}));
  const reply = (await t.app.app.inject({ url: '/readyz' })).json<{ status: string; warning: string }>();
  expect(reply.status).toBe('ok');
  expect(reply.warning).toMatch(/^The servers on this database have different settings: .*\bSESSION_HOURS\b/);
});
