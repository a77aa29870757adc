import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { isoAt } from '../../platform/clock.ts';
import { sendDue } from '../../platform/sending/outbox.ts';
import { takeDue } from '../../platform/sending/outbox.queries.ts';
import { makeSender, type Sender } from '../../platform/sending/sender.ts';
import { buildAppointment } from '../../testing/builders.ts';
import { CallList } from '../../testing/call-list.ts';
import { openMailReceiver, type MailReceiver } from '../../testing/mail-receiver.ts';
import { changeReleasedDay, outboxOf } from '../../testing/released-day.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

const MINUTE_MS = 60_000;
const MOTHER = 'mother@home.example';

let t: SmallApp;
let mail: MailReceiver;
let sender: Sender;
let ahead: number;
const clock = { now: () => Date.now() + ahead };
const { list, post, told } = new CallList(() => t.who);

/** Bo and Mo are children of one family, and both have a changed session. */
beforeEach(async () => {
  ahead = 0;
  mail = await openMailReceiver();
  t = await openSmallClinic(t?.app, { config: { smtpUrl: mail.url, mailFrom: 'clinic@clinic.example' } });
  sender = makeSender(t.app.deps.config);
  // Max is at work around Mo's session, so that he need not be asked for it.
  for (const [start, end] of [
    ['12:30', '13:00'],
    ['16:00', '16:30'],
  ] as const)
    await buildAppointment(t.db, { therapist: t.clinic.max, client: t.clinic.ida, date: DATE, start, end });
  await changeReleasedDay(t);
  const mother = { name: 'Mother', relation: 'Mother', rank: 1, phone: '', preferred: 'email' } as const;
  await t.db
    .insertInto('contact')
    .values({ client_id: t.clinic.mo, ...mother, email: 'Mother@Home.example' })
    .execute();
  const { moAfternoon } = t.clinic;
  await t.db.updateTable('appointment').set({ therapist_id: t.clinic.max }).where('id', '=', moAfternoon).execute();
});
afterEach(() => mail.close());
afterAll(() => t.app.close());

async function release(): Promise<void> {
  const reply = await post('release', {});
  expect(reply.statusCode, reply.body).toBe(200);
}
const send = () => sendDue(outboxOf(t, sender, clock));
const toMother = (): string[] =>
  mail.received.flatMap(({ to, content }) =>
    to.toLowerCase() === MOTHER ? [/changed: (.*)\. Please/.exec(content)?.[1] ?? content] : [],
  );

test('given two children of one family, then “Release” sends one message that counts the changes for both', async () => {
  await release();
  await send();
  expect(toMother()).toEqual(['2 new, 2 gone']);
  const { lines } = await list();
  for (const name of ['Bo Lee', 'Mo Diaz'])
    expect(lines.find((line) => line.name === name)?.message).toMatchObject({ state: 'sent' });
});

test('given one address whose contacts speak two languages, then one message counts the changes for both children in both languages', async () => {
  await t.db.updateTable('contact').set({ language: 'Spanish' }).where('client_id', '=', t.clinic.mo).execute();
  await release();
  await send();
  const sent = mail.received.filter(({ to }) => to.toLowerCase() === MOTHER);
  expect(sent.length).toBe(1);
  expect(sent[0]?.content).toMatch(/has changed: 2 new, 2 gone\.[^]*cambi.*: 2 citas nuevas, 2 citas menos/);
  const { lines } = await list();
  for (const name of ['Bo Lee', 'Mo Diaz'])
    expect(lines.find((line) => line.name === name)?.message).toMatchObject({ state: 'sent' });
  // A second look at what was sent finds nothing to send again.
  await send();
  expect(mail.received.filter(({ to }) => to.toLowerCase() === MOTHER).length).toBe(1);
});

test('given a message about two children that failed, then it is sent again as one message, with the same id', async () => {
  mail.mood = 'die-after-data';
  await release();
  await send();
  mail.mood = 'accept';
  ahead += MINUTE_MS;
  await send();
  expect(toMother()).toEqual(['2 new, 2 gone', '2 new, 2 gone']);
  expect(new Set(mail.received.filter(({ to }) => to.toLowerCase() === MOTHER).map(({ id }) => id)).size).toBe(1);
});

test('given a family told about one child before the message was sent, then the message counts only the other child’s changes', async () => {
  mail.mood = 'wait';
  await release();
  await send();
  await told('Bo Lee');
  mail.mood = 'accept';
  await send();
  expect(toMother()).toEqual([]);
  ahead += MINUTE_MS;
  await send();
  expect(toMother()).toEqual(['1 new, 1 gone']);
});

test('given several servers that claim messages at the same moment, then one server claims both messages for a family', async () => {
  await release();
  // Between locking and claiming its messages, each server pauses, so that the others choose theirs meanwhile.
  await sql`create function pause() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.1); return new; end $$`.execute(t.db);
  await sql`create trigger pause before update on message for each row execute function pause()`.execute(t.db);
  const at = (ms: number): string => isoAt(clock.now() + 1000 + ms);
  const taken = await Promise.all([1, 2, 3].map(() => takeDue(t.db, 1, at(0), at(MINUTE_MS))));
  const families = taken.map((messages) => messages.filter(({ person }) => person.startsWith('client:')).length);
  await sql`drop trigger pause on message`.execute(t.db);
  expect(families.sort()).toEqual([0, 0, 2]);
});
