import { expect, test } from 'vitest';
import type { HoursReply, SupervisedSession, SupervisionReply } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

let ana: string;
let sue: string;
let eve: string;
const t = useApp(
  () => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-12-09T13:05:00Z') } } }),
  async ({ db }) => {
    const ends = (therapist_id: string, credential: 'RBT' | 'BCBA', until_date: string) =>
      db
        .insertInto('therapist_credential')
        .values({ therapist_id, credential, number: '', from_date: '2025-01-01', until_date })
        .execute();
    const bo = await buildClient(db, { first: 'Bo', last: 'Lee' });
    const book = (therapist: string, date: string, more = {}) =>
      buildAppointment(db, { therapist, client: bo, date, start: '09:00', end: '12:00', ...more });
    const supervise = (date: string) =>
      book(lee, date, { end: '10:00', service: 'supervision', subject: 'Supervision' });
    const lee = await buildTherapist(db, { first: 'Lee', last: 'Cole', specialization: 'BCBA' });
    // Ana is a BT after December 4.
    ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
    await ends(ana, 'RBT', '2026-12-04');
    for (const date of ['2026-12-02', '2026-12-08']) await book(ana, date);
    for (const date of ['2026-12-02', '2026-12-08']) await supervise(date);
    // Ben has not been an RBT since November.
    const ben = await buildTherapist(db, { first: 'Ben', last: 'Hale' });
    await ends(ben, 'RBT', '2026-11-30');
    await book(ben, '2026-12-03');
    // Sue counts as an RBT after December 6.
    sue = await buildTherapist(db, { first: 'Sue', last: 'Kent', specialization: 'BCBA' });
    await ends(sue, 'BCBA', '2026-12-06');
    await ends(sue, 'RBT', '2027-12-31');
    for (const date of ['2026-12-04', '2026-12-10']) await book(sue, date);
    // Max supervises Eve twice, but is a BCBA only the first time; the second time Sue, who counts as an RBT, comes as well.
    const max = await buildTherapist(db, { first: 'Max', last: 'Dean', specialization: 'BCBA' });
    await ends(max, 'BCBA', '2026-12-04');
    eve = await buildTherapist(db, { first: 'Eve', last: 'Moss' });
    const mo = await buildClient(db, { first: 'Mo', last: 'Diaz' });
    const observed = { client: mo, service: 'supervision' as const, subject: 'Supervision' };
    for (const date of ['2026-12-04', '2026-12-07']) {
      await book(eve, date, { client: mo });
      await book(max, date, { ...observed, end: '10:00' });
    }
    await book(sue, '2026-12-07', { ...observed, start: '10:00' });
  },
);

const get = async <T>(path: string): Promise<T> => {
  const reply = await t.staff.call({ url: `/api/ledgers/supervision${path}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};

test('given credentials that end during the month, then supervision counts on the dates on which a therapist is an RBT', async () => {
  const { rows, off } = await get<SupervisionReply>('?location=altamonte&date=2026-12-09');
  expect(rows.map(({ name, direct, done, contacts }) => [name, direct, done, contacts])).toEqual([
    ['Ana Ruiz', 180, 60, 1],
    ['Eve Moss', 360, 60, 1],
    ['Sue Kent', 180, 0, 0],
  ]);
  expect(off).toEqual([]);
  const datesOf = async (id: string) =>
    (await get<SupervisedSession[]>(`/${id}?date=2026-12-09`)).map(({ date }) => date);
  expect([await datesOf(ana), await datesOf(sue)]).toEqual([['2026-12-02'], ['2026-12-10']]);
  const supervised = (await get<SupervisedSession[]>(`/${eve}?date=2026-12-09`)).map((own) => own.supervised);
  expect(supervised).toEqual([60, 0]);
});

test('given a supervisor who observes an RBT with a group, then the visit is one contact, however many children are in the group', async () => {
  const { db } = t;
  const location = 'tampa';
  const rbt = await buildTherapist(db, { first: 'Kim', last: 'Group', location });
  const supervisor = await buildTherapist(db, { first: 'Lee', last: 'Group', location, specialization: 'BCBA' });
  const children = [await buildClient(db, { location }), await buildClient(db, { location })];
  for (const [date, group] of [
    ['2026-12-02', true],
    ['2026-12-03', false],
  ] as const)
    for (const [i, client] of children.entries()) {
      const hours = group || i === 0 ? { start: '09:00', end: '10:00' } : { start: '10:00', end: '11:00' };
      const at = { client, date, location, ...hours } as const;
      await buildAppointment(db, {
        ...{ ...at, therapist: rbt, subject: '97154' },
        ...(group ? { group: `${date} rbt` } : {}),
      });
      await buildAppointment(db, {
        ...{ ...at, therapist: supervisor, subject: '97158', service: 'supervision' },
        ...(group ? { group: `${date} bcba` } : {}),
      });
    }
  const { rows } = await get<SupervisionReply>(`?location=${location}&date=2026-12-09`);
  expect(rows.map(({ direct, done, contacts }) => [direct, done, contacts])).toEqual([[180, 180, 3]]);
});

test('given RBTs who start, leave or are deleted in the middle of a month, the month has them on each of its dates, and so has the week their hours', async () => {
  const { db } = t;
  const location = 'orlando';
  const rbt = async (first: string, plan: Parameters<typeof buildTherapist>[1], date: string) => {
    const therapist = await buildTherapist(db, { first, last: 'Month', location, ...plan });
    const client = await buildClient(db, { location });
    await buildAppointment(db, { therapist, client, date, location, start: '09:00', end: '11:00' });
    return therapist;
  };
  await rbt('Early', { lastDay: '2026-12-08' }, '2026-12-07');
  await rbt('Late', { firstDay: '2026-12-21' }, '2026-12-22');
  const gone = await rbt('Gone', {}, '2026-12-01');
  await db.updateTable('therapist').set({ deleted_at: '2026-12-02T15:00:00Z' }).where('id', '=', gone).execute();
  await rbt('Before', { lastDay: '2026-11-30' }, '2026-11-27');
  for (const date of ['2026-12-01', '2026-12-09', '2026-12-31'])
    expect(
      (await get<SupervisionReply>(`?location=${location}&date=${date}`)).rows.map((r) => [r.name, r.direct]),
    ).toEqual(['Early Month', 'Gone Month', 'Late Month'].map((name) => [name, 120]));
  const hours = async (date: string) => {
    const reply = await t.staff.call({ url: `/api/ledgers/hours?location=${location}&date=${date}` });
    return reply.json<HoursReply>().rows.map(({ name, booked, left }) => [name, booked, left]);
  };
  expect(await hours('2026-12-08')).toEqual([['Early Month', 120, 40 * 60 - 120]]);
  // After the last day, no hours are left to book.
  expect(await hours('2026-12-11')).toEqual([['Early Month', 120, 0]]);
  expect(await hours('2026-12-14')).toEqual([]);
});
