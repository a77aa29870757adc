import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectAppointment } from '../../day/facts/clinic-day.queries.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { selectClientsOf } from './history.queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a group session’s clients are those in the same group with the same therapist at the same time', async () => {
  const { db } = database;
  const [kai, other] = [await buildTherapist(db), await buildTherapist(db)];
  const at = { therapist: kai, date: '2026-11-24', start: '09:00', end: '10:00', group: 'g' } as const;
  const member = async (more: object = {}): Promise<[client: string, key: string]> => {
    const client = await buildClient(db);
    return [client, await buildAppointment(db, { ...at, client, ...more })];
  };
  const [[ann, key], [bea]] = [await member(), await member()];
  await member({ status: 'cancelled' });
  await member({ therapist: other });
  await member({ start: '10:00', end: '11:00' });
  await member({ date: '2026-11-25' });
  const session = await selectAppointment(db, key);
  expect(session && (await selectClientsOf(db, session)).toSorted()).toEqual([ann, bea].toSorted());
});
