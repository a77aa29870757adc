import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { amongReads, openDatabase } from './connection.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("a database session has the product's settings, whatever the database, the role and the start options set", async () => {
  const { db, name, target } = database;
  for (const setting of [
    "timezone = 'America/Chicago'",
    "datestyle = 'German'",
    "intervalstyle = 'postgres_verbose'",
    "bytea_output = 'escape'",
    'standard_conforming_strings = off',
    "search_path = 'pg_catalog'",
    "default_transaction_isolation = 'serializable'",
    'jit = on',
    'max_parallel_workers_per_gather = 2',
  ])
    await sql.raw(`alter database ${name} set ${setting}`).execute(db);
  const schemas = openDatabase({ ...target, options: '-c timezone=Asia/Kolkata -c search_path=public' });
  try {
    const text = sql<
      Record<string, string>
    >`select timestamptz '2026-11-20 13:30:00+00' as at, date '2026-11-20' as day,
      interval '1 day 2 hours' as long, '\\x00ff'::bytea::text as bytes, current_schema() as schema,
      current_setting('transaction_isolation') as isolation, current_setting('jit') as jit,
      current_setting('max_parallel_workers_per_gather') as workers`;
    const expected = {
      at: '2026-11-20 13:30:00+00',
      day: '2026-11-20',
      long: 'P1DT2H',
      bytes: '\\x00ff',
      schema: 'public',
      isolation: 'read committed',
      jit: 'off',
      workers: '0',
    };
    expect((await text.execute(schemas.db)).rows).toEqual([expected]);
    expect((await schemas.db.transaction().execute((trx) => text.execute(trx))).rows).toEqual([expected]);
  } finally {
    await schemas.close();
    await sql.raw(`alter database ${name} reset all`).execute(db);
  }
});

test("no setting that plans or values depend on comes from the database's own files, whoever installed it", async () => {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where (category ~ '^(Query Tuning|Client Connection Defaults|Version and Platform|Lock Management)'
        or category ~ 'Memory$|Asynchronous Behavior$|^Write-Ahead Log / Settings')
      and source not in ('default', 'override', 'session', 'client') order by name`.execute(database.db);
  // Words of messages, places of memory; the tests' own database does not wait for the disk.
  const harmless =
    /^(lc_.*|default_text_search_config|dynamic_shared_memory_type|shared_buffers|shared_preload_libraries|fsync)$/;
  expect(rows.map(({ name }) => name).filter((name) => !harmless.test(name))).toEqual([]);
});

test('while all writes wait for a lock, reads and logins still get connections; the writes are refused once they have waited too long', async () => {
  const one = openDatabase(database.target, { connections: 4, lockTimeoutMs: 500 });
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table client in access exclusive mode');
  const writes = Array.from({ length: 6 }, () =>
    one.db.transaction().execute((trx) => sql`delete from client`.execute(trx)),
  );
  const ended = Promise.allSettled(writes);
  const reads = await Promise.all([
    sql`select 1`.execute(one.db),
    amongReads(one.db)
      .transaction()
      .execute((trx) => sql`select 1`.execute(trx)),
  ]);
  expect(reads.map(({ rows }) => rows.length)).toEqual([1, 1]);
  const { rows } = await database.pool.query(
    "select 1 from pg_locks where not granted and relation = 'client'::regclass",
  );
  expect(rows.length).toBeGreaterThan(0); // the writes were indeed waiting during the reads
  for (const write of await ended) expect((write as PromiseRejectedResult).reason).toMatchObject({ code: '55P03' });
  await blocker.query('rollback');
  blocker.release();
  await one.close();
});
