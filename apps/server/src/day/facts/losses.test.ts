import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { lossColumn, lossOfRow, type LossRow } from './losses.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** The loss that is read from a row with these values. */
async function lossOf(cause: string | null, side: string | null, known: string | null) {
  const { rows } = await sql<LossRow>`select ${lossColumn('x')}
    from (select ${cause}::text as cause_id, ${side}::text as lost_by, ${known}::timestamp as known_at) x`.execute(
    database.db,
  );
  return rows.map(lossOfRow);
}

test('given a row with any of cause, side and time, its loss has these, and the side that the cause implies', async () => {
  const none = { cause: null, label: null, lostBy: null, saidBy: null, known: null };
  const caused = { ...none, cause: 'authorization', label: 'Authorization', lostBy: 'payer' };
  const at = '2026-11-20 07:30:00';
  const clinic = { lostBy: 'clinic', saidBy: 'clinic' };
  expect(await lossOf(null, null, null)).toEqual([{}]);
  expect(await lossOf('authorization', null, null)).toEqual([{ loss: caused }]);
  expect(await lossOf('authorization', 'clinic', null)).toEqual([{ loss: { ...caused, ...clinic } }]);
  expect(await lossOf(null, 'clinic', null)).toEqual([{ loss: { ...none, ...clinic } }]);
  expect(await lossOf(null, null, at)).toEqual([{ loss: { ...none, known: at } }]);
  expect(await lossOf('authorization', 'clinic', at)).toEqual([{ loss: { ...caused, ...clinic, known: at } }]);
});
