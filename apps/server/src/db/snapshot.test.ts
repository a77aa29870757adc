import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openDatabase, type Db, type OpenDatabase } from './connection.ts';
import { inTransaction, onSnapshot } from './retry.ts';
import { together } from './snapshot.ts';

let database: TestDatabase;
let one: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  one = openDatabase(database.target, { connections: 2, statementTimeoutMs: 2000 });
  await sql`create table shelf (name text)`.execute(one.db);
});
afterAll(async () => {
  await one.close();
  await database.close();
});

const countShelf = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from shelf`.execute(db);
  return rows[0]?.n ?? -1;
};
const value = async (db: Db, given: number): Promise<number | undefined> =>
  (await sql<{ n: number }>`select ${given}::int as n`.execute(db)).rows[0]?.n;

test('all reads on a snapshot see the same moment, even when another transaction commits between them', async () => {
  const counts = await onSnapshot(one.db, async (trx) => {
    const first = await countShelf(trx);
    await inTransaction(one.db, (writing) => sql`insert into shelf values ('a')`.execute(writing));
    return [first, await countShelf(trx)];
  });
  expect(counts).toEqual([0, 0]);
  expect(await countShelf(one.db)).toBe(1);
});

test('when a read fails, the snapshot waits for the other reads and fails with that error, and the connection still works', async () => {
  let ended = false;
  const slow = async (trx: Db): Promise<void> => {
    await sql`select pg_sleep(0.1)`.execute(trx);
    ended = true;
  };
  const work = onSnapshot(one.db, (trx) => together(slow(trx), sql`select 1 / 0`.execute(trx), value(trx, 3)));
  await expect(work).rejects.toMatchObject({ code: '22012' });
  expect(ended).toBe(true);
  expect(await onSnapshot(one.db, (trx) => value(trx, 4))).toBe(4);
});

test('a transaction waits for the reads that it started together, even if one fails', async () => {
  let rest: Promise<number | undefined> | undefined;
  const work = inTransaction(one.db, (trx) => {
    const failing = sql`select 1 / 0`.execute(trx);
    rest = value(trx, 5);
    return together(failing, rest);
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  // This error shows that the read ran inside the failed transaction, not after it.
  await expect(rest).rejects.toMatchObject({ code: '25P02' });
});

test('a snapshot writes nothing, refuses to start a transaction, and accepts no statement after its end', async () => {
  const write = onSnapshot(one.db, (trx) => sql`insert into shelf values ('b')`.execute(trx));
  await expect(write).rejects.toMatchObject({ code: '25006' });
  await expect(onSnapshot(one.db, (trx) => trx.transaction().execute(() => Promise.resolve()))).rejects.toThrow(
    'is not supported',
  );
  const kept = await onSnapshot(one.db, (trx) => Promise.resolve(trx));
  await expect(value(kept, 6)).rejects.toThrow('already committed');
});

test('given many reads sent together, each one has a statement’s full time limit', async () => {
  const sleeps = await onSnapshot(one.db, (trx) =>
    together(...Array.from({ length: 5 }, () => sql`select pg_sleep(1.5)`.execute(trx))),
  );
  expect(sleeps).toHaveLength(5); // 7.5 s in all, although a statement may take only 2 s, and a reply 7 s
}, 15_000);
