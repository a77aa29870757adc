import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { selectLedgerSessions } from './ledgers.queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a therapist’s sessions are selected from the first to the last date, both included', async () => {
  const { db } = database;
  const client = await buildClient(db);
  const [kai, other] = [await buildTherapist(db), await buildTherapist(db)];
  const at = (day: number, more: object = {}) =>
    buildAppointment(db, { therapist: kai, client, date: `2026-11-0${day}`, start: '09:00', end: '10:00', ...more });
  await at(1);
  const kept = [await at(2), await at(4, { start: '23:00', end: '24:00' })];
  await at(3, { status: 'cancelled' });
  await at(3, { therapist: other });
  await at(5, { start: '00:00', end: '01:00' });
  const found = await selectLedgerSessions(db, kai, [isoDate('2026-11-02'), isoDate('2026-11-04')]);
  expect(found.map(({ id }) => id)).toEqual(kept);
});
