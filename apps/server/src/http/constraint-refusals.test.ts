import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { BY_NAME, constraintRefusal } from './constraint-refusals.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Every check, unique, exclusion and trigger constraint of our tables, but not primary and foreign keys. */
async function rulesOfTheDatabase(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
      where connamespace = current_schema()::regnamespace and conrelid <> 0 and contype in ('c', 'u', 'x')
    union
    select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and i.indisunique and not i.indisprimary
    union
    select m[1] from pg_proc p, regexp_matches(p.prosrc, 'constraint = ''([a-z_]+)''', 'g') as m
      where p.pronamespace = current_schema()::regnamespace
    order by 1`.execute(database.db);
  return rows.map((row) => row.name);
}

test('every listed refusal belongs to a constraint of the migrated database', async () => {
  const rules = await rulesOfTheDatabase();
  expect(rules.length).toBeGreaterThan(40);
  expect(Object.keys(BY_NAME).filter((name) => !rules.includes(name))).toEqual([]);
});

test('a database error about a constraint or an invalid value becomes a refusal, and any other error does not', async () => {
  const refusalOf = async (text: string): Promise<string | undefined> => {
    const error: unknown = await sql
      .raw(text)
      .execute(database.db)
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    expect(error, text).not.toBeNull();
    const refusal = constraintRefusal(error);
    return refusal === null ? undefined : `${refusal.code}: ${refusal.message}`;
  };
  expect(await refusalOf(`insert into setting values ('a', '1'), ('a', '1')`)).toMatch(/^conflict: Someone saved/);
  expect(
    await refusalOf(`insert into session (account_id, created_at, last_seen_at, expires_at)
    values (gen_random_uuid(), now(), now(), now())`),
  ).toMatch(/^invalid: Something that this change refers to/);
  expect(await refusalOf(`insert into setting (key) values ('b')`)).toMatch(/^invalid: Something required/);
  expect(await refusalOf(`insert into import_row values ('x', 'y', 'z', 'a', 1)`)).toMatch(
    /^invalid: One of the values is not/,
  );
  for (const bad of [
    "'x'::uuid",
    '99999999999::int4',
    "'2026-02-30'::date",
    "convert_from(decode('ff', 'hex'), 'UTF8')",
    "'1e999'::float8",
  ]) {
    expect(await refusalOf(`select ${bad}`), bad).toMatch(/^invalid: /);
  }
  expect(await refusalOf('select nothing from nowhere')).toBeUndefined();
  expect(constraintRefusal(new Error('other'))).toBeNull();
  expect(constraintRefusal(Object.assign(new Error('a file'), { code: 'ENOENT' }))).toBeNull();
});
