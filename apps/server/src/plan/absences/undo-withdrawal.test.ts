import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { ProposalReply, Withdrawal } from '@clinic/contract';
import {
  appointmentOf,
  everyone,
  propose,
  saveAbsences,
  slotsOf,
  submit,
  submitBody,
  undo,
} from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

const ANA = { ...ON, type: 'therapist', name: 'Ana Ruiz' } as const;

let t: SmallApp;
beforeEach(async () => {
  t = await openSmallClinic(t?.app);
});
afterAll(() => t.app.close());

const post = (path: string, payload: object) => t.who.call({ method: 'POST', url: `/api${path}`, payload });
const withdraw = () => post('/absences/withdraw', { ...ANA, take_back: true });
const restore = (who = t.who, which: object = {}) =>
  who.call({ method: 'POST', url: '/api/absences/restore', payload: { ...ANA, ...which } });
const withdrawals = async (who = t.who): Promise<Withdrawal[]> =>
  (await who.call({ url: '/api/absences/withdrawals', query: ON })).json<Withdrawal[]>();
const { list, answered, covered } = new CallList(() => t.who);

/** All sessions and absences, without their versions. */
async function state(): Promise<unknown> {
  const { rows: sessions } = await sql`
    select id, client_id, therapist_id, booked_therapist_id, status, starts, ends, place, client_place, clash, commit_id,
      family_told_at
    from appointment where status <> 'entered-in-error' order by id`.execute(t.db);
  const { rows: absences } = await sql`
    select therapist_id, client_id, start_minute, end_minute, reported_by, reported_at, lost_by, cause_id, known_at
    from absence where withdrawn_at is null order by start_minute`.execute(t.db);
  return { sessions, absences };
}
/** The call lines, without the versions that a browser sends back. */
const lines = async () => (await list()).lines.map(({ name, say, first, again }) => ({ name, say, first, again }));

test('given a withdrawal that took sessions back, then its undo restores sessions, absences and call lines as they were', async () => {
  await covered();
  await answered('Kai Wood', 'told');
  const [before, called] = [await state(), await lines()];
  expect((await withdraw()).statusCode).toBe(200);
  expect(await state()).not.toEqual(before);
  expect((await lines()).map((line) => line.name)).toContain('Kai Wood');
  const reply = await restore();
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json<{ absences: unknown[] }>().absences).toMatchObject([{ name: 'Ana Ruiz' }]);
  expect(await state()).toEqual(before);
  expect(await lines()).toEqual(called);
});

test('given a withdrawal that would take sessions back, then the confirmation says how many people, if any, were told about these sessions', async () => {
  const asked = async () => {
    const reply = await post('/absences/withdraw', ANA);
    expect(reply.statusCode, reply.body).toBe(409);
    const { message, called } = reply.json<{ detail: { message: string; called: boolean } }>().detail;
    return [/in submitted changes(.*?)\. If you continue/.exec(message)?.[1], called];
  };
  await covered();
  expect(await asked()).toEqual(['', false]);
  // A person for whom only a message was left does not count as told.
  await answered('Kai Wood', 'left-message');
  expect(await asked()).toEqual(['', false]);
  await answered('Kai Wood', 'told');
  expect(await asked()).toEqual([', and 1 person was told', true]);
  await answered('Bo Lee', 'told');
  expect(await asked()).toEqual([', and 2 people were told', true]);
  // A person who was marked as told by mistake no longer counts.
  const { id } = (await list()).told.find(({ name }) => name === 'Kai Wood') ?? { id: '' };
  const back = { ...ON, kind: 'therapist', id, version: '', answer: 'not-told' };
  expect((await post('/calls/answer', back)).statusCode).toBe(200);
  expect(await asked()).toEqual([', and 1 person was told', true]);
  // After a new commit, the people who were told about the earlier commit do not count until they are told again.
  expect((await withdraw()).statusCode).toBe(200);
  await covered();
  expect(await asked()).toEqual(['', true]);
});

test('given a withdrawal that was undone, then the earlier commit can still be undone, and no one needs a call', async () => {
  const before = await state();
  const commit = await covered();
  const submitted = await state();
  await withdraw();
  await restore();
  expect(await state()).toEqual(submitted);
  const undone = await undo(t.who, commit);
  expect(undone.statusCode, undone.body).toBe(200);
  expect((await list()).lines).toEqual([]);
  const { sessions } = (await state()) as { sessions: unknown };
  expect(sessions).toEqual((before as { sessions: unknown }).sessions);
});

test('given an absence withdrawn and restored several times, then each undo restores the same state', async () => {
  await covered();
  const before = await state();
  for (let n = 0; n < 3; n++) {
    expect((await withdraw()).statusCode).toBe(200);
    expect((await restore()).statusCode).toBe(200);
    expect(await state()).toEqual(before);
  }
});

test('given new cover after a withdrawal, then undoing the withdrawal is refused, naming the people, until that cover is undone', async () => {
  await covered();
  const before = await state();
  await withdraw();
  const solved = await post('/proposals', { location: 'altamonte', dates: [DATE] });
  const proposal = solved.json<ProposalReply>();
  const again = await submit(t.who, submitBody(proposal, everyone(proposal)));
  expect(again.statusCode, again.body).toBe(200);
  const between = await state();
  const refused = await restore();
  expect(refused.statusCode).toBe(409);
  expect(refused.body).toContain('Bo Lee');
  expect(await state()).toEqual(between);
  expect((await undo(t.who, again.json<{ commit: string }>().commit)).statusCode).toBe(200);
  expect((await restore()).statusCode).toBe(200);
  expect(await state()).toEqual(before);
});

test('given a restored absence, when the request is sent again after a lost reply, then it changes nothing and passes', async () => {
  await covered();
  await withdraw();
  const first = await restore();
  const before = await state();
  const again = await restore();
  expect([again.statusCode, again.json()], again.body).toEqual([200, first.json()]);
  expect(await state()).toEqual(before);
  // Someone else did not ask for it before: nothing is left to restore.
  expect((await restore(await t.app.signIn())).statusCode).toBe(422);
});

test('given no withdrawal, or a person recorded as away again, then there is nothing to undo', async () => {
  expect((await restore()).statusCode).toBe(422);
  await covered();
  expect((await restore()).statusCode).toBe(422);
  await withdraw();
  await propose(t.who, { therapist: 'Ana Ruiz', begin: '08:00', end: '09:00' });
  const before = await slotsOf(t.who, DATE);
  const refused = await restore();
  expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
    422,
    expect.stringContaining('Ana Ruiz has no removed absence'),
  ]);
  expect((await slotsOf(t.who, DATE)).absences).toEqual(before.absences);
});

test('undoing a withdrawal is recorded in the session’s history and in the audit trail', async () => {
  await covered();
  await withdraw();
  await restore();
  const { rows } = await sql<{ what: string; reason: string }>`
    select what, reason from appointment_event order by id desc limit 1`.execute(t.db);
  expect(rows).toEqual([{ what: 'undone', reason: 'Ana Ruiz is away after all' }]);
  const trail = await t.db.selectFrom('audit').select('action').where('action', '=', 'absence.restored').execute();
  expect(trail).toHaveLength(1);
});

const BACK = { name: 'Ana Ruiz', type: 'therapist', sessions: 1, withdrawn_at: expect.any(String) as string } as const;

test('given a withdrawal that took a session back, then it is listed until it is undone or the session is planned again', async () => {
  expect(await withdrawals()).toEqual([]);
  await covered();
  expect(await withdrawals()).toEqual([]);
  await withdraw();
  expect(await withdrawals()).toEqual([{ ...BACK, shortened: false, cannot_undo: null }]);
  await restore();
  expect(await withdrawals()).toEqual([]);
  await withdraw();
  const solved = await post('/proposals', { location: 'altamonte', dates: [DATE] });
  const proposal = solved.json<ProposalReply>();
  expect((await submit(t.who, submitBody(proposal, everyone(proposal)))).statusCode).toBe(200);
  expect(await withdrawals()).toEqual([]);
});

test('given a therapist booked for another session since a withdrawal, then the list already says why the undo would be refused', async () => {
  await covered();
  await withdraw();
  const booked = await post('/appointments', {
    location: 'altamonte',
    client: 'Ida Fox',
    therapist: 'Kai Wood',
    date: DATE,
    start: '09:00',
    end: '10:00',
    subject: 'Direct Therapy',
  });
  expect(booked.statusCode, booked.body).toBe(201);
  const why = "Kai Wood, who had Bo Lee's session before, is now booked elsewhere at that time.";
  expect(await withdrawals()).toEqual([{ ...BACK, shortened: false, cannot_undo: why }]);
  const refused = await restore();
  expect(refused.statusCode).toBe(409);
  expect(refused.body).toContain(why);
});

test('given a withdrawal that took no sessions back, then it is not listed', async () => {
  await propose(t.who, { therapist: 'Ana Ruiz' });
  expect((await withdraw()).statusCode).toBe(200);
  expect(await withdrawals()).toEqual([]);
});

test('given an absence that was shortened and then withdrawn, then two undos restore both steps, the last one first', async () => {
  await covered();
  const before = await state();
  const query = { therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '09:30', replaces: true };
  const asked = await saveAbsences(t.who, [query]);
  expect(asked.statusCode).toBe(409);
  expect((await saveAbsences(t.who, [query], 'altamonte', { take_back: true })).statusCode).toBe(200);
  expect(await withdrawals()).toEqual([{ ...BACK, shortened: true, cannot_undo: null }]);
  const shortened = await state();
  await withdraw();
  expect((await withdrawals()).map((each) => each.shortened)).toEqual([false]);
  expect((await restore()).statusCode).toBe(200);
  expect(await state()).toEqual(shortened);
  expect((await restore()).statusCode).toBe(200);
  expect(await state()).toEqual(before);
  expect((await restore(await t.app.signIn())).statusCode).toBe(422);
  expect(appointmentOf(await slotsOf(t.who, DATE), await wireId()).Preferred_Provider_Name).toBe('Kai Wood');
});

test('given two withdrawals, when the request to undo the second is sent again, then the first is not undone, and a later one is not either', async () => {
  await covered();
  const before = await state();
  const query = { therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '09:30', replaces: true };
  expect((await saveAbsences(t.who, [query], 'altamonte', { take_back: true })).statusCode).toBe(200);
  const [first] = await withdrawals();
  const shortened = await state();
  const { withdrawn_at } = (await withdraw()).json<{ withdrawn_at: string }>();
  expect((await withdrawals()).map((each) => each.withdrawn_at)).toEqual([withdrawn_at]);
  const done = await restore(t.who, { withdrawn_at });
  const again = await restore(t.who, { withdrawn_at });
  expect([again.statusCode, again.json()], again.body).toEqual([200, done.json()]);
  expect(await state()).toEqual(shortened);
  // Someone else who asks for the second one finds that it is no longer the newest.
  expect((await restore(await t.app.signIn(), { withdrawn_at })).statusCode).toBe(422);
  expect((await restore(t.who, { withdrawn_at: first?.withdrawn_at })).statusCode).toBe(200);
  expect(await state()).toEqual(before);
});
/** The Id of Bo's session. */
const wireId = async (): Promise<string> =>
  (await slotsOf(t.who, DATE)).appointments.find((a) => a['Client Name'] === 'Bo Lee')?.Id ?? '';

test('given two absences of one day, one of which is shortened, when that is undone, then the other stays as it is', async () => {
  for (const [begin, end] of [
    ['08:30', '09:30'],
    ['10:30', '11:30'],
  ] as const)
    await propose(t.who, { therapist: 'Ana Ruiz', begin, end, replaces: false });
  const before = await state();
  const left = [
    ['08:30', '09:30'],
    ['10:30', '11:00'],
  ].map(([begin = '', end = '']) => ({ therapist: 'Ana Ruiz', date: DATE, begin, end, replaces: true }));
  expect((await saveAbsences(t.who, left, 'altamonte', { take_back: true })).statusCode).toBe(200);
  const shorter = await state();
  expect(shorter).not.toEqual(before);
  expect((await restore()).statusCode).toBe(200);
  expect(await state()).toEqual(before);
});

test('given an absence that was moved rather than shortened, then there is nothing to undo', async () => {
  await covered();
  const query = { therapist: 'Ana Ruiz', date: DATE, begin: '10:00', end: '23:59', replaces: true };
  const longer = { ...query, begin: '09:00' };
  expect((await saveAbsences(t.who, [query], 'altamonte', { take_back: true })).statusCode).toBe(200);
  expect((await saveAbsences(t.who, [longer], 'altamonte', { take_back: true })).statusCode).toBe(200);
  expect(await withdrawals()).toEqual([]);
  expect((await restore()).statusCode).toBe(422);
});

test('an account at another location does not see this location’s withdrawals', async () => {
  const other = await t.app.signIn({ locations: ['tampa'] });
  const reply = await other.call({ url: '/api/absences/withdrawals', query: ON });
  expect(reply.statusCode).toBe(403);
});
