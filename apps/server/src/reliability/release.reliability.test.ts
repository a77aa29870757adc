import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '@clinic/domain';
import { sendDue } from '../features/cover/calls/outbox.ts';
import { makeSender } from '../platform/sending/sender.ts';
import { buildAppointment } from '../testing/builders.ts';
import { openMailReceiver, type MailReceiver } from '../testing/mail-receiver.ts';
import { openSmallClinic, type SmallApp } from '../testing/small-app.ts';
import { DATE } from '../testing/small-clinic.ts';
import { doseOf, keepFigures, LASTING, seedOfRun } from './doses.ts';

const ON = { location: 'altamonte', date: DATE } as const;

let t: SmallApp;
let mail: MailReceiver;
beforeAll(async () => {
  mail = await openMailReceiver();
  const config = { ...LASTING, smtpUrl: mail.url, mailFrom: 'clinic@clinic.example', logLevel: 'error' as const };
  t = await openSmallClinic(undefined, { config });
  for (const therapistId of [t.clinic.kai, t.clinic.ana])
    await t.app.signIn({ role: 'therapist', therapistId, locations: ['altamonte'] });
  await t.who.call({ method: 'POST', url: '/api/calls/day-sheet', payload: ON });
});
afterAll(async () => {
  await t.app.close();
  await mail.close();
});

test('two coordinators who release at the same moment, and senders that die: each message once, none lost', async () => {
  const began = performance.now();
  const random = randomFrom(seedOfRun());
  const rounds = doseOf('release');
  const { db } = t;
  const sender = makeSender(t.app.deps.config);
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const other = await t.app.signIn();
  const key = await buildAppointment(db, {
    therapist: t.clinic.kai,
    client: null,
    date: DATE,
    start: '12:00',
    end: '12:30',
  });
  let deaths = 0;
  for (let n = 0; n < rounds; n++) {
    ahead = 0; // the release is by the machine's clock
    // Every round changes what Kai must be told.
    await db
      .updateTable('appointment')
      .set({ ends: `${DATE} ${n % 2 === 0 ? '12:45' : '12:30'}:00` })
      .where('id', '=', key)
      .execute();
    const release = (who: typeof other) => who.call({ method: 'POST', url: '/api/calls/release', payload: ON });
    const replies = await Promise.all([release(t.who), release(other)]);
    expect(replies.map((each) => each.statusCode)).toEqual([200, 200]);
    // A server that took the messages and died: nothing is recorded, and their time has to run out.
    const dies = random.chance(0.3);
    if (dies) {
      deaths++;
      await db
        .updateTable('message')
        .set({ taken_until: new Date(clock.now() + 120_000).toISOString() })
        .where('sent_at', 'is', null)
        .execute();
      expect(await sendDue(db, sender, clock)).toBe(0);
    }
    // Or a mail server that took the message and died before it said so.
    if (random.chance(0.3)) {
      mail.mood = 'die-after-data';
      ahead += 130_000;
      await sendDue(db, sender, clock);
      mail.mood = 'accept';
    }
    ahead += 4_000_000;
    await Promise.all([sendDue(db, sender, clock), sendDue(db, sender, clock)]);
  }
  const rows = await db.selectFrom('message').select(['id', 'sent_at', 'person', 'number']).execute();
  const received = new Set(mail.received.map(({ id }) => id));
  const lost = rows.filter(({ id, sent_at }) => sent_at === null || !received.has(id)).length;
  const unknown = [...received].filter((id) => !rows.some((row) => row.id === id)).length;
  expect({ messages: rows.length, lost, unknown }).toEqual({ messages: rounds, lost: 0, unknown: 0 });
  keepFigures('release', rounds, began, { messages: rows.length, deaths, lost, repeated: rows.length - rounds });
});
