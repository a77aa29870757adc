// This file is over 250 lines because every act on a leave starts from the same small clinic.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { LeaveEffect, LeaveOutcome, SlotsReply, StoredLeave } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { buildAppointment } from '../../testing/builders.ts';
import { commitEveryone, solveDay, saveAbsences, slotsOf } from '../../testing/calls.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { extendLeaves } from './extend.ts';

// Friday, November 22, 2030, is the first day; the clock stands on the Thursday before, in the afternoon.
const day = (n: number) => addDays(isoDate(DATE), n);
const clock = { now: () => Date.parse(`${day(-1)}T22:00:00Z`) };
const WEEKDAYS = [1, 2, 3, 4, 5];

let t: SmallApp;
beforeEach(async () => {
  t = await openSmallClinic(t?.app, { deps: { clock } });
});
afterAll(() => t.app.close());

const send = (method: 'POST' | 'PUT' | 'GET', path: string, payload?: object) =>
  t.who.call({ method, url: `/api${path}`, ...(payload && { payload: { location: 'altamonte', ...payload } }) });
const ANA = { type: 'therapist', name: 'Ana Ruiz' } as const;
const BO = { type: 'client', name: 'Bo Lee' } as const;
const TERMS = { first_date: DATE, last_date: day(13), weekdays: WEEKDAYS, begin: '00:00', end: '24:00' };
const done = async (
  reply: Promise<{ statusCode: number; body: string; json: () => unknown }>,
): Promise<LeaveOutcome> => {
  const { statusCode, body, json } = await reply;
  expect(statusCode, body).toBe(200);
  return json() as LeaveOutcome;
};
const record = (more: object = {}) => done(send('POST', '/leave', { ...ANA, ...TERMS, ...more }));
const end = (id: string | null, more: object) =>
  send('POST', `/leave/${id}/end`, { date: DATE, scope: 'all', ...more });
const change = (id: string | null, more: object) =>
  send('PUT', `/leave/${id}`, { ...TERMS, date: DATE, scope: 'all', ...more });
const undo = (id: string | null, { changed_at }: LeaveOutcome) => send('POST', `/leave/${id}/undo`, { changed_at });
const leaves = async () => (await send('GET', `/leave?location=altamonte&date=${DATE}`)).json<StoredLeave[]>();

/** The stored windows by date: `11-22 00:00-24:00`, with the cause if there is one. */
async function away(who: string = t.clinic.ana): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select to_char(date, 'MM-DD') || ' ' || start_minute / 60 || '-' || end_minute / 60 || coalesce(' ' || cause_id, '') as text
    from absence where coalesce(therapist_id, client_id) = ${who} and withdrawn_at is null
    order by date, start_minute`.execute(t.db);
  return rows.map(({ text }) => text);
}

/** Everything but history and versions. */
async function state(): Promise<unknown> {
  const { rows: sessions } = await sql`
    select id, client_id, therapist_id, booked_therapist_id, status, starts, ends, place, client_place, clash, commit_id,
      family_told_at, cause_id, lost_by
    from appointment where status <> 'entered-in-error' order by id`.execute(t.db);
  const { rows: absences } = await sql`
    select therapist_id, client_id, date, start_minute, end_minute, lost_by, cause_id, known_at, leave_id
    from absence where withdrawn_at is null order by date, start_minute`.execute(t.db);
  const { rows: facts } = await sql`
    select id, first_date, last_date, weekdays, start_minute, end_minute, cause_id,
      array(select date from leave_exception where leave_id = leave.id order by date) as exceptions
    from leave where ended_at is null order by id`.execute(t.db);
  return { sessions, absences, facts };
}

test('given an absence until a date from the panel, then one fact gives every date its absence, and the calendar says so', async () => {
  const leave = { until: day(5), weekdays: WEEKDAYS };
  const query = { therapist: 'Ana Ruiz', date: DATE, begin: '08:00', end: '12:00', loss: { cause: 'leave' }, leave };
  const save = () => saveAbsences(t.who, [query]);
  const reply = await save();
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await away()).toEqual(['11-22 8-12 leave', '11-25 8-12 leave', '11-26 8-12 leave', '11-27 8-12 leave']);
  const [fact] = await leaves();
  expect(fact).toMatchObject({ name: 'Ana Ruiz', first_date: DATE, last_date: day(5), weekdays: WEEKDAYS });
  const shown = (await slotsOf(t.who, day(3))).absences.find(({ name }) => name === 'Ana Ruiz');
  expect(shown?.leave).toEqual({ id: fact?.id, first_date: DATE, last_date: day(5), weekdays: WEEKDAYS });
  const before = await state();
  await save();
  expect(await state()).toEqual(before);
});

test('given an absence of one day in the panel, then “until” makes it the first date of one that keeps its cover and cause', async () => {
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, loss: { cause: 'sick' } }]);
  await commitEveryone(t.who, await solveDay(t.who));
  const [stored] = (await slotsOf(t.who, DATE)).absences;
  const leave = { until: day(3), weekdays: WEEKDAYS };
  const query = { therapist: 'Ana Ruiz', date: DATE, id: stored?.id, loss: { cause: 'sick' }, leave };
  const reply = await saveAbsences(t.who, [query]);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await away()).toEqual(['11-22 0-24 sick', '11-25 0-24 sick']);
  expect((await slotsOf(t.who, DATE)).absences[0]?.id).toBe(stored?.id);
});

test('given the id of an absence over dates, then whose it is, where and when can be read, until it is ended', async () => {
  const { id } = await record({ weekdays: [1, 3] });
  const read = () => send('GET', `/leave/${id}`);
  expect((await read()).json()).toEqual({
    location: 'altamonte',
    type: 'therapist',
    person: t.clinic.ana,
    first_date: DATE,
    last_date: day(13),
    weekdays: [1, 3],
    begin: '00:00',
    end: '23:59',
  });
  await end(id, {});
  expect((await read()).statusCode).toBe(404);
});

test('given a leave, then one date taken out of it stays out, whatever is changed on all dates or from a date on', async () => {
  const { id } = await record({ last_date: day(5) });
  const [own] = (await slotsOf(t.who, day(3))).absences;
  const withdrawn = await send('POST', '/absences/withdraw', { ...ANA, date: day(3), id: own?.id });
  expect(withdrawn.statusCode, withdrawn.body).toBe(200);
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: day(4), begin: '08:00', end: '10:00' }]);
  expect(await away()).toEqual(['11-22 0-24', '11-26 8-10', '11-27 0-24']);
  expect((await leaves())[0]?.exceptions).toEqual([day(3), day(4)]);
  await done(change(id, { last_date: day(6), begin: '13:00' }));
  expect(await away()).toEqual(['11-22 13-24', '11-26 8-10', '11-27 13-24', '11-28 13-24']);
  // From now on: what came before stays, and the exceptions move with it.
  const split = await done(
    change(id, { scope: 'from', date: day(4), last_date: day(6), end: '15:00', begin: '12:00' }),
  );
  expect(split.id).not.toBe(id);
  expect(await away()).toEqual(['11-22 13-24', '11-26 8-10', '11-27 12-15', '11-28 12-15']);
  expect((await leaves()).map(({ last_date, exceptions }) => [last_date, exceptions])).toEqual([
    [day(3), [day(3)]],
    [day(6), [day(4)]],
  ]);
  await done(undo(split.id, split));
  expect(await away()).toEqual(['11-22 13-24', '11-26 8-10', '11-27 13-24', '11-28 13-24']);
  expect((await leaves()).map(({ exceptions }) => exceptions)).toEqual([[day(3), day(4)]]);
});

test('given an absence of another kind on one date, then both stay apart, and the leave has the time that the other gives up', async () => {
  await saveAbsences(t.who, [
    { therapist: 'Ana Ruiz', date: day(3), begin: '08:00', end: '10:00', loss: { cause: 'training' } },
  ]);
  const { id } = await record({ last_date: day(3), loss: { cause: 'leave' } });
  expect(await away()).toEqual(['11-22 0-24 leave', '11-25 0-8 leave', '11-25 8-10 training', '11-25 10-24 leave']);
  const training = (await slotsOf(t.who, day(3))).absences.find(({ loss }) => loss?.cause === 'training');
  await send('POST', '/absences/withdraw', { ...ANA, date: day(3), id: training?.id });
  expect(await away()).toEqual(['11-22 0-24 leave', '11-25 0-8 leave', '11-25 8-10 leave', '11-25 10-24 leave']);
  expect((await leaves())[0]?.exceptions).toEqual([]);
  await done(end(id, {}));
  expect(await away()).toEqual([]);
});

test('given a leave whose first date was covered, then its end asks, says before what comes back and what stays, and is undone as one', async () => {
  const { id } = await record();
  await buildAppointment(t.db, {
    therapist: t.clinic.ana,
    client: t.clinic.mo,
    date: day(3),
    start: '09:00',
    end: '10:00',
  });
  await commitEveryone(t.who, await solveDay(t.who));
  const before = await state();
  const asked = await end(id, {});
  expect(asked.statusCode).toBe(409);
  expect(asked.json()).toMatchObject({ detail: { returned: 1 } });
  expect(await state()).toEqual(before);
  const preview = await done(send('POST', `/leave/${id}/end-preview`, { date: DATE, scope: 'all' }));
  expect(preview).toMatchObject({ id: null, dates: 10, own: 1, back: [{ date: DATE, client: 'Bo Lee' }], stays: [] });
  expect(await state()).toEqual(before);
  const kept = await done(send('POST', `/leave/${id}/end-preview`, { date: DATE, scope: 'all', cover: 'keep' }));
  expect(kept).toMatchObject({ back: [], stays: [{ date: DATE, client: 'Bo Lee', why: 'covered by Kai Wood' }] });
  const ended = await done(end(id, { cover: 'give-back' }));
  expect({ ...ended, changed_at: '' }).toEqual({ ...preview, changed_at: '' });
  expect(await away()).toEqual([]);
  await done(undo(id, ended));
  expect(await state()).toEqual(before);
  expect((await undo(id, ended)).statusCode).toBe(409);
});

test('given a family that is away, then their sessions are cancelled on every date, lost by the family, and come back as they were', async () => {
  const dates = [3, 4, 5].map(day);
  const ids: string[] = [];
  for (const date of dates)
    ids.push(
      await buildAppointment(t.db, {
        therapist: t.clinic.kai,
        client: t.clinic.bo,
        date,
        start: '09:00',
        end: '12:00',
      }),
    );
  const before = await state();
  const { id } = await record({ ...BO, loss: { cause: 'family-reason' }, begin: '10:00' });
  const lost = async (date: string) =>
    (await slotsOf(t.who, date)).appointments
      .filter((each) => each['Client Name'] === 'Bo Lee')
      .map((each) => [each.StartDateTime.slice(-8).trim(), each.Appointment_Status]);
  expect(await lost(day(3))).toEqual([
    ['9:00 AM', 'Confirmed'],
    ['10:00 AM', 'Cancelled'],
  ]);
  // Booked otherwise since: this one stays.
  await t.db
    .updateTable('appointment')
    .set({ subject: 'Assessment', version: 9 })
    .where('id', '=', ids[2] ?? '')
    .execute();
  const ended = await done(end(id, {}));
  expect(ended.back.map(({ date }) => date)).toEqual([DATE, day(3), day(4)]);
  expect(ended.stays).toMatchObject([{ date: day(5), client: 'Bo Lee', why: 'changed since' }]);
  expect(await lost(day(4))).toEqual([['9:00 AM', 'Confirmed']]);
  const undone = await done(undo(id, ended));
  expect(undone.id).toBe(id);
  expect(await lost(day(4))).toContainEqual(['10:00 AM', 'Cancelled']);
  await t.db
    .updateTable('appointment')
    .set({ subject: 'Direct Therapy' })
    .where('id', '=', ids[2] ?? '')
    .execute();
  await done(end(id, {}));
  const rest = (list: unknown) =>
    (list as { sessions: { starts: string }[] }).sessions.filter(({ starts }) => !starts.startsWith(day(5)));
  expect(rest(await state())).toEqual(rest(before));
});

test('given an open end, then the absences reach 400 days ahead, and follow as time goes on', async () => {
  const { id } = await record({ last_date: null, weekdays: [1] });
  const last = async () =>
    (
      await t.db
        .selectFrom('absence')
        .select(sql<string>`max(date)::text`.as('d'))
        .executeTakeFirst()
    )?.d;
  expect(await last()).toBe(day(395));
  expect(await extendLeaves(t.db, () => day(10), new Date().toISOString())).toBe(0);
  expect(await extendLeaves(t.db, () => day(60), new Date().toISOString())).toBe(1);
  expect(await last()).toBe(day(458));
  await done(end(id, { scope: 'from', date: day(20) }));
  expect(await away()).toEqual(['11-25 0-24', '12-02 0-24', '12-09 0-24']);
});

test('given a leave that begins today in the afternoon, or earlier, then what has passed is neither counted nor cancelled', async () => {
  const today = day(-1);
  const book = (date: string, start: string, end: string) =>
    buildAppointment(t.db, { therapist: t.clinic.ana, client: t.clinic.bo, date, start, end });
  const keys = [
    await book(day(-2), '09:00', '10:00'),
    await book(today, '09:00', '11:00'),
    await book(today, '16:00', '18:00'),
    await book(today, '18:00', '18:30'),
  ];
  const terms = { ...BO, ...TERMS, first_date: day(-2), last_date: today };
  const effect = (await send('POST', '/leave-preview', terms)).json<LeaveEffect>();
  // It is 5:00 PM: an hour of the running session is left, and all of the last one.
  expect(effect).toMatchObject({ sessions: 2, minutes: 90 });
  await done(send('POST', '/leave', terms));
  const rows = await t.db.selectFrom('appointment').select(['id', 'ends', 'status']).where('id', 'in', keys).execute();
  const now = (key: string | undefined) => rows.find(({ id }) => id === key);
  expect([now(keys[0])?.status, now(keys[1])?.status]).toEqual(['booked', 'booked']);
  expect(now(keys[2])).toMatchObject({ status: 'booked', ends: expect.stringContaining('17:00') as string });
  expect(now(keys[3])?.status).toBe('cancelled');
});

test('given a preview, then it counts the sessions by week and the dates on which the person is away already, and writes nothing', async () => {
  await buildAppointment(t.db, {
    therapist: t.clinic.ana,
    client: t.clinic.mo,
    date: day(3),
    start: '09:00',
    end: '10:30',
  });
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: day(4), begin: '08:00', end: '10:00' }]);
  const before = await state();
  const effect = (await send('POST', '/leave-preview', { ...ANA, ...TERMS })).json<LeaveEffect>();
  expect(effect).toMatchObject({ sessions: 2, minutes: 270, people: 2, away: [day(4)] });
  expect(effect.weeks.map(({ monday, sessions }) => [monday, sessions])).toEqual([
    [day(-4), 1],
    [day(3), 1],
    [day(10), 0],
  ]);
  expect(await state()).toEqual(before);
});

test.each([
  ['the last day before the first', { last_date: day(-1) }, 'would be before the first'],
  ['no date on these weekdays', { last_date: day(1), weekdays: [1] }, 'None of the weekdays'],
  ['a first day years away', { first_date: day(900), last_date: null }, 'must begin from'],
  ['no time', { begin: '08:00', end: '08:00' }, 'must end at least a quarter'],
])('given %s, then it is refused in words and nothing is stored', async (_what, terms, words) => {
  const reply = await send('POST', '/leave', { ...ANA, ...TERMS, ...terms });
  expect(reply.statusCode).toBe(422);
  expect(reply.body).toContain(words);
  expect(await away()).toEqual([]);
});

test('given an account of another location, then it cannot change or end a leave recorded here, and learns no names', async () => {
  const { id } = await record();
  const tampa = await t.app.signIn({ locations: ['tampa'] });
  for (const location of ['altamonte', 'tampa']) {
    const reply = await tampa.call({
      method: 'POST',
      url: `/api/leave/${id}/end`,
      payload: { location, date: DATE, scope: 'all' },
    });
    expect(reply.statusCode, reply.body).toBe(403);
  }
  const reply = await t.who.call({ url: `/api/slots?date=${DATE}&location=altamonte` });
  expect(reply.json<SlotsReply>().absences).toHaveLength(1);
});
