import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { isoAt } from '../../platform/clock.ts';
import { makeSender, type Sender } from '../../platform/sending/sender.ts';
import { openMailReceiver, type MailReceiver } from '../../testing/mail-receiver.ts';
import { changeReleasedDay, outboxOf } from '../../testing/released-day.ts';
import { saveAbsences, undo } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { insertAnswers, personKey } from '../memory/call-day.ts';
import { dayMessages } from './sift.ts';
import { sendDue, type Outbox } from '../../platform/sending/outbox.ts';
import { settleMessage, takeDue } from '../../platform/sending/outbox.queries.ts';

const MINUTE_MS = 60_000;
const KAI = 'kai@home.example';
const MOTHER = 'mother@home.example';

let t: SmallApp;
let mail: MailReceiver;
let sender: Sender;
let ahead: number;
let commit: string;
const clock = { now: () => Date.now() + ahead };
beforeEach(async () => {
  ahead = 0;
  mail = await openMailReceiver();
  const config = { smtpUrl: mail.url, mailFrom: 'clinic@clinic.example' };
  t = await openSmallClinic(t?.app, { config });
  sender = makeSender(t.app.deps.config);
  ({ commit } = await changeReleasedDay(t));
});
afterEach(() => mail.close());
afterAll(() => t.app.close());

const { list, lineOf, post, answered } = new CallList(() => t.who);
async function posted(path: string, payload: object = {}): Promise<void> {
  const reply = await post(path, payload);
  expect(reply.statusCode, reply.body).toBe(200);
}
const release = () => posted('release');
const answer = (name: string, given: string) =>
  answered(name, given, given === 'said-no' ? { no: { scope: 'session' } } : {});
const send = (change: Partial<Outbox> = {}) => sendDue({ ...outboxOf(t, sender, clock), ...change });
/** Releases while the mail server asks to try later, so that each message has had one failed attempt. */
async function releaseInVain(): Promise<void> {
  mail.mood = 'wait';
  await release();
  await send();
  mail.mood = 'accept';
}
/** Waits until the pause after a failed attempt is over, then sends. */
async function sendLater(change: Partial<Outbox> = {}): Promise<void> {
  ahead += MINUTE_MS;
  await send(change);
}
const sentTo = (): string[] => mail.received.map(({ to }) => to).sort();
const rows = () => t.db.selectFrom('message').selectAll().orderBy('person').orderBy('number').execute();
/** Why each message was dropped, or null: first the message to Bo's family, then the message to Kai. */
const reasons = async () => (await rows()).map((row) => row.dropped_why);
const endBoAt = (ends: string) =>
  t.db
    .updateTable('appointment')
    .set({ ends: `${DATE} ${ends}` })
    .where('starts', '=', `${DATE} 08:30:00`)
    .where('client_id', '=', t.clinic.bo)
    .execute();

test('given a person told by telephone before their message was sent, then the message is dropped, and the reason is recorded', async () => {
  await release();
  await answer('Kai Wood', 'told');
  await send();
  expect(sentTo()).toEqual([MOTHER]);
  const { told } = await list();
  expect(told.map(({ name, dropped }) => [name, dropped?.state, dropped?.fault])).toEqual([
    ['Kai Wood', 'dropped', 'They were told by phone.'],
  ]);
});

test('given a message that waits to be sent again after a failure, if the person is told meanwhile, the message is dropped at once', async () => {
  await releaseInVain();
  await answer('Kai Wood', 'told');
  await send();
  expect(await reasons()).toEqual([null, 'told']);
  expect(sentTo()).toEqual([]);
  await sendLater();
  expect(sentTo()).toEqual([MOTHER]);
});

test('given a person who said no, then their message and the family’s are dropped, the line says so, and “Release” creates no new message', async () => {
  await releaseInVain();
  await answer('Kai Wood', 'said-no');
  await sendLater();
  expect([await reasons(), sentTo()]).toEqual([['waits', 'said-no'], []]);
  expect((await lineOf('Kai Wood')).message).toMatchObject({ state: 'dropped', fault: 'They said no.' });
  expect((await lineOf('Bo Lee')).message).toMatchObject({ state: 'dropped', fault: 'A new plan is needed first.' });
  expect((await list()).sending.to_release).toBe(0);
  await release();
  expect(await rows()).toHaveLength(2);
});

test("given an answer on the therapist's own page, or a day sheet that was sent, then the message is dropped, and the reason is recorded", async () => {
  await releaseInVain();
  const { version } = await lineOf('Kai Wood');
  const own = { person: personKey('therapist', t.clinic.kai), version, byPage: true, note: null };
  const session = (other: string, start: number, end: number) =>
    ({ start, end, with: other, service: 'direct' }) as const;
  const { bo, ida } = t.clinic;
  const day = [session(ida, 480, 510), session(bo, 510, 690), session(ida, 690, 720)];
  await insertAnswers(t.db, ON, [{ ...own, answer: 'told', day }], t.who.accountId, at(0));
  expect((await list()).told).toMatchObject([{ name: 'Kai Wood', own_page: true }]);
  mail.mood = 'wait';
  await sendLater();
  expect(await reasons()).toEqual([null, 'page']);
  await posted('day-sheet');
  mail.mood = 'accept';
  await send();
  expect([await reasons(), sentTo()]).toEqual([['sheet', 'page'], []]);
});

test('given a day that changed again, then the message is dropped, and the next “Release” sends the new state', async () => {
  await releaseInVain();
  await endBoAt('11:00:00');
  await sendLater();
  expect([await reasons(), sentTo()]).toEqual([['changed', 'changed'], []]);
  expect((await lineOf('Kai Wood')).message).toMatchObject({ state: 'dropped', fault: 'Their day changed again.' });
  expect((await list()).sending.to_release).toBe(2);
  await release();
  await send();
  expect(sentTo()).toEqual([KAI, MOTHER]);
});

test('given a dropped message whose line is open again, then “Release” sends one more message', async () => {
  await release();
  await answer('Kai Wood', 'told');
  await send();
  const kai = { kind: 'therapist', id: t.clinic.kai, version: '' };
  await posted('answer', { ...kai, answer: 'not-told' });
  expect((await list()).sending.to_release).toBe(1);
  await release();
  await send();
  expect(sentTo()).toEqual([KAI, MOTHER]);
});

test('given a newer message to the same person, then the older message is dropped', async () => {
  await releaseInVain();
  await endBoAt('11:00:00');
  await release();
  await sendLater();
  expect(await reasons()).toEqual(['newer', null, 'newer', null]);
  expect(sentTo()).toEqual([KAI, MOTHER]);
});

test('given a change whose time has passed, then its message is dropped', async () => {
  await releaseInVain();
  const wallOf = () => ({ date: ON.date, minutes: 12 * 60 });
  const { invitation } = outboxOf(t, sender, clock).matters;
  await sendLater({ matters: { day: dayMessages({ wallOf, publicUrl: undefined }), invitation } });
  expect([await reasons(), sentTo()]).toEqual([['over', 'over'], []]);
});

test('waiting messages go to a corrected address, and are dropped if the address was removed', async () => {
  await releaseInVain();
  await t.db.updateTable('contact').set({ email: 'mother@right.example' }).execute();
  await t.db.updateTable('account').set({ email: 'kai@right.example' }).where('email', '=', KAI).execute();
  await sendLater();
  expect(sentTo()).toEqual(['kai@right.example', 'mother@right.example']);
  await endBoAt('11:00:00');
  await releaseInVain();
  await t.db.updateTable('contact').set({ preferred: 'phone' }).execute();
  await sendLater();
  expect(await reasons()).toEqual([null, 'phone', null, null]);
  expect((await lineOf('Bo Lee')).message?.fault).toBe('They prefer to be called.');
  await releaseInVain();
  await t.db.deleteFrom('contact').execute();
  await sendLater();
  expect((await lineOf('Bo Lee')).message?.fault).toBe('They prefer to be called.');
});

test.each([
  ['the address was removed', ['address', null], () => t.db.deleteFrom('contact').execute()],
  [
    'the family no longer wants messages, and says nothing of calls',
    ['address', null],
    () => t.db.updateTable('contact').set({ preferred: '' }).execute(),
  ],
  [
    'the therapist’s account was disabled',
    [null, 'address'],
    async () => {
      await t.db
        .updateTable('account')
        .set({ disabled_at: at(0) })
        .where('email', '=', KAI)
        .execute();
      const kai = { therapist_id: t.clinic.kai, name: 'Kai Wood', relation: '', rank: 1, preferred: '' as const };
      await t.db
        .insertInto('contact')
        .values({ ...kai, phone: '407 555 0101', email: '' })
        .execute();
    },
  ],
  ['the family is away', ['away', 'changed'], () => saveAbsences(t.who, [{ client: 'Bo Lee', date: DATE }])],
  ['the change was undone', ['undone', 'undone'], () => undo(t.who, commit)],
] as const)(
  'given that %s meanwhile, then the messages to the family and the therapist are dropped for the true reasons: %s',
  async (_what, why, act) => {
    await releaseInVain();
    await act();
    await sendLater();
    expect(await reasons()).toEqual(why);
  },
);

test('given a therapist who has left the clinic, or a way of sending that is off, then the message says so', async () => {
  await releaseInVain();
  await t.db
    .updateTable('therapist')
    .set({ deleted_at: at(0) })
    .where('id', '=', t.clinic.kai)
    .execute();
  await sendLater({ sender: { ...sender, ways: { email: false, text: true } } });
  expect(await reasons()).toEqual(['off', 'left']);
});

test('given a message that another server is sending, then it is dropped only after that server has died', async () => {
  await release();
  const [taken] = await takeDue(t.db, 1, at(0), at(10 * MINUTE_MS));
  await answer('Kai Wood', 'told');
  await answer('Bo Lee', 'told');
  await send();
  expect((await rows()).map(({ id, dropped_at }) => id === taken?.id || dropped_at !== null)).toEqual([true, true]);
  expect((await rows()).find(({ id }) => id === taken?.id)?.dropped_at).toBeNull();
  ahead += 10 * MINUTE_MS;
  await sendLater();
  expect([await reasons(), sentTo()]).toEqual([['told', 'told'], []]);
  // No server sends a dropped message, not even one that still runs the previous version and looks only at when a message is due.
  expect((await rows()).map((row) => row.next_try_at)).toEqual(['infinity', 'infinity']);
  expect(await takeDue(t.db, 10, at(0), at(MINUTE_MS))).toEqual([]);
});

test('given a message that one server sent while another dropped it, then the message counts as sent', async () => {
  await release();
  const [taken] = await takeDue(t.db, 1, at(0), at(1));
  if (!taken) throw new Error('nothing is due');
  await answer('Kai Wood', 'told');
  await answer('Bo Lee', 'told');
  await sendLater();
  await settleMessage(t.db, taken, { sentAt: at(2) });
  const row = (await rows()).find(({ id }) => id === taken.id);
  expect([row?.sent_at === null, row?.dropped_at, row?.dropped_why]).toEqual([false, null, null]);
});

/** A time after the release, in ISO 8601. */
const at = (ms: number): string => isoAt(clock.now() + 1000 + ms);
