import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { inTransaction } from './retry.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test('when two transactions wait for each other, the cancelled one starts again and both succeed', async () => {
  let tries = 0;
  const held = { 1: gate(), 2: gate() };
  const crossing = (first: 1 | 2, second: 1 | 2) =>
    inTransaction(database.db, async (trx) => {
      tries++;
      await sql`select pg_advisory_xact_lock(${first})`.execute(trx);
      held[first].open();
      await held[second].opened;
      await sql`select pg_advisory_xact_lock(${second})`.execute(trx);
      return first;
    });
  expect(await Promise.all([crossing(1, 2), crossing(2, 1)])).toEqual([1, 2]);
  expect(tries).toBe(3);
});

test('an error is reported if a retry cannot help, or if every retry fails too', async () => {
  let tries = 0;
  const failing = (code: string) =>
    inTransaction(database.db, () => {
      tries++;
      return Promise.reject(Object.assign(new Error(`failed with ${code}`), { code }));
    });
  await expect(failing('23505')).rejects.toThrow('23505');
  expect(tries).toBe(1);
  await expect(failing('40001')).rejects.toThrow('40001');
  expect(tries).toBe(6);
});
