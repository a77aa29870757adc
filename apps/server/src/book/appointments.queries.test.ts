import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { selectLocationsOf } from './appointments.queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('plans that can use a therapist are at their home location and where they are booked that day', async () => {
  const { db } = database;
  const therapist = await buildTherapist(db);
  const at = { therapist, client: await buildClient(db), date: '2026-11-24', start: '09:00', end: '10:00' };
  await buildAppointment(db, { ...at, location: 'tampa' });
  await buildAppointment(db, { ...at, location: 'orlando', status: 'cancelled' });
  await buildAppointment(db, { ...at, location: 'deerfield', date: '2026-11-25' });
  expect((await selectLocationsOf(db, [therapist], at.date)).toSorted()).toEqual(['altamonte', 'tampa']);
});
