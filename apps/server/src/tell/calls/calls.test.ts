import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { CallLine, CallsReply } from '@clinic/contract';
import { isoAt } from '../../platform/clock.ts';
import { commitEveryone, propose, saveAbsences, slotsOf, undo } from '../../testing/calls.ts';
import { buildAppointment, buildTherapist } from '../../testing/builders.ts';
import { beforeYes, CallList, ON } from '../../testing/call-list.ts';
import { openForEachTest } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { openNearDays } from './open-near-days.ts';

let app: TestApp;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
openForEachTest((small) => ({ app, db, who, clinic } = small));

const FIRST = 'Friday, November 22, 2030: ';

async function list(by = who, on: object = ON): Promise<CallsReply> {
  const reply = await by.call({ url: '/api/calls', query: on as Record<string, string> });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<CallsReply>();
}
const said = ({ lines }: CallsReply): [string, string, string][] =>
  lines.map((l) => [l.name, l.call, l.say.join(' ').replace(FIRST, '')]);
const post = (path: string, payload: object, by = who) =>
  by.call({ method: 'POST', url: `/api/calls/${path}`, payload: { ...ON, ...beforeYes(path), ...payload } });
const of = (line: Pick<CallLine, 'kind' | 'id'>) => ({ kind: line.kind, id: line.id });
const lineOf = (calls: CallsReply, name: string): CallLine => {
  const line = calls.lines.find((l) => l.name === name);
  if (!line) throw new Error(`no line for ${name} in ${JSON.stringify(said(calls))}`);
  return line;
};
const answer = (line: CallLine, what: string, more: object = {}, by = who) =>
  post('answer', { ...of(line), version: line.version, answer: what, ...more }, by);
async function answered(name: string, what: string, more: object = {}): Promise<CallsReply> {
  const reply = await answer(lineOf(await list(), name), what, more);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<CallsReply>();
}

const { covered } = new CallList(() => who);
const book = async (client: string, therapist: string | null, start: string, end: string): Promise<string> => {
  const payload = { ...ON, client, therapist, start, end, subject: 'Direct Therapy' };
  const reply = await who.call({ method: 'POST', url: '/api/appointments', payload });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<{ key: string }[]>()[0]?.key ?? '';
};
const cancel = (key: string) => who.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload: {} });

test('given a commit, then each person whose day changes has one line, and the absent person has none', async () => {
  expect((await list()).lines).toEqual([]);
  await covered();
  expect(said(await list())).toEqual([
    ['Kai Wood', 'ask', 'Can you come in for Bo Lee from 8:30 to 11:30?'],
    ['Bo Lee', 'family', 'Bo is with Kai from 8:30 to 11:30 instead of Ana.'],
  ]);
});

test('given a session that a commit changed before call lists existed, then the people in it count as told', async () => {
  const commit = await covered();
  await sql`update appointment set commit_id = ${commit} where id = ${clinic.moAfternoon}`.execute(db);
  expect(said(await list()).map(([name]) => name)).toEqual(['Kai Wood', 'Bo Lee']);
});

test('given an undone commit, then only people who were told of it need a call, and no one is told to expect someone who is still away', async () => {
  const commit = await covered();
  await answered('Bo Lee', 'told');
  await answered('Kai Wood', 'told');
  await undo(who, commit);
  const after = await list();
  expect(said(after).map(([name, kind, say]) => [name, kind, say?.split(';')[0]])).toEqual([
    ['Bo Lee', 'family', 'We have nobody for Bo from 8:30 to 11:30'],
    ['Kai Wood', 'inform', expect.stringContaining('Bo Lee from 8:30 to 11:30 is no longer yours.')],
  ]);
  const family = lineOf(after, 'Bo Lee');
  expect(family.again).toMatchObject({ was: 'Kai 8:30 to 11:30', now: 'nobody 8:30 to 11:30' });
  expect(family.sessions).toMatchObject([{ start: '08:30', end: '11:30', has_therapist: false, with: null }]);
  await saveAbsences(who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '00:15' }], 'altamonte', {
    take_back: true,
  });
  expect(said(await list())[0]).toEqual(['Bo Lee', 'family', 'Bo is with Ana from 8:30 to 11:30 instead of Kai.']);
});

test('given a covering therapist who is recorded as away after the commit, then no one is told to expect them', async () => {
  await covered();
  await saveAbsences(who, [{ therapist: 'Kai Wood', date: DATE }]);
  expect(said(await list()).map(([name, kind, say]) => [name, kind, say?.split(';')[0]])).toEqual([
    ['Bo Lee', 'family', 'We have nobody for Bo from 8:30 to 11:30'],
  ]);
});

test('given a cancellation taken back after the family was told, while the child is still away, then no one is told to expect the child', async () => {
  const { commit } = await commitEveryone(who, await propose(who, { client: 'Bo Lee' }));
  await answered('Ana Ruiz', 'told');
  await undo(who, commit);
  expect(said(await list())).toEqual([]);
});

test('given a person who was told, then their line leaves the list, and they are listed as told until their day changes', async () => {
  await covered();
  const after = await answered('Kai Wood', 'told', { note: '  by text  ' });
  expect(said(after).map(([name]) => name)).toEqual(['Bo Lee']);
  expect(after.told).toMatchObject([{ name: 'Kai Wood', answer: 'told', note: 'by text' }]);
  await book('Mo Diaz', 'Kai Wood', '16:00', '17:00');
  const changed = await list();
  expect(said(changed)).toContainEqual(['Kai Wood', 'ask', 'Can you come in for Mo Diaz from 4:00 to 5:00?']);
  expect(lineOf(changed, 'Kai Wood').again).toMatchObject({
    was: 'free 4:00 to 5:00',
    now: 'asked for Mo Diaz 4:00 to 5:00',
  });
});

test('given calls that did not reach a family, then the line stays open and lists these calls by time with their notes', async () => {
  await covered();
  await answered('Bo Lee', 'no-answer');
  const after = await answered('Bo Lee', 'left-message', { note: 'grandmother' });
  expect(lineOf(after, 'Bo Lee').answers.map((a) => [a.answer, a.note])).toEqual([
    ['no-answer', null],
    ['left-message', 'grandmother'],
  ]);
});

test('a note is stored as one line, without control or invisible characters', async () => {
  await covered();
  const { answers } = lineOf(
    await answered('Bo Lee', 'no-answer', { note: ' voice\u202e mail\u0007,\ntwice\u200b ' }),
    'Bo Lee',
  );
  expect(answers.map(({ note }) => note)).toEqual(['voice mail , twice']);
  expect((await answer(lineOf(await list(), 'Bo Lee'), 'no-answer', { note: '\ud800' })).statusCode).toBe(422);
});

test('given a person marked as told by mistake, then “Not told” reopens their line as it was', async () => {
  await covered();
  const before = lineOf(await list(), 'Bo Lee');
  await answered('Bo Lee', 'told');
  expect((await post('answer', { kind: 'client', id: clinic.bo, version: '', answer: 'not-told' })).statusCode).toBe(
    200,
  );
  expect(lineOf(await list(), 'Bo Lee')).toMatchObject({ version: before.version, say: before.say, again: null });
});

test('given a change that was undone during the call, then the answer is refused, and the caller is asked to call again', async () => {
  const commit = await covered();
  const seen = lineOf(await list(), 'Kai Wood');
  await undo(who, commit);
  const reply = await answer(seen, 'told');
  expect([reply.statusCode, reply.json<{ detail: { message: string } }>().detail.message]).toEqual([
    409,
    'There is no longer anything to tell Kai Wood: the change was undone, the day sheet was sent, or its time has passed. Nothing was saved. If you have just told them, call them again.',
  ]);
});

test('given a line that has changed, then an answer to it is refused, and the refusal contains the current line', async () => {
  await covered();
  const seen = lineOf(await list(), 'Kai Wood');
  await book('Mo Diaz', 'Kai Wood', '16:00', '17:00');
  const reply = await answer(seen, 'told');
  expect(reply.statusCode).toBe(409);
  const { detail } = reply.json<{ detail: { message: string; line: CallLine } }>();
  expect(detail.message).toContain('What Kai Wood must be told has just changed.');
  expect(detail.line.say).toHaveLength(2);
  expect((await answer(detail.line, 'told')).statusCode).toBe(200);
  const late = await answer(seen, 'no-answer');
  expect([late.statusCode, late.json<{ detail: { message: string } }>().detail.message]).toEqual([
    409,
    'You have already recorded that Kai Wood was told. Nothing was saved.',
  ]);
});

test('given two coordinators, then only one of them can call a family, unless the other takes the call over', async () => {
  await covered();
  const sam = await app.signIn({ name: 'Sam Staff' });
  const bo = lineOf(await list(), 'Bo Lee');
  expect((await post('claim', { ...of(bo), ringing: true }, sam)).statusCode).toBe(200);
  expect(lineOf(await list(), 'Bo Lee').ringing).toMatchObject({ by: 'Sam Staff', mine: false });
  expect(lineOf(await list(sam), 'Bo Lee').ringing).toMatchObject({ mine: true });
  const count = await who.call({ url: '/api/calls/count', query: ON });
  expect(count.json<{ calling: string[] }>().calling).toEqual(['Sam Staff']);
  const refused = await post('claim', { ...of(bo), ringing: true });
  expect(refused.statusCode).toBe(409);
  expect(refused.body).toContain('Sam Staff is ringing the family of Bo Lee now.');
  const leave = await post('claim', { ...of(bo), ringing: false });
  expect(lineOf(leave.json<CallsReply>(), 'Bo Lee').ringing).toMatchObject({ by: 'Sam Staff' });
  expect((await post('claim', { ...of(bo), ringing: true, take_over: true })).statusCode).toBe(200);
  expect(lineOf(await list(), 'Bo Lee').ringing).toMatchObject({ mine: true });
  await answered('Bo Lee', 'no-answer');
  expect(lineOf(await list(), 'Bo Lee').ringing).toBeNull();
});

test('given a call that someone claimed but never ended, then the claim expires after ten minutes', async () => {
  await covered();
  const bo = lineOf(await list(), 'Bo Lee');
  await post('claim', { ...of(bo), ringing: true });
  await db
    .updateTable('call_claim')
    .set({ at: isoAt(Date.now() - 11 * 60_000) })
    .execute();
  expect(lineOf(await list(), 'Bo Lee').ringing).toBeNull();
});

test('given that the day sheet was sent, then people need calls only about later changes', async () => {
  await covered();
  const sent = await post('day-sheet', {});
  expect(sent.statusCode, sent.body).toBe(200);
  expect(sent.json<CallsReply>()).toMatchObject({ lines: [], sheet: { by: expect.any(String) as string } });
  await cancel(clinic.moAfternoon);
  expect(said(await list())).toEqual([
    ['Lin Park', 'inform', 'Mo Diaz from 1:00 to 4:00 is cancelled. You are released from 1:00 on.'],
    ['Mo Diaz', 'family', 'Mo’s session from 1:00 to 4:00 is cancelled.'],
  ]);
});

test('given a booking weeks ahead, then it needs no calls until the day is near', async () => {
  const key = await book('Ida Fox', 'Max Dean', '09:00', '10:00');
  expect((await list()).lines).toEqual([]);
  await openNearDays(db, () => ({ date: '2030-11-19' as never, minutes: 600 }));
  expect((await list()).lines).toEqual([]);
  await cancel(key);
  expect(said(await list()).map(([name]) => name)).toEqual(['Ida Fox', 'Max Dean']);
  const again = await book('Ida Fox', 'Max Dean', '09:00', '10:00');
  expect((await list()).lines).toEqual([]);
  await cancel(again);
  expect((await list()).lines).toHaveLength(2);
});

test('given a session weeks ahead that is moved or cancelled by hand, then the people in it must be told, and earlier lists link to that day’s list', async () => {
  const later = async () =>
    (await who.call({ url: '/api/calls/later', query: { ...ON, date: '2030-11-01' } })).json<unknown>();
  expect([(await list()).open, await later()]).toEqual([false, []]);
  await cancel(clinic.moAfternoon);
  expect(said(await list()).map(([name]) => name)).toEqual(['Lin Park', 'Mo Diaz']);
  expect([(await list()).open, await later()]).toEqual([true, [{ date: DATE, to_tell: 2 }]]);
  const [bo] = (await slotsOf(who, DATE)).appointments.filter((a) => a.key === clinic.boMorning);
  const moved = {
    ...ON,
    client: 'Bo Lee',
    therapist: 'Ana Ruiz',
    start: '09:30',
    end: '12:30',
    subject: 'Direct Therapy',
  };
  const reply = await who.call({
    method: 'PUT',
    url: `/api/appointments/${clinic.boMorning}`,
    payload: { ...moved, version: bo?.version, anyway: true },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await later()).toEqual([{ date: DATE, to_tell: 4 }]);
  // The list of the day itself does not count as a later list.
  expect((await who.call({ url: '/api/calls/later', query: ON })).json()).toEqual([]);
  const far = await app.signIn({ locations: ['tampa'] });
  expect((await far.call({ url: '/api/calls/later', query: ON })).statusCode).toBe(403);
});

test('given a date without bookings, then the first session needs no call if it is written straight to the database', async () => {
  const empty = { location: 'tampa', date: DATE };
  await openNearDays(db, () => ({ date: DATE as never, minutes: 0 }));
  const therapist = await buildTherapist(db, { first: 'Tia', last: 'Vega', location: 'tampa' });
  await buildAppointment(db, {
    therapist,
    client: clinic.ida,
    date: DATE,
    start: '09:00',
    end: '10:00',
    location: 'tampa',
  });
  expect((await list(who, empty)).lines).toEqual([]);
});

test('every write to the calendar keeps the session’s earlier state, even a write in plain SQL', async () => {
  await openNearDays(db, () => ({ date: DATE as never, minutes: 0 }));
  const names = async () => said(await list()).map(([name]) => name);
  await sql`update appointment set subject = 'Direct Care', version = version + 1 where id = ${clinic.boMorning}`.execute(
    db,
  );
  expect(await names()).toEqual([]);
  await sql`update appointment set starts = starts - interval '1 day', ends = ends - interval '1 day'
    where id = ${clinic.boMorning}`.execute(db);
  expect(await names()).toEqual(['Ana Ruiz', 'Bo Lee']);
  await sql`update appointment set starts = starts + interval '1 day', ends = ends + interval '1 day'
    where id = ${clinic.boMorning}`.execute(db);
  expect(await names()).toEqual([]);
  await sql`update appointment set status = 'noshow' where id = ${clinic.boMorning}`.execute(db);
  expect(await names()).toEqual([]);
  await sql`delete from appointment where id = ${clinic.moAfternoon}`.execute(db);
  expect(await names()).toEqual(['Lin Park', 'Mo Diaz']);
});

test('given a session without a therapist, then the caller asks the family what to do, and the line identifies the session', async () => {
  await openNearDays(db, () => ({ date: DATE as never, minutes: 0 }));
  await sql`update appointment set therapist_id = null, booked_therapist_id = ${clinic.lin}
    where id = ${clinic.moAfternoon}`.execute(db);
  const calls = await list();
  expect(said(calls)).toEqual([
    ['Lin Park', 'inform', 'Mo Diaz from 1:00 to 4:00 is no longer yours. Please stand by from 1:00 to 4:00.'],
    [
      'Mo Diaz',
      'family',
      'We have nobody for Mo from 1:00 to 4:00; shall we cancel it, or may we ring again by 12:00?',
    ],
  ]);
  expect(lineOf(calls, 'Mo Diaz').sessions).toMatchObject([
    { key: clinic.moAfternoon, start: '13:00', end: '16:00', has_therapist: false },
  ]);
});

test('given two therapists with the same first name, then the family is told the therapist’s full name', async () => {
  await buildTherapist(db, { first: 'Kai', last: 'Morgan' });
  await covered();
  expect(said(await list())[1]?.[2]).toBe('Bo is with Kai Wood from 8:30 to 11:30 instead of Ana.');
});

test('given a therapist with the same first name as the child, then the family is told the therapist’s full name', async () => {
  await buildTherapist(db, { first: 'Mo', last: 'Vega' });
  await covered();
  await book('Mo Diaz', 'Mo Vega', '16:00', '17:00');
  expect(lineOf(await list(), 'Mo Diaz').say).toEqual([`${FIRST}Mo has a new session from 4:00 to 5:00 with Mo Vega.`]);
});

test('an account at another location can neither see call lists nor answer calls', async () => {
  await covered();
  const bo = lineOf(await list(), 'Bo Lee');
  const far = await app.signIn({ locations: ['tampa'] });
  const replies = await Promise.all([
    far?.call({ url: '/api/calls', query: ON }),
    far?.call({ url: '/api/calls/count', query: ON }),
    answer(bo, 'told', {}, far),
    post('claim', { ...of(bo), ringing: true }, far),
    post('day-sheet', {}, far),
  ]);
  expect(replies.map((reply) => reply?.statusCode)).toEqual([403, 403, 403, 403, 403]);
});

test('given a person or a “no” that is not on the day’s list, then an answer, a claim and taking it back are refused with 404', async () => {
  await covered();
  for (const reply of [
    await post('answer', { kind: 'client', id: 'C-none', version: 'v', answer: 'told' }),
    await post('claim', { kind: 'client', id: clinic.ida, ringing: true }),
    await post('said-no/take-back', { id: '9' }),
    await post('said-no/take-back', { id: 'not a number' }),
  ])
    expect(reply.statusCode, reply.body).toBe(404);
});

test('reading and answering calls is audited without names, and stored answers cannot be changed', async () => {
  await covered();
  await answered('Bo Lee', 'told', { note: 'Bo Lee said hello' });
  const rows = await db
    .selectFrom('audit')
    .select(['action', 'subject_ids', 'detail'])
    .where('action', 'like', 'call%')
    .execute();
  expect(new Set(rows.map((r) => r.action))).toEqual(new Set(['calls.read', 'call.answered']));
  expect(rows.find((r) => r.action === 'call.answered')).toMatchObject({
    subject_ids: [clinic.bo],
    detail: { date: DATE, answer: 'told' },
  });
  expect(JSON.stringify(rows)).not.toContain('Lee');
  await expect(sql`update call_answer set note = ''`.execute(db)).rejects.toThrow('append-only');
  await expect(sql`delete from call_answer`.execute(db)).rejects.toThrow('append-only');
});

test('the number of people to tell equals the length of the list', async () => {
  await covered();
  const reply = await who.call({ url: '/api/calls/count', query: ON });
  expect(reply.json()).toEqual({ to_tell: 2, to_ask: 1, urgent: 0, next: '08:30', next_ring: null, calling: [] });
});
