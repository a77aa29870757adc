import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { backUp } from './backup.ts';
import { checkBackup, restore } from './restore.ts';
import { goesAlong, quoted, tablesInOrder } from './tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinic-texts-'));
let from: TestDatabase;
let into: TestDatabase;
let files = 0;
/** Every column that can hold text, by table. The constraints on these columns are removed in both databases. */
let columns: { table: string; column: string; type: string }[];

beforeAll(async () => {
  from = await createTestDatabase();
  into = await createTestDatabase();
  for (const { db } of [from, into]) await takeRulesAway(db);
  const client = await from.pool.connect();
  columns = (await tablesInOrder(client)).flatMap((table) =>
    table.columns
      .filter(({ type }) => ['text', 'text[]', 'jsonb'].includes(type))
      .map(({ name, type }) => ({ table: table.name, column: name, type })),
  );
  client.release();
});
beforeEach(async () => {
  for (const table of new Set(columns.map((each) => each.table)))
    await sql`truncate ${sql.table(table)} cascade`.execute(from.db);
});
afterAll(async () => {
  await from.close();
  await into.close();
  rmSync(folder, { recursive: true });
});

/**
 * Removes the constraints. Without them, any column can hold any text, even text too long for an index, and a backup
 * must preserve it.
 */
async function takeRulesAway(db: TestDatabase['db']): Promise<void> {
  await sql`do $$ declare each record; begin
    for each in select conname, conrelid::regclass as of from pg_constraint
      where connamespace = current_schema()::regnamespace and contype in ('c', 'f', 'u', 'x', 'p')
      order by contype = 'p', contype = 'u' loop
      execute format('alter table %s drop constraint if exists %I cascade', each.of, each.conname);
    end loop;
    for each in select indexrelid::regclass as of from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and c.relname not like 'migrations%' loop
      execute format('drop index if exists %s', each.of);
    end loop;
    for each in select attname, attrelid::regclass as of from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attnotnull
        and c.relname <> 'migrations' and a.attidentity = '' loop
      execute format('alter table %s alter column %I drop not null', each.of, each.attname);
    end loop;
    for each in select tgname, tgrelid::regclass as of from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and not tgisinternal loop
      execute format('drop trigger %I on %s', each.tgname, each.of);
    end loop;
  end $$`.execute(db);
}

/**
 * Stores each text in one row of every table, in all of the row's columns: plain, in an array, and as a JSON string and
 * key.
 */
async function store(texts: readonly string[]): Promise<void> {
  for (const table of new Set(columns.map((each) => each.table))) {
    const own = columns.filter((each) => each.table === table);
    const values = own.map(({ type }) =>
      type === 'text' ? 't' : type === 'text[]' ? 'array[t, null, t]' : "jsonb_build_object(t, t, 'list', array[t])",
    );
    await from.pool.query(
      `insert into ${quoted(table)} (${own.map((each) => quoted(each.column)).join(', ')})
       select ${values.join(', ')} from unnest($1::text[]) t`,
      [texts],
    );
  }
}

async function survives(): Promise<void> {
  const file = join(folder, `backup-${++files}`);
  await backUp(from.pool, file, new Date());
  await restore(into.pool, await checkBackup(file), { replace: true });
  rmSync(file);
  for (const table of new Set(columns.map((each) => each.table))) {
    const of = (database: TestDatabase) =>
      database.pool.query<{ n: string; sum: string | null }>(
        `select count(*) as n, md5(string_agg(t::text, ',' order by t::text)) as sum from ${quoted(table)} t
         where ${goesAlong(table)}`,
      );
    expect((await of(into)).rows, table).toEqual((await of(from)).rows);
  }
}

test('every character that PostgreSQL can store survives a backup and a restore, in every type of text column', async () => {
  expect(columns.length).toBeGreaterThan(70);
  // All characters, 4096 per text: PostgreSQL cannot store 0, and surrogates are only halves of characters.
  const all = Array.from({ length: 0x10ffff }, (_, i) => i + 1).filter((code) => code < 0xd800 || code > 0xdfff);
  const texts: string[] = [];
  for (let at = 0; at < all.length; at += 4096) texts.push(String.fromCodePoint(...all.slice(at, at + 4096)));
  expect(texts.join('').length).toBe(all.length + (0x10ffff - 0xffff));
  // Only one column of each type is filled, since all columns of a type are handled alike. The next test fills every
  // column.
  const before = columns;
  columns = columns.filter(({ table, column }) => table === 'audit' && /^(action|subject_ids|detail)$/.test(column));
  expect(columns.map(({ type }) => type).sort()).toEqual(['jsonb', 'text', 'text[]']);
  await store(texts);
  await survives();
  columns = before;
});

test('any text in any column survives a backup and a restore, even with line separators or parts of the format itself', async () => {
  const SPECIAL = ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\v', '\f', '\u0001', '\u001e', '\u007f'].concat(
    [
      '\u00a0',
      '\ufeff',
      '\ufffe',
      '\uffff',
      '\u200b',
      '\u202e',
      '\ud800\udc00',
      '\u{10ffff}',
      '😀',
      '"',
      '\\',
      '\\u0000',
    ],
    ['\\x00', '{"row":', '}', 'null', '{"table":"client"}', '\n{"sha256":""}\n', "'", '$1', 'NULL', '{NULL,"a"}', ''],
  );
  await store(SPECIAL);
  await survives();
  const text = fc.array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', maxLength: 8 })));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 50 }), async (many) => {
      await store(many.map((parts) => parts.join('').replaceAll('\0', '')));
      await survives();
    }),
    { numRuns: 3 },
  );
});

test("JSON's null and a missing value stay distinct, and numbers keep all their digits", async () => {
  await sql`insert into appointment_event (what, before, after) values
    ('a', 'null', null), ('b', null, 'null'), ('c', '{"n": 12345678901234567890.10, "m": null}', '[null, 1e400]')`.execute(
    from.db,
  );
  await survives();
  const { rows } = await sql`select what, before::text, after::text from appointment_event order by what`.execute(
    into.db,
  );
  expect(rows).toEqual([
    { what: 'a', before: 'null', after: null },
    { what: 'b', before: null, after: 'null' },
    { what: 'c', before: '{"m": null, "n": 12345678901234567890.10}', after: `[null, 1${'0'.repeat(400)}]` },
  ]);
});
