import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { isMigrated, laterMigrations, migrate, readMigrations, type Migration } from './migrate.ts';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';

const server = inject('testServer');
let name: string;
let pool: pg.Pool;
beforeEach(async () => {
  name = `clinic_migrate_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = new pg.Pool(inDatabase(server.target, name));
});
afterEach(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

const made = (file: string, sql: string): Migration => ({ name: file, sql, checksum: `checksum of ${sql}` });
const ONE = made('0001-one.sql', 'create table one (id int)');
const TWO = made('0002-two.sql', 'create table two (id int); insert into one values (1)');

test('pending migrations are applied in order, and only once', async () => {
  expect(await migrate(pool, [ONE])).toEqual(['0001-one.sql']);
  expect(await isMigrated(pool, [ONE, TWO])).toBe(false);
  expect(await migrate(pool, [ONE, TWO])).toEqual(['0002-two.sql']);
  expect(await migrate(pool, [ONE, TWO])).toEqual([]);
  expect(await isMigrated(pool, [ONE, TWO])).toBe(true);
});

test("the product's own migrations apply to an empty database", async () => {
  expect(await migrate(pool)).toEqual(readMigrations().map((migration) => migration.name));
});

test('when several processes start together, one of them applies the migrations and the others find nothing to do', async () => {
  const slow = made('0001-slow.sql', 'select pg_sleep(0.2); create table one (id int)');
  const applied = await Promise.all([migrate(pool, [slow]), migrate(pool, [slow]), migrate(pool, [slow])]);
  expect(applied.flat()).toEqual(['0001-slow.sql']);
});

test('a migration that fails leaves no changes', async () => {
  const bad = made('0002-bad.sql', 'create table two (id int); select 1 / 0');
  await expect(migrate(pool, [ONE, bad])).rejects.toThrow('0002-bad.sql');
  const { rows } = await pool.query(
    "select to_regclass('one') is not null as one, to_regclass('two') is null as no_two",
  );
  expect(rows).toEqual([{ one: true, no_two: true }]);
  expect(await migrate(pool, [ONE, TWO])).toEqual(['0002-two.sql']);
});

test('a migration that was changed after it was applied is refused', async () => {
  await migrate(pool, [ONE]);
  await expect(migrate(pool, [made(ONE.name, 'create table one (id bigint)')])).rejects.toThrow(
    'was changed after it was applied',
  );
});

test('a migration that locks tables in another order than a running transaction starts again, and is applied once', async () => {
  await migrate(pool, [ONE, TWO]);
  const other = await pool.connect();
  try {
    await other.query('begin; lock table two in access share mode');
    const crossing = made('0003-cross.sql', 'lock table one; lock table two; insert into one values (3)');
    const migrating = migrate(pool, [ONE, TWO, crossing]);
    const waits = `select from pg_locks where not granted and relation = 'two'::regclass`;
    await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1);
    // The database ends the transaction that has waited longer: the migration.
    await other.query('lock table one in access share mode; commit');
    expect(await migrating).toEqual(['0003-cross.sql']);
  } finally {
    other.release(true);
  }
  expect((await pool.query('select id from one order by id')).rows).toEqual([{ id: 1 }, { id: 3 }]);
});

test('given a newer version’s migrations, an older one starts if the newer one says so; otherwise it is refused with the way out', async () => {
  const refused = /newer version of the scheduler \(0002-two.sql\).*start that version.*restore the backup/;
  await migrate(pool, [ONE, TWO], TWO.name);
  await expect(migrate(pool, [ONE])).rejects.toThrow(refused);
  await pool.query('comment on table migrations is null'); // as versions before this rule left it
  await expect(migrate(pool, [ONE])).rejects.toThrow(refused);
  await pool.query(`comment on table migrations is '${ONE.name}'`);
  expect(await migrate(pool, [ONE])).toEqual([]);
  expect(await laterMigrations(pool, [ONE])).toEqual([TWO.name]);
  // It does not apply migrations of its own on top of unknown ones.
  await expect(migrate(pool, [ONE, made('0003-other.sql', 'select 1')])).rejects.toThrow(refused);
});

test('a migration says which versions work beside it in the same transaction, so a crash leaves no wrong promise', async () => {
  await migrate(pool, [ONE], ONE.name);
  const bad = made('0003-bad.sql', 'select 1 / 0');
  await expect(migrate(pool, [ONE, TWO, bad], TWO.name)).rejects.toThrow('0003-bad.sql');
  await expect(migrate(pool, [ONE])).rejects.toThrow('cannot work with it');
});

test('no migration that has landed was changed: a new one is added to the list, and no line of it changes', () => {
  const listed = readFileSync(join(import.meta.dirname, 'migrations/landed.txt'), 'utf8')
    .trim()
    .split('\n');
  expect(listed).toEqual(readMigrations().map(({ name: file, checksum }) => `${checksum}  ${file}`));
});

test.each([
  ['a table', 'create table invoices (id int)', 'invoices'],
  ['a view', 'create view totals as select 1', 'totals'],
  ["another program's table of migrations", 'create table migrations (id int, name text)', 'migrations'],
])("another program's database, recognized by %s, is refused and left as it is", async (_what, sql, thing) => {
  await pool.query(sql);
  await expect(migrate(pool)).rejects.toThrow(`does not belong to the scheduler (it has '${thing}')`);
  const { rows } = await pool.query<{ relname: string }>(
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')",
  );
  expect(rows).toEqual([{ relname: thing }]);
});
