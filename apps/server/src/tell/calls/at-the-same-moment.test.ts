import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { LightMyRequestResponse } from 'fastify';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openMailReceiver, type MailReceiver } from '../../testing/mail-receiver.ts';
import { changeReleasedDay } from '../../testing/released-day.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { waitsOrReplied } from '../../testing/waits.ts';
import { insertAnswers, lockOf, personKey } from '../memory/call-day.ts';
import { loadCallList } from '../lines/load-calls.ts';

let t: SmallApp;
let mail: MailReceiver;
beforeEach(async () => {
  mail = await openMailReceiver();
  t = await openSmallClinic(t?.app, { config: { smtpUrl: mail.url, mailFrom: 'clinic@clinic.example' } });
  await changeReleasedDay(t);
});
afterEach(() => mail.close());
afterAll(() => t.app.close());

const { list, post } = new CallList(() => t.who);

/** Sends a request while someone records that Bo’s family was told of their day. `change` may first change that day. */
async function whileTold(send: () => Promise<LightMyRequestResponse>, change = async (_trx: Db) => {}): Promise<void> {
  const family = personKey('client', t.clinic.bo);
  const at = new Date().toISOString();
  const sent = await t.db.transaction().execute(async (trx) => {
    await lockAll(trx, [lockOf(ON, family)]);
    const reply = send();
    await waitsOrReplied(t.app.deps.pool, [reply]);
    await change(trx);
    const { lines } = await loadCallList(trx, ON.location, ON.date, wallNow(t.app.deps.clock, ON.location));
    const line = lines.find(({ person }) => person === family);
    if (!line) throw new Error('the family has no line');
    const told = {
      person: family,
      answer: 'told' as const,
      note: null,
      version: line.version,
      day: line.now,
      byPage: false,
    };
    await insertAnswers(trx, ON, [told], t.who.accountId, at);
    return { reply };
  });
  const reply = await sent.reply;
  expect(reply.statusCode, reply.body).toBe(200);
}

test('given a family told by telephone at the moment of a release, then the release makes no message for them', async () => {
  await whileTold(() => post('release', {}));
  const messages = await t.db.selectFrom('message').select('person').execute();
  expect(messages).toEqual([{ person: personKey('therapist', t.clinic.kai) }]);
});

test('given a family told of a later change at the moment the day sheet is sent, then they need no further call', async () => {
  await whileTold(
    () => post('day-sheet', {}),
    async (trx) => {
      await trx
        .updateTable('appointment')
        .set({ ends: `${ON.date} 11:00` })
        .where('id', '=', t.clinic.boMorning)
        .execute();
    },
  );
  const { lines } = await list();
  expect(lines).toEqual([]);
});

test('given a family told of their day while the session form records them as told of a cancellation, then they need no further call', async () => {
  const url = `/api/appointments/${t.clinic.boMorning}/cancel`;
  await whileTold(() => t.who.call({ method: 'POST', url, payload: { family_told: true } }));
  const { lines } = await list();
  expect(lines.filter((line) => line.kind === 'client')).toEqual([]);
});
