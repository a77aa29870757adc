import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onReadSnapshot, openDatabase, type Db } from './connection.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("dates and times of every type arrive as strings, whatever this process's time zone", async () => {
  const { rows } = await sql`select date '2026-11-20' as d, time '08:30' as t, timestamp '2026-11-20 08:30' as ts,
    timestamptz '2026-11-20 08:30:00.5-05' as tz, interval '1 day 2 hours' as i, array[date '2026-11-20', null] as ds,
    array[timestamptz '2026-01-01 00:00+00'] as tzs, 9007199254740993::int8 as n, 1.50::numeric as m, '{"a": 1}'::jsonb as j`.execute(
    database.db,
  );
  expect(rows).toEqual([
    {
      d: '2026-11-20',
      t: '08:30:00',
      ts: '2026-11-20 08:30:00',
      tz: '2026-11-20 13:30:00.5+00',
      i: 'P1DT2H',
      ds: ['2026-11-20', null],
      tzs: ['2026-01-01 00:00:00+00'],
      n: '9007199254740993',
      m: '1.50',
      j: { a: 1 },
    },
  ]);
});

test('a statement that exceeds the time limit is cancelled', async () => {
  const impatient = openDatabase(database.target, { statementTimeoutMs: 50 });
  await expect(sql`select pg_sleep(10)`.execute(impatient.db)).rejects.toMatchObject({ code: '57014' });
  await impatient.close();
});

test('when connections are lost, only the queries running on them fail', async () => {
  const idle: Error[] = [];
  const one = openDatabase(database.target, { onIdleError: (error) => idle.push(error), name: 'clinic-victim' });
  const killAll = () =>
    sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'clinic-victim'`.execute(
      database.db,
    );
  await sql`select 1`.execute(one.db);
  const inUse = one.db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    await killAll();
    await sql`select 1`.execute(trx);
  });
  await expect(inUse).rejects.toThrow();
  await sql`select 1`.execute(one.db);
  await killAll();
  await expect.poll(() => idle.length).toBeGreaterThan(0);
  expect((await sql`select 1 as one`.execute(one.db)).rows).toEqual([{ one: 1 }]);
  await one.close();
});

test('after close, no connection is left, whatever was read or written', async () => {
  const uses = {
    snapshot: (db: Db) => onReadSnapshot(db, (reads) => sql`select 1`.execute(reads)),
    read: (db: Db) => sql`select 1`.execute(db),
    write: (db: Db) => db.transaction().execute((trx) => sql`select 1`.execute(trx)),
    nothing: () => Promise.resolve(),
  };
  for (const [use, run] of Object.entries(uses)) {
    const name = `clinic-closed-${use}`;
    const one = openDatabase(database.target, { name });
    await run(one.db);
    await one.close();
    const left = () => sql`select pid from pg_stat_activity where application_name = ${name}`.execute(database.db);
    await expect.poll(async () => (await left()).rows, { timeout: 10_000, message: use }).toEqual([]);
  }
});
