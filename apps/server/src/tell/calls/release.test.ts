import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { isoAt } from '../../platform/clock.ts';
import { makeSender, type Sender } from '../../platform/sending/sender.ts';
import { changeReleasedDay, outboxOf } from '../../testing/released-day.ts';
import { openMailReceiver, type MailReceiver } from '../../testing/mail-receiver.ts';
import { CallList } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { pauseAfter, sendDue } from '../../platform/sending/outbox.ts';
import { settleMessage, takeDue } from '../../platform/sending/outbox.queries.ts';

const PUBLIC_URL = 'https://schedule.clinic.example';
const PLANTED = { likes: 'autism', helps: 'Direct Therapy', avoid: 'diagnosis F84' };
const REFUSED = 'The mail server refuses this address (550). Check it in the profile, or call.';
const DAY_MS = 24 * 3_600_000;

let t: SmallApp;
let mail: MailReceiver;
let sender: Sender;
let ahead = 0;
const clock = { now: () => Date.now() + ahead };
beforeEach(async () => {
  mail = await openMailReceiver();
  await open({ smtpUrl: mail.url, mailFrom: 'clinic@clinic.example', publicUrl: PUBLIC_URL });
});
afterEach(() => mail.close());
afterAll(() => t.app.close());

async function open(config: object): Promise<void> {
  ahead = 0;
  t = await openSmallClinic(t?.app, { config });
  sender = makeSender(t.app.deps.config);
  await t.db.updateTable('client').set(PLANTED).execute();
  await changeReleasedDay(t);
}

const outbox = () => outboxOf(t, sender, clock);
const { list, post } = new CallList(() => t.who);
const release = () => post('release', {});
const at = (ms: number): string => isoAt(Date.now() + 1000 + ms);
const rows = () => t.db.selectFrom('message').selectAll().orderBy('person').execute();

test('“Release” sends one message to each person on the call list who prefers email or has their own page', async () => {
  expect((await list()).sending).toEqual({ email: true, text: false, to_release: 2 });
  expect(mail.received).toEqual([]);
  expect((await release()).statusCode).toBe(200);
  await sendDue(outbox());
  expect(mail.received.map(({ to }) => to).sort()).toEqual(['kai@home.example', 'mother@home.example']);
  const texts = mail.received.map(({ content }) => content.split('\r\n\r\n')[1]);
  expect(texts.sort()).toEqual([
    `Your day on Fri 22 Nov has changed: 1 new, 1 gone. Please call the clinic.`,
    `Your day on Fri 22 Nov has changed: 1 new. Open ${PUBLIC_URL}/me`,
  ]);
  await release();
  expect(await sendDue(outbox())).toBe(0);
  expect(mail.received).toHaveLength(2);
  const { lines, sending } = await list();
  expect(sending.to_release).toBe(0);
  for (const line of lines) expect(line.message).toMatchObject({ way: 'email', state: 'sent', fault: null });
});

test('a message is in the language of whom it goes to', async () => {
  await t.db.updateTable('contact').set({ language: 'Español' }).execute();
  await release();
  expect((await rows()).map(({ words }) => words)).toEqual([
    'Su horario del viernes 22 de noviembre cambió: 1 cita nueva, 1 cita menos. Por favor, llame a la clínica.',
    `Your day on Fri 22 Nov has changed: 1 new. Open ${PUBLIC_URL}/me`,
  ]);
});

test('no message names a child, a service, a diagnosis or anyone else', async () => {
  await release();
  await sendDue(outbox());
  const all = mail.received.map(({ content }) => content).join();
  for (const word of [
    'Bo',
    'Lee',
    'Ana',
    'Ruiz',
    'Kai',
    'Wood',
    'Mother',
    'Therapy',
    'direct',
    'autism',
    'F84',
    'Altamonte',
  ])
    expect(all).not.toContain(word);
  expect(t.app.logLines.join()).not.toMatch(/home\.example/);
});

test('a line that changes after its message was sent is released again, even if it changes back', async () => {
  await release();
  const shorten = async (ends: string): Promise<void> => {
    const at = { starts: `${DATE} 08:30:00`, client_id: t.clinic.bo };
    await t.db
      .updateTable('appointment')
      .set({ ends: `${DATE} ${ends}` })
      .where('starts', '=', at.starts)
      .where('client_id', '=', at.client_id)
      .where('therapist_id', '=', t.clinic.kai)
      .execute();
  };
  for (const ends of ['11:00:00', '11:30:00']) {
    await shorten(ends);
    await release();
  }
  const kais = (await rows()).filter(({ person }) => person === `therapist:${t.clinic.kai}`);
  expect(kais.map(({ number }) => number).sort()).toEqual([1, 2, 3]);
});

test('a message that the mail server refuses is shown in the line, tried again at longer and longer intervals, and given up after a day', async () => {
  mail.mood = 'refuse';
  await release();
  await sendDue(outbox());
  expect((await list()).lines.flatMap(({ message }) => message ?? [])).toMatchObject([
    { state: 'waiting', fault: REFUSED },
    { state: 'waiting', fault: REFUSED },
  ]);
  expect(await sendDue(outbox())).toBe(0); // the pause before the next attempt is not over yet
  expect([1, 2, 3].map(pauseAfter)).toEqual([15_000, 30_000, 60_000]);
  expect(pauseAfter(30)).toBe(3_600_000);
  ahead += 15_000;
  expect(await sendDue(outbox())).toBe(2);
  ahead += 15_000;
  expect(await sendDue(outbox()), 'the second pause is longer').toBe(0);
  ahead += 15_000;
  expect(await sendDue(outbox())).toBe(2);
  ahead += DAY_MS;
  await sendDue(outbox());
  for (const { message } of (await list()).lines.filter((line) => line.message)) expect(message?.state).toBe('failed');
  mail.mood = 'accept';
  ahead += DAY_MS;
  expect(await sendDue(outbox())).toBe(0);
});

test('given a mail server that dies before it acknowledges a message, then the message is sent again with the same Message-ID', async () => {
  mail.mood = 'die-after-data';
  await release();
  await sendDue(outbox());
  mail.mood = 'accept';
  ahead += 60_000;
  await sendDue(outbox());
  const ids = mail.received.map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([4, 2]);
  for (const { sent_at } of await rows()) expect(sent_at).not.toBeNull();
});

test('given a database that is down when the mail server acknowledges, then no message is sent twice', async () => {
  await release();
  let refusals = 3;
  // The database hands out the messages but refuses to record their results.
  await sql`create function refuse_record() returns trigger language plpgsql as $$
    begin raise exception 'the database is away'; end $$`.execute(t.db);
  await sql`create trigger refuse_record before update on message for each row
    when (new.sent_at is not null) execute function refuse_record()`.execute(t.db);
  const sending = sendDue({
    ...outbox(),
    clock: {
      now: () => {
        if (mail.received.length === 2) refusals--;
        return clock.now();
      },
    },
  });
  while (refusals > 0) await setImmediate();
  await sql`drop trigger refuse_record on message`.execute(t.db);
  await sending;
  expect(mail.received).toHaveLength(2);
  for (const row of await rows()) expect(row).toMatchObject({ tries: 1, sent_at: expect.anything() as unknown });
});

test('given a server that fails to send a message after another server has taken it over, then the failure is ignored', async () => {
  mail.mood = 'refuse';
  await release();
  const [message] = await takeDue(t.db, 1, at(0), at(1));
  const [later] = await takeDue(t.db, 1, at(2), at(DAY_MS));
  if (!message || !later) throw new Error('nothing is due');
  expect(later.id).toBe(message.id);
  await settleMessage(t.db, message, { fault: 'too late', failedAt: at(3) });
  const row = (await rows()).find(({ id }) => id === message.id);
  expect(row).toMatchObject({ failed_at: null, fault: null, tries: 2 });
  // An acknowledgement counts no matter which attempt it belongs to.
  await settleMessage(t.db, message, { sentAt: at(3) });
  expect((await rows()).find(({ id }) => id === message.id)?.sent_at).not.toBeNull();
});

test('given no settings for sending, then sending is shown as off, and “Release” is refused', async () => {
  await open({});
  expect((await list()).sending).toEqual({ email: false, text: false, to_release: 0 });
  const reply = await release();
  expect([reply.statusCode, await rows()]).toEqual([422, []]);
});

test('a text message is signed together with its time, and sent again with the same id until the gateway accepts it', async () => {
  const asked: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 503;
  const gateway = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({ headers: request.headers, body });
      reply.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  const secret = 's'.repeat(32);
  await open({ textWebhookUrl: `http://127.0.0.1:${port}/texts`, textWebhookSecret: secret });
  await t.db.updateTable('contact').set({ preferred: 'text' }).execute();
  await release();
  await sendDue(outbox());
  expect((await list()).lines.flatMap((line) => line.message ?? [])).toMatchObject([
    { way: 'text', state: 'waiting', fault: 'The text gateway replied with error 503.' },
  ]);
  status = 202;
  ahead += 15_000;
  await sendDue(outbox());
  gateway.close();
  expect((await list()).lines.flatMap((line) => line.message ?? [])).toMatchObject([{ state: 'sent', fault: null }]);
  expect(asked.map(({ body }) => body)).toEqual([asked[0]?.body, asked[0]?.body]);
  const [call] = asked;
  const [message] = await rows();
  expect(JSON.parse(call?.body ?? '')).toEqual({ id: message?.id, to: '+14075550100', text: message?.words });
  const signed = `${String(call?.headers['x-timestamp'])}.${call?.body}`;
  const signature = createHmac('sha256', secret).update(signed).digest('hex');
  expect(call?.headers['x-signature']).toBe(`sha256=${signature}`);
  expect(Math.abs(Number(call?.headers['x-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
});
