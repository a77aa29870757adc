import { afterAll, beforeEach, expect, test } from 'vitest';
import type { CallCount, CallLine } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { buildAppointment } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { commitEveryone, propose, undo } from '../../testing/calls.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { openNearDays } from '../calls/open-near-days.ts';

/** Converts a time on the small clinic's day, by the clinic's clock, to milliseconds since 1970. */
const clinicTime = (time: string, date = DATE): number => Date.parse(`${date}T${time}:00-05:00`);

let t: SmallApp;
let now: number;
const MAIL = { smtpUrl: 'smtps://mail.example', mailFrom: 'clinic@clinic.example' };
beforeEach(async () => {
  now = clinicTime('07:00');
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => now } }, config: MAIL });
  await openNearDays(t.db, () => ({ date: isoDate(DATE), minutes: 7 * 60 }));
});
afterAll(() => t.app.close());

const { list, lineOf, answer, answered, post } = new CallList(() => t.who);
/** Gives Mo's session, from 1:00 to 4:00, to this therapist or to no one, directly in the database. */
const give = (therapist: string | null) =>
  t.db.updateTable('appointment').set({ therapist_id: therapist }).where('id', '=', t.clinic.moAfternoon).execute();
const family = async (): Promise<CallLine | undefined> => (await list()).lines.find(({ name }) => name === 'Mo Diaz');
const said = async () => (await family())?.say;

const NOBODY = 'We have nobody for Mo from 1:00 to 4:00; shall we cancel it';
const PROMISED = ['We promised to ring again by 12:00.', `${NOBODY}?`];

/** The family has lost their therapist, and agrees to wait for a call by 12:00. */
async function promised(more: object = {}): Promise<void> {
  await give(null);
  expect(await said()).toEqual([`${NOBODY}, or may we ring again by 12:00?`]);
  await answered('Mo Diaz', 'told', { ring_by: '12:00', ...more });
  expect(await family()).toBeUndefined();
}

test('given a promise to ring again, the family is back on the list a quarter of an hour before, urgent and with the question', async () => {
  await give(null);
  const before = await lineOf('Mo Diaz');
  const { told, next_ring } = await answered('Mo Diaz', 'told', { ring_by: '12:00', note: 'both know' });
  expect(told).toMatchObject([{ name: 'Mo Diaz', note: 'both know', ring_by: '12:00' }]);
  const count = async () => (await t.who.call({ url: '/api/calls/count', query: ON })).json<CallCount>();
  now = clinicTime('11:44');
  expect([next_ring, (await list()).next_ring, await family()]).toEqual(['11:45', '11:45', undefined]);
  // The other line is that of the therapist who has lost the session.
  expect(await count()).toMatchObject({ to_tell: 1, next_ring: '11:45' });
  now = clinicTime('11:45');
  const line = await lineOf('Mo Diaz');
  expect(line).toMatchObject({ say: PROMISED, urgent: true, first: '13:00', ring_by: null, again: null });
  expect(line.version).not.toBe(before.version);
  expect(line.sessions).toMatchObject([{ key: t.clinic.moAfternoon, has_therapist: false }]);
  expect(await list()).toMatchObject({ next_ring: null, told: [], lines: [{ name: 'Mo Diaz' }, { name: 'Lin Park' }] });
  expect(await count()).toMatchObject({ to_tell: 2, urgent: 1, next_ring: null });
  // After the call, the family is not on the list again.
  await answered('Mo Diaz', 'told', { note: 'both know' });
  now = clinicTime('12:30');
  expect(await family()).toBeUndefined();
});

test('given a promise and a therapist found since, the family is told once, by an ordinary line', async () => {
  await promised();
  await give(t.clinic.kai);
  now = clinicTime('11:50');
  expect(await said()).toEqual(['Mo is with Kai from 1:00 to 4:00.']);
  expect((await list()).next_ring).toBeNull();
  await answered('Mo Diaz', 'told');
  // Told since, they are promised nothing when that therapist is lost again.
  await give(null);
  expect(await said()).toEqual([`${NOBODY}?`]);
});

test('given a promise and a cancelled session, the family is not rung again about it', async () => {
  await promised();
  const url = `/api/appointments/${t.clinic.moAfternoon}/cancel`;
  const payload = { family_told: true };
  expect((await t.who.call({ method: 'POST', url, payload })).statusCode).toBe(200);
  now = clinicTime('11:50');
  expect(await family()).toBeUndefined();
  expect((await list()).next_ring).toBeNull();
});

test('given a promise and a session that was cancelled without telling the family, only the cancellation is told', async () => {
  await promised();
  await t.db.updateTable('appointment').set({ status: 'cancelled' }).where('id', '=', t.clinic.moAfternoon).execute();
  now = clinicTime('11:50');
  expect(await said()).toEqual(['Mo’s session from 1:00 to 4:00 is cancelled.']);
});

test('given a promise, then another session that is cancelled with the family, the promise stays', async () => {
  const { max, mo } = t.clinic;
  const early = { therapist: max, client: mo, date: DATE, start: '10:00', end: '11:00' };
  const morning = await buildAppointment(t.db, early);
  await post('day-sheet', {});
  await promised();
  const url = `/api/appointments/${morning}/cancel`;
  expect((await t.who.call({ method: 'POST', url, payload: { family_told: true } })).statusCode).toBe(200);
  expect(await family()).toBeUndefined();
  now = clinicTime('11:45');
  expect(await said()).toEqual(PROMISED);
});

test('given a promise, and a message about a therapist who was lost again, the line says that the message no longer holds', async () => {
  await promised();
  await give(t.clinic.kai);
  await answered('Mo Diaz', 'left-message');
  await give(null);
  now = clinicTime('11:50');
  expect(await said()).toEqual(['Our earlier message no longer holds.', `${NOBODY}?`]);
});

test('given a later call about the same day, only what that call promised counts', async () => {
  await promised();
  const { lin, mo } = t.clinic;
  await buildAppointment(t.db, { therapist: lin, client: mo, date: DATE, start: '12:00', end: '13:00' });
  expect(await said()).toEqual([
    'Mo has a new session from 12:00 to 1:00 with Lin.',
    `${NOBODY}, or may we ring again by 12:00?`,
  ]);
  await answered('Mo Diaz', 'told');
  now = clinicTime('11:50');
  expect(await family()).toBeUndefined();
});

test('“Not told” takes the promise back too', async () => {
  await promised();
  const { kind, id } = (await list()).told[0] ?? {};
  const back = await post('answer', { kind, id, version: '', answer: 'not-told' });
  expect(back.statusCode, back.body).toBe(200);
  expect((await list()).next_ring).toBeNull();
  now = clinicTime('11:50');
  expect(await said()).toEqual([`${NOBODY}?`]);
});

test('given a promise about a plan that is undone, the family is told whom they have, or is rung while that therapist is away', async () => {
  const all = ['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'].map((therapist) => ({ therapist }));
  const { commit } = await commitEveryone(t.who, await propose(t.who, ...all));
  expect(await said()).toEqual([`${NOBODY}, or may we ring again by 12:00?`]);
  await answered('Mo Diaz', 'told', { ring_by: '12:00' });
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  now = clinicTime('11:50');
  expect(await family()).toMatchObject({ say: PROMISED, waits_for: ['Lin Park is away'] });
  const payload = { ...ON, type: 'therapist', name: 'Lin Park', take_back: true };
  const back = await t.who.call({ method: 'POST', url: '/api/absences/withdraw', payload });
  expect(back.statusCode, back.body).toBe(200);
  expect(await said()).toEqual(['Mo is with Lin from 1:00 to 4:00.']);
});

test('given a result of a server of the version before, which stores no promise, nothing comes back', async () => {
  await give(null);
  const { version } = await lineOf('Mo Diaz');
  const day = JSON.stringify([{ start: 780, end: 960, with: null, service: 'direct' }]);
  const row = { ...ON, client_id: t.clinic.mo, answer: 'told' as const, version, day, at: new Date(now).toISOString() };
  await t.db
    .insertInto('call_answer')
    .values({ ...row, note: 'we ring again by 12:00 PM' })
    .execute();
  for (const time of ['07:00', '11:50', '12:30']) {
    now = clinicTime(time);
    expect(await family()).toBeUndefined();
  }
  expect((await list()).next_ring).toBeNull();
});

test('given a promise for tomorrow, the family is back on the list tomorrow', async () => {
  now = clinicTime('18:00', '2030-11-21');
  await give(null);
  const calls = await answered('Mo Diaz', 'told', { ring_by: '12:00' });
  expect(calls.next_ring).toBe('11:45');
  now = clinicTime('11:50', '2030-11-21');
  expect(await family()).toBeUndefined();
  now = clinicTime('11:45');
  expect(await said()).toEqual(PROMISED);
});

test('given a demo clinic, whose whole day is always planned, promises still follow the clock, and end with the day', async () => {
  await t.db.updateTable('account').set({ demo: true }).where('id', '=', t.who.accountId).execute();
  await promised();
  now = clinicTime('11:44');
  expect(await family()).toBeUndefined();
  now = clinicTime('11:45');
  expect(await said()).toEqual(PROMISED);
  now = clinicTime('11:45', '2030-11-23');
  expect(await family()).toBeUndefined();
});

test('given two times without a therapist, the family is rung again about the one that could wait', async () => {
  const { max, mo } = t.clinic;
  const early = { therapist: max, client: mo, date: DATE, start: '12:00', end: '12:30' };
  const noon = await buildAppointment(t.db, early);
  await post('day-sheet', {});
  await t.db.updateTable('appointment').set({ therapist_id: null }).where('id', '=', noon).execute();
  await give(null);
  now = clinicTime('10:50');
  expect((await family())?.ring_by).toBe('12:00');
  await answered('Mo Diaz', 'told', { ring_by: '12:00' });
  now = clinicTime('11:45');
  expect(await said()).toEqual(PROMISED);
});

test('given a family who chose email, a promised call is not replaced by a message', async () => {
  const mother = { client_id: t.clinic.mo, name: 'Eva Diaz', relation: 'Mother', rank: 1, phone: '407 555 0100' };
  await t.db
    .insertInto('contact')
    .values({ ...mother, email: 'mother@home.example', preferred: 'email' })
    .execute();
  await give(null);
  expect((await list()).sending.to_release).toBe(1);
  await answered('Mo Diaz', 'told', { ring_by: '12:00' });
  now = clinicTime('11:45');
  expect((await list()).sending.to_release).toBe(0);
  expect((await post('release', {})).statusCode).toBe(200);
  expect(await t.db.selectFrom('message').selectAll().execute()).toEqual([]);
});

test('a promise needs a family, the result “told”, and a session without a therapist an hour or more later', async () => {
  await give(null);
  const refused = [
    await answer('Lin Park', 'told', { ring_by: '12:00' }),
    await answer('Mo Diaz', 'left-message', { ring_by: '12:00' }),
    await answer('Mo Diaz', 'told', { ring_by: '12:01' }),
  ];
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422]);
  expect(refused.map((reply) => reply.json<{ detail: string }>().detail)).toEqual(
    ['Lin Park', 'the family of Mo Diaz', 'the family of Mo Diaz'].map(
      (name) =>
        `Only a family can be promised a call by a time, with “Told”, and only about a session without a therapist an hour or more after that time. This does not hold for ${name}. Nothing was saved. Load the list again.`,
    ),
  );
  for (const ring_by of ['24:01', '-1:00', 'noon', ''])
    expect((await answer('Mo Diaz', 'told', { ring_by })).statusCode, ring_by).toBe(422);
  expect(await t.db.selectFrom('call_answer').selectAll().execute()).toEqual([]);
});

test('given the same promise sent twice, it is stored once; a result without it is another', async () => {
  await give(null);
  const { kind, id, version } = await lineOf('Mo Diaz');
  const sent = { kind, id, version, answer: 'told' };
  for (const more of [{ ring_by: '12:00' }, { ring_by: '12:00' }])
    expect((await post('answer', { ...sent, ...more })).statusCode).toBe(200);
  expect((await post('answer', sent)).statusCode).toBe(409);
  expect(await t.db.selectFrom('call_answer').selectAll().execute()).toHaveLength(1);
});

test('given a family who never knew of the session, the call after the promise is stored, although it asks the same', async () => {
  const { max, ida } = t.clinic;
  const key = await buildAppointment(t.db, { therapist: max, client: ida, date: DATE, start: '13:00', end: '14:00' });
  await t.db.updateTable('appointment').set({ therapist_id: null }).where('id', '=', key).execute();
  const asked = await lineOf('Ida Fox');
  await answered('Ida Fox', 'told', { ring_by: '12:00' });
  now = clinicTime('11:45');
  // A page that still shows the first question cannot answer the second.
  expect((await lineOf('Ida Fox')).version).not.toBe(asked.version);
  const { lines } = await answered('Ida Fox', 'told');
  expect(lines.map(({ name }) => name)).not.toContain('Ida Fox');
});
