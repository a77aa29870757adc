import { expect, test } from 'vitest';
import type { PersonHistory } from '@clinic/contract';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildNo } from '../../testing/declines.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

let [ana, kai, sue, bo, tom] = ['', '', '', '', ''];
const app = useApp(
  () => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }),
  async ({ db }) => {
    ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
    kai = await buildTherapist(db, { first: 'Kai', last: 'Wood' });
    sue = await buildTherapist(db, { first: 'Sue', last: 'Kent', specialization: 'BCBA' });
    bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    tom = await buildClient(db, { first: 'Tom', last: 'Ash', location: 'tampa' });
    const at = (therapist: string, date: string, more = {}) =>
      buildAppointment(db, { client: bo, therapist, date, start: '09:00', end: '11:00', ...more });
    for (const date of ['2026-10-23', '2026-10-30', '2026-11-06', '2026-11-13']) await at(ana, date);
    await at(ana, '2026-11-20'); // today has not taken place yet
    await at(ana, '2026-11-12', { status: 'cancelled' });
    // Bo left at 10:00, so that Sue came for an hour; Kai said no, and was known from before.
    await at(sue, '2026-11-16');
    await buildAbsence(db, { client: bo, date: '2026-11-16', start: '10:00' });
    const key = await at(kai, '2026-11-17', { bookedTherapist: ana });
    await buildNo(db, 'no', { key, therapist: kai, date: '2026-11-17', other: ana });
    await at(kai, '2026-09-01');
    await at(ana, '2026-11-18', { client: tom, location: 'tampa' });
  },
);

const historyOf = async (path: string, by = app.staff) => {
  const reply = await by.call({ url: `/api/people/${path}/history` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<PersonHistory>();
};

test('a client’s continuity counts what took place in the four weeks before today', async () => {
  const { from, until, continuity, met } = await historyOf(`client/${bo}`);
  expect([from, until]).toEqual(['2026-10-23', '2026-11-19']);
  expect(continuity).toEqual({ people: 2, minutes: 9 * 60, team: 8 * 60 });
  expect(
    met.map(({ name, credential, team, is_new, days, last }) => [name, credential, team, is_new, days.length, last]),
  ).toEqual([
    ['Ana Ruiz', 'RBT', true, true, 4, '2026-11-13'],
    ['Sue Kent', 'BCBA', false, true, 1, '2026-11-16'],
    ['Kai Wood', 'RBT', false, false, 0, '2026-09-01'],
  ]);
});

test('a therapist’s clients are those at locations that the account may see', async () => {
  expect((await historyOf(`therapist/${ana}`)).met.map(({ name }) => name)).toEqual(['Bo Lee', 'Tom Ash']);
  const staff = await app.signIn({ role: 'scheduler', locations: ['altamonte'] });
  expect((await historyOf(`therapist/${ana}`, staff)).met.map(({ name }) => name)).toEqual(['Bo Lee']);
  expect((await staff.call({ url: `/api/people/client/${tom}/history` })).statusCode).toBe(403);
  expect((await staff.call({ url: '/api/people/client/C-0/history' })).statusCode).toBe(404);
});

test('an act on several sessions is one line of their history, the newest first', async () => {
  const booked = await app.staff.call({
    method: 'POST',
    url: '/api/series',
    payload: {
      location: 'altamonte',
      client: 'Bo Lee',
      subject: 'Direct Therapy',
      days: [{ weekday: 3, start: '13:00', end: '14:00', therapist: 'Kai Wood' }],
      from: '2026-11-23',
      until: '2026-12-11',
    },
  });
  expect(booked.statusCode, booked.body).toBe(201);
  const [first] = (await historyOf(`client/${bo}`)).lines;
  expect(first?.words).toBe('Booked with Kai Wood, Wed, Nov 25, 1:00 PM - 2:00 PM, and 2 more');
});
