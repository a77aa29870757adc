import { expect, test } from 'vitest';
import { buildAbsence, buildAppointment, buildClient } from '../testing/builders.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

let bo: string;
const t = useApp(
  () => buildTestApp({ config: { clock: '2026-11-16T12:20:00Z' } }),
  async ({ db }) => {
    bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    const book = (date: string, start: string, end: string, more = {}) =>
      buildAppointment(db, { therapist: null, client: bo, date, start, end, ...more });
    await book('2026-11-15', '08:30', '11:30'); // this session is on the day before the seven days
    await book('2026-11-16', '12:30', '15:00', { status: 'pending' });
    await book('2026-11-16', '08:30', '11:30');
    await book('2026-11-16', '09:00', '10:00', { service: 'supervision', subject: 'Supervision' });
    await book('2026-11-17', '08:30', '11:30', { status: 'cancelled' });
    await book('2026-11-17', '12:30', '15:00', { status: 'fulfilled' });
    await book('2026-11-18', '08:30', '11:30'); // the client is away for the whole session
    await book('2026-11-18', '12:30', '15:00'); // the client is away for part of the session
    await book('2026-11-19', '08:30', '11:30', { location: 'tampa' });
    await book('2026-11-20', '22:00', '24:00');
    await book('2026-11-22', '08:00', '08:20');
    await book('2026-11-23', '08:30', '11:30'); // this session is in the following week
    await buildAbsence(db, { client: bo, date: '2026-11-18', end: '13:00' });
  },
);

const week = (query: Record<string, string>, by = t.staff) => by.call({ url: '/api/timeslots', query });
const ask = { client_name: ' bo  LEE ', location: 'altamonte', start_date: '2026-11-16' };

test('[SLOT-02] given a start date, the reply has seven days, each with the times of sessions that can be cancelled', async () => {
  const reply = await week(ask);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json()).toEqual({
    data: [
      {
        date: '2026-11-16',
        slots: ['2026-11-16T08:30:00', '2026-11-16T09:00:00', '2026-11-16T12:30:00'],
        ends: ['2026-11-16T11:30:00', '2026-11-16T10:00:00', '2026-11-16T15:00:00'],
      },
      { date: '2026-11-17', slots: [], ends: [] },
      { date: '2026-11-18', slots: ['2026-11-18T12:30:00'], ends: ['2026-11-18T15:00:00'] },
      { date: '2026-11-19', slots: [], ends: [] },
      { date: '2026-11-20', slots: ['2026-11-20T22:00:00'], ends: ['2026-11-21T00:00:00'] },
      { date: '2026-11-21', slots: [], ends: [] },
      { date: '2026-11-22', slots: ['2026-11-22T08:00:00'], ends: ['2026-11-22T08:20:00'] },
    ],
  });
});

test('[SLOT-02] given a client with two therapists at once, the time is listed once', async () => {
  const { db } = t.deps;
  const two = await buildClient(db, { first: 'Mo', last: 'Diaz', twoToOne: true });
  for (const seat of [1, 2])
    await buildAppointment(db, {
      therapist: null,
      client: two,
      date: '2026-11-16',
      start: '09:00',
      end: '10:00',
      seat,
    });
  const reply = await week({ ...ask, client_name: 'Mo Diaz' });
  expect(reply.json<{ data: { slots: string[] }[] }>().data[0]?.slots).toEqual(['2026-11-16T09:00:00']);
});

test('[SLOT-02] given a week with a clock change, no slot shifts', async () => {
  const { db } = t.deps;
  const client = await buildClient(db, { first: 'Dee', last: 'Esstee' });
  for (const date of ['2027-03-13', '2027-03-14', '2027-03-15']) {
    // On the 14th, 2:30 to 2:45 is skipped: it counts as 3:30 to 3:45, and so clashes with that.
    for (const start of ['01:30', '02:30', '04:30']) {
      await buildAppointment(db, { therapist: null, client, date, start, end: `${start.slice(0, 2)}:45` });
    }
  }
  const { data } = (await week({ ...ask, client_name: 'Dee Esstee', start_date: '2027-03-13' })).json<{
    data: { slots: string[] }[];
  }>();
  expect(data.slice(0, 3).map((day) => day.slots.map((slot) => slot.slice(11)))).toEqual(
    [0, 1, 2].map(() => ['01:30:00', '02:30:00', '04:30:00']),
  );
});

test('an unknown client is refused with the nearest name; a refusal for a missing field names the field', async () => {
  const unknown = await week({ ...ask, client_name: 'Bo Leee' });
  expect([unknown.statusCode, unknown.json()]).toEqual([
    422,
    { detail: "No client named 'Bo Leee' at Altamonte. Did you mean 'Bo Lee'?" },
  ]);
  const missing = await week({ location: 'altamonte', start_date: '2026-11-16' });
  expect([missing.statusCode, missing.json<{ detail: string }>().detail]).toEqual([
    422,
    expect.stringMatching(/^client_name: /),
  ]);
});

test('[AUTH-06] only logged-in accounts for the location can read a client’s week; the read is audited by id, and no name reaches the log', async () => {
  expect((await t.app.inject({ url: '/api/timeslots', query: ask })).statusCode).toBe(401);
  expect((await week(ask, await t.signIn({ locations: ['tampa'] }))).statusCode).toBe(403);
  const mine = await t.signIn({ locations: ['altamonte'] });
  const reply = await week(ask, mine);
  expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store']);
  const rows = await t.db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', mine.accountId)
    .where('action', '=', 'timeslots.read')
    .execute();
  expect(rows.map((row) => row.subject_ids)).toEqual([[bo]]);
  expect(t.logLines.join('\n')).not.toMatch(/bo\W+lee/i);
});
