import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { OwnWeek } from '@clinic/contract';
import { makeSender } from '../../platform/sending/sender.ts';
import { sendDue } from '../../platform/sending/outbox.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { commitEveryone, propose, solveDay, undo } from '../../testing/calls.ts';
import { openMailReceiver, type MailReceiver } from '../../testing/mail-receiver.ts';
import { changeReleasedDay, outboxOf } from '../../testing/released-day.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';

/** The evening before the small clinic's day. Results of calls have the time at which they are stored, as messages do. */
const EVENING = Date.parse('2030-11-21T22:00:00Z');

let t: SmallApp;
let mail: MailReceiver;
let day: Awaited<ReturnType<typeof changeReleasedDay>>;
async function open(asked = false): Promise<void> {
  const config = { smtpUrl: mail.url, mailFrom: 'clinic@clinic.example' };
  t = await openSmallClinic(t?.app, { config, deps: { clock: { now: () => EVENING } } });
  day = await changeReleasedDay(t, asked);
}
beforeEach(async () => {
  mail = await openMailReceiver();
  await open();
});
afterEach(() => mail.close());
afterAll(() => t.app.close());

const calls = new CallList(() => t.who);
const send = () => sendDue(outboxOf(t, makeSender(t.app.deps.config), { now: Date.now }));
const release = async (): Promise<void> => {
  expect((await calls.post('release', {})).statusCode).toBe(200);
};
const undoAll = async (): Promise<void> => {
  expect((await undo(t.who, day.commit)).statusCode).toBe(200);
};
const shown = async () =>
  (await calls.list()).lines.map(({ name, say, again }) => [name, say[0], again?.heard, again?.was]);

const changes = async () => (await day.kai.call({ url: '/api/me' })).json<OwnWeek>().changes;
const seen = async (change: OwnWeek['changes'][number] | undefined): Promise<void> => {
  const payload = { ...ON, version: change?.version, answer: 'seen' };
  expect((await day.kai.call({ method: 'POST', url: '/api/me/answer', payload })).statusCode).toBe(204);
};

test('given messages about a plan that was then undone, then both people have a line until they are told, and the next message says “again”', async () => {
  await release();
  await send();
  await undoAll();
  const outdated = 'Our earlier message no longer holds.';
  expect(await shown()).toEqual([
    ['Bo Lee', outdated, 'sent', 'Kai 8:30 to 11:30'],
    ['Kai Wood', outdated, 'sent', 'Bo Lee 8:30 to 11:30'],
  ]);
  // Ana is away again, so both messages wait for the next plan, until she is back.
  expect((await calls.list()).sending.to_release).toBe(0);
  await anaIsBack();
  await release();
  await send();
  const texts = mail.received.slice(2).map(({ content }) => content.split('\r\n\r\n')[1]);
  expect(texts.sort()).toEqual([
    'Your day on Fri 22 Nov has changed again: 1 gone. Please call the clinic.',
    'Your day on Fri 22 Nov has changed again: 1 new, 1 gone. Please call the clinic.',
  ]);
  await calls.told('Bo Lee', 'Kai Wood');
  expect(await shown()).toEqual([]);
});

test('given a message that was not sent before its plan was undone, then no one is called', async () => {
  await release();
  await undoAll();
  await send();
  expect([mail.received, await shown()]).toEqual([[], []]);
});

test('given a therapist who saw a question on their own page, when the plan is undone, then their page and the list say so', async () => {
  await open(true);
  const [asked] = await changes();
  await seen(asked);
  await undoAll();
  expect(await shown()).toEqual([
    ['Kai Wood', 'Our earlier message no longer holds.', 'seen', 'asked for Bo Lee 8:30 to 11:30'],
  ]);
  // While Ana is away, the next plan may ask Kai again.
  expect(await changes()).toMatchObject([{ say: [], undecided: [{ start: '08:30', clients: ['Bo Lee'] }] }]);
  await anaIsBack();
  const [withdrawn] = await changes();
  expect([withdrawn?.call, withdrawn?.say[1]]).toEqual([
    'inform',
    expect.stringContaining('We do not need you after all for Bo Lee'),
  ]);
  await seen(withdrawn);
  expect([(await shown()).map(([name]) => name), await changes()]).toEqual([[], []]);
});

test('when a server of the version before stores that a newer version was seen, then the day of the earlier one no longer counts', async () => {
  await open(true);
  await seen((await changes())[0]);
  await t.app.deps.db.updateTable('own_day_seen').set({ version: 'newer' }).execute();
  await undoAll();
  expect(await shown()).toEqual([]);
});

/** Withdraws Ana's absence. */
async function anaIsBack(): Promise<void> {
  const payload = { ...ON, type: 'therapist', name: 'Ana Ruiz', take_back: true };
  const back = await t.who.call({ method: 'POST', url: '/api/absences/withdraw', payload });
  expect(back.statusCode, back.body).toBe(200);
}

test('given a therapist who is back after a release, then the next release sends nothing about their session until it is planned', async () => {
  await release();
  await send();
  await anaIsBack();
  const { lines, sending } = await calls.list();
  expect(lines.map(({ name, waits_for }) => [name, waits_for.length])).toEqual([
    ['Ana Ruiz', 1],
    ['Bo Lee', 1],
    ['Kai Wood', 1],
  ]);
  expect(sending.to_release).toBe(0);
  await release();
  expect(await send()).toBe(0);
  await commitEveryone(t.who, await solveDay(t.who));
  expect((await calls.list()).sending.to_release).toBe(2);
  await release();
  expect(await send()).toBe(2);
  for (const { content } of mail.received.slice(2)) expect(content).toContain('has changed again: ');
});

const sentTo = (): string[] => mail.received.map(({ to }) => to).sort();

test('given a message that was not sent before its line waits because a therapist is back, then it is dropped', async () => {
  await undoAll();
  const all = ['Kai Wood', 'Lin Park', 'Max Dean'].map((therapist) => ({ therapist }));
  await commitEveryone(t.who, await propose(t.who, ...all));
  await release();
  const { version } = await calls.lineOf('Bo Lee');
  await anaIsBack();
  expect(await calls.lineOf('Bo Lee')).toMatchObject({ version, waits_for: ['Ana Ruiz is back'] });
  await send();
  expect(sentTo()).toEqual([]);
});

test('given a message that was not sent before the new therapist said no, then it is dropped, and the plan after it sends one', async () => {
  await release();
  const { version } = await calls.lineOf('Bo Lee');
  await calls.answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  expect((await calls.lineOf('Bo Lee')).version).toBe(version);
  await send();
  expect(sentTo()).toEqual([]);
  expect((await calls.list()).sending.to_release).toBe(0);
  await commitEveryone(t.who, await solveDay(t.who));
  // The family hears of the next therapist only once that one has said yes.
  for (const { call, name } of (await calls.list()).lines) if (call === 'ask') await calls.told(name);
  await release();
  await send();
  expect(sentTo()).toContain('mother@home.example');
});
