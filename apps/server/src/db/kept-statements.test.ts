import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openDatabase, type OpenDatabase } from './connection.ts';
import { KeptStatements } from './kept-statements.ts';

let database: TestDatabase;
let one: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  one = openDatabase(database.target, { connections: 2 });
});
afterAll(async () => {
  await one.close();
  await database.close();
});

const keptOn = async (): Promise<string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(one.db);
  return rows.map((row) => row.statement);
};
async function repeat(times: number, run: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await run(n);
}

test('a read with parameters becomes a prepared statement on its tenth use, and stays correct', async () => {
  const double = (n: number) => sql<{ twice: number }>`select ${n}::int * 2 as twice`.execute(one.db);
  await repeat(9, double);
  expect(await keptOn()).toEqual([]);
  await double(0);
  expect(await keptOn()).toEqual(['select $1::int * 2 as twice']);
  for (const n of [1, 2, 3, 4, 5, 6, 7]) expect((await double(n)).rows).toEqual([{ twice: 2 * n }]);
});

test('a prepared read stays correct after a column is added, and a read of all columns is never prepared', async () => {
  await sql`create table shelf (id int, name text)`.execute(one.db);
  await sql`insert into shelf values (1, 'a')`.execute(one.db);
  const named = () => sql`select id, name from shelf where id = ${1}`.execute(one.db);
  const all = () => sql`select * from shelf where id = ${1}`.execute(one.db);
  await repeat(12, named);
  await repeat(12, all);
  expect((await keptOn()).filter((text) => text.includes('shelf'))).toEqual([
    'select id, name from shelf where id = $1',
  ]);
  await sql`alter table shelf add column height int`.execute(one.db);
  await sql`update shelf set name = 'b'`.execute(one.db);
  expect((await named()).rows).toEqual([{ id: 1, name: 'b' }]);
  expect((await all()).rows).toEqual([{ id: 1, name: 'b', height: null }]);
});

test('writes and reads without parameters are never prepared', async () => {
  await sql`create table log (n int)`.execute(one.db);
  await repeat(12, (n) => sql`insert into log values (${n})`.execute(one.db));
  await repeat(12, () => sql`select 1 as plain`.execute(one.db));
  expect((await keptOn()).filter((text) => /insert|plain/.test(text))).toEqual([]);
});

test('however many statements are used, at most a hundred stay prepared', () => {
  const kept = new KeptStatements();
  const names = new Set<string | undefined>();
  for (let statement = 0; statement < 500; statement++)
    for (let use = 0; use < 10; use++) names.add(kept.nameOf(`select $1::int + ${statement}`));
  names.delete(undefined);
  expect(names.size).toBe(100);
});
