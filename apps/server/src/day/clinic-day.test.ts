import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, isoDate } from '@clinic/domain';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildNo } from '../testing/declines.ts';
import type { Database } from '../db/schema.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { loadClinicDay } from './clinic-day.ts';
import { selectAbsences } from './facts/clinic-day.queries.ts';
import type { ClinicDay } from './facts/day.ts';
import { bumpDays } from './facts/versions.ts';

const DATE = isoDate('2030-11-22');
let database: TestDatabase;
let ids: { ana: string; kai: string; pat: string; bo: string; zoe: string };
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  ids = {
    ana: await buildTherapist(db, { first: 'Ana', last: 'Ruiz' }),
    kai: await buildTherapist(db, { first: 'Kai', last: 'Wood' }),
    pat: await buildTherapist(db, { first: 'Pat', last: 'Cruz', location: 'tampa' }),
    bo: await buildClient(db, { first: 'Bo', last: 'Lee', requiresGender: ['Female'], excludes: [] }),
    zoe: await buildClient(db, { first: 'Zoe', last: 'Kim', location: 'tampa' }),
  };
});
afterAll(() => database.close());

const given = (therapist: string, before: number, more: Partial<Parameters<typeof buildAppointment>[1]> = {}) =>
  buildAppointment(database.db, {
    therapist,
    client: ids.bo,
    date: addDays(DATE, -before),
    start: '09:00',
    end: '10:00',
    ...more,
  });
const knows = async () => {
  const day = await loadClinicDay(database.db, 'altamonte', DATE, { wall: { date: DATE, minutes: 0 } });
  return Object.fromEntries(day.clients.find((c) => c.id === ids.bo)?.knows ?? []);
};

test('a therapist with 4 sessions in 28 days is on the client’s team, and one with 1 session in 90 days is known to the client', async () => {
  const { db } = database;
  await buildAppointment(db, { therapist: ids.kai, client: ids.bo, date: DATE, start: '13:00', end: '14:00' });
  expect(await knows()).toEqual({}); // a session on the day itself does not make the client know the therapist
  await given(ids.ana, 91);
  await given(ids.ana, 1, { status: 'cancelled' });
  await given(ids.ana, 2, { status: 'noshow' });
  expect(await knows()).toEqual({});
  await given(ids.ana, 90);
  expect(await knows()).toEqual({ [ids.ana]: 'known' });
  for (const before of [28, 20, 10]) await given(ids.ana, before);
  expect(await knows()).toEqual({ [ids.ana]: 'known' });
  await given(ids.ana, 3, { status: 'pending' });
  expect(await knows()).toEqual({ [ids.ana]: 'team' });
});

test('a session cut into pieces counts once', async () => {
  const { db } = database;
  const first = await given(ids.kai, 5, { start: '15:00', end: '15:30' });
  for (const [start, end] of [
    ['15:30', '16:00'],
    ['16:00', '16:30'],
    ['16:30', '17:00'],
  ] as const) {
    const piece = await given(ids.kai, 5, { start, end });
    await db.updateTable('appointment').set({ parent_id: first }).where('id', '=', piece).execute();
  }
  expect((await knows())[ids.kai]).toBe('known');
});

test('a day holds the location’s people, everyone else booked there, all their appointments, and who is away', async () => {
  const { db } = database;
  await buildAppointment(db, { therapist: ids.pat, client: ids.bo, date: DATE, start: '09:00', end: '10:00' });
  await buildAppointment(db, {
    therapist: ids.pat,
    client: ids.zoe,
    date: DATE,
    start: '11:00',
    end: '12:00',
    location: 'tampa',
  });
  await buildAppointment(db, {
    therapist: ids.pat,
    client: ids.zoe,
    date: addDays(DATE, 1),
    start: '11:00',
    end: '12:00',
    location: 'tampa',
  });
  await buildAbsence(db, { therapist: ids.pat, date: DATE, start: '15:00', location: 'tampa' });
  await buildAbsence(db, { client: ids.zoe, date: addDays(DATE, 1) });
  await db.updateTable('therapist').set({ deleted_at: new Date().toISOString() }).where('id', '=', ids.kai).execute();
  await bumpDays(db, [{ location: 'altamonte', date: DATE }]);
  const day = await loadClinicDay(db, 'altamonte', DATE, { wall: { date: DATE, minutes: 0 } });
  expect(day.therapists.map((t) => [t.displayName, t.location, t.deleted, t.available])).toEqual([
    ['Ana Ruiz', 'altamonte', false, [{ start: 540, end: 1020 }]],
    ['Kai Wood', 'altamonte', true, []],
    ['Pat Cruz', 'tampa', false, [{ start: 540, end: 1020 }]],
  ]);
  expect(day.clients.map((c) => [c.displayName, c.requiresGender])).toEqual([
    ['Bo Lee', ['Female']],
    ['Zoe Kim', []],
  ]);
  expect(day.appointments.map((a) => [a.location, a.start, a.end])).toEqual([
    ['altamonte', 540, 600],
    ['tampa', 660, 720],
    ['altamonte', 780, 840],
  ]);
  expect(day.absences).toMatchObject([{ therapistId: ids.pat, location: 'tampa', start: 900, end: 1440 }]);
  expect(day.version).toBe(1);
});

test('a day without sessions still holds its people, their availability and who is away', async () => {
  const { db } = database;
  const date = addDays(DATE, 35);
  await buildAbsence(db, { therapist: ids.ana, date, start: '15:00' });
  const day = await loadClinicDay(db, 'altamonte', date, { familiarity: false });
  expect(day.appointments).toEqual([]);
  expect(day.therapists.map((t) => [t.displayName, t.available])).toEqual([['Ana Ruiz', [{ start: 540, end: 1020 }]]]);
  expect(day.clients.map((c) => c.displayName)).toEqual(['Bo Lee']);
  expect(day.absences).toMatchObject([{ therapistId: ids.ana, start: 900, end: 1440 }]);
});

test('given that no plans are made, a day is one statement, without the data that only plans use', async () => {
  const asked: string[] = [];
  const counted = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void asked.push(query.sql),
  });
  const plain = await loadClinicDay(counted, 'altamonte', DATE, { familiarity: false });
  expect(asked).toHaveLength(1);
  for (const table of ['client_need', 'client_restriction', 'therapist_tag', 'setting'])
    expect(asked.some((query) => query.includes(`"${table}"`))).toBe(false);
  const whole = await loadClinicDay(counted, 'altamonte', DATE, { wall: { date: DATE, minutes: 0 } });
  const { version, appointments, absences, declines, extra } = whole;
  expect(plain).toMatchObject({ version, appointments, absences, declines, extra });
  expect(names(plain)).toEqual(names(whole));
});

const names = (day: ClinicDay): string[] => [...day.therapists, ...day.clients].map((person) => person.displayName);

test('a session does not make a therapist known if the therapist declined it, or if the therapist or the client was away the whole time', async () => {
  const { db } = database;
  const uma = await buildTherapist(db, { first: 'Uma', last: 'Moss' });
  const date = (before: number) => addDays(DATE, -before);
  const said = { therapist: uma, other: ids.ana };
  await buildNo(db, 'no', { ...said, key: await given(uma, 11), date: date(11) });
  await buildNo(db, 'piece', { ...said, key: await given(uma, 12), date: date(12) });
  await given(uma, 13);
  await buildAbsence(db, { therapist: uma, date: date(13), start: '09:00', end: '10:00' });
  await given(uma, 14);
  await buildAbsence(db, { client: ids.bo, date: date(14), start: '08:00', end: '10:00' });
  expect((await knows())[uma]).toBeUndefined();
  // A no that was taken back, and sessions of which a part took place, do count.
  await buildNo(db, 'taken back', { ...said, key: await given(uma, 15), date: date(15) });
  expect((await knows())[uma]).toBe('known');
  for (const before of [16, 17, 18]) {
    await given(uma, before);
    await buildAbsence(db, { therapist: uma, date: date(before), start: '09:00', end: '09:30' });
  }
  expect((await knows())[uma]).toBe('team');
});

test('a person’s absences are selected for one date only', async () => {
  const { db } = database;
  const [one, other] = [addDays(DATE, 70), addDays(DATE, 71)];
  await buildAbsence(db, { therapist: ids.pat, date: one, location: 'tampa' });
  await buildAbsence(db, { client: ids.zoe, date: other, location: 'tampa' });
  const away = async (date: typeof DATE) =>
    (await selectAbsences(db, date, [ids.pat], [ids.zoe])).map(({ therapistId, clientId }) => therapistId ?? clientId);
  expect([await away(one), await away(other)]).toEqual([[ids.pat], [ids.zoe]]);
});
