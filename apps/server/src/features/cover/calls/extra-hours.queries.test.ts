import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { buildAppointment, buildTherapist } from '../../../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import { closeExtraHours } from './extra-hours.queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a day sheet closes only the open questions about extra hours of its own day', async () => {
  const { db } = database;
  const at = '2026-11-24T12:00:00.000Z';
  const on = { location: 'altamonte', date: isoDate('2026-11-24') } as const;
  const therapist_id = await buildTherapist(db);
  let hour = 7;
  const time = () => `${String(hour).padStart(2, '0')}:00`;
  const bookSession = () => {
    const start = time();
    hour++;
    return buildAppointment(db, { date: on.date, start, end: time(), therapist: therapist_id, client: null });
  };
  const ask = async (more: object = {}): Promise<string> => {
    const asked = { ...on, therapist_id, kind: 'late' as const, start_minute: 1020, end_minute: 1050, asked_at: at };
    const row = await db
      .insertInto('extra_hours')
      .values({ ...asked, session: await bookSession(), ...more })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const open = await ask();
  await ask({ date: '2026-11-25' });
  await ask({ location: 'tampa' });
  await ask({ agreed_at: at });
  await ask({ ended_at: at });
  await closeExtraHours(db, on, at);
  const closed = await db.selectFrom('extra_hours').select('id').where('sheet_at', 'is not', null).execute();
  expect(closed.map(({ id }) => id)).toEqual([open]);
});
