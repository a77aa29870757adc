import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { isMigrated, migrate, readMigrations, type Migration } from '../migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { backUp } from './backup.ts';
import { checkBackup, restore } from './restore.ts';

/**
 * A backup in the first format, made when 0001-schema.sql was the only migration: a row in every table, with U+2028 and
 * other unusual characters in its strings.
 */
const FIRST = join(import.meta.dirname, 'fixtures', 'level-0001.backup');
const folder = mkdtempSync(join(tmpdir(), 'clinic-level-'));
let database: TestDatabase;
beforeEach(async () => void (database = await createTestDatabase()));
afterEach(() => database.close());
afterAll(() => rmSync(folder, { recursive: true }));

const made = (name: string, text: string): Migration => ({
  name,
  sql: text,
  checksum: createHash('sha256').update(text).digest('hex'),
});
const LATER = [
  made('9001-shoes.sql', "alter table client add column shoes text not null default 'blue'"),
  made(
    '9002-key.sql',
    `alter table client add column key text; update client set key = lower(last_name);
    alter table client alter column key set not null; create table hat (id bigint generated always as identity, client_id text references client);
    insert into hat (client_id) select id from client; create function hats() returns bigint language sql as 'select count(*) from hat'`,
  ),
];
const NEWEST = [...readMigrations(), ...LATER];

async function expectTheFirstClinic(): Promise<void> {
  const { db } = database;
  // Migration 0006a removes invisible characters from names.
  expect(await db.selectFrom('client').select('last_name').execute()).toEqual([{ last_name: 'Lee x' }]);
  expect(await db.selectFrom('appointment').select('subject').orderBy('wire_id').execute()).toEqual([
    { subject: 'two\nlines 😀' },
    { subject: 'Direct' },
  ]);
  expect(await db.selectFrom('appointment_event').select(['reason', 'before']).execute()).toEqual([
    { reason: 'line\u2028para\u2029next\u0085\r\ufeff end', before: { n: 1e30 } },
  ]);
  expect((await db.selectFrom('schedule_commit').select('workbook').execute())[0]?.workbook.toString('hex')).toBe(
    '00ff10',
  );
  const { rows } = await sql`select (select value::text from setting where key = 'nothing') as nothing,
    (select pins::text from proposal_revision) as pins, (select days ->> 'n' from proposal_revision) as days,
    (select number::text from audit) as number, (select subject_ids::text from audit) as ids,
    (select created_at::text from session) as instant, nextval('appointment_number') as next`.execute(db);
  expect(rows).toEqual([
    {
      nothing: 'null',
      pins: 'null',
      days: '12345678901234567890',
      number: '9007199254740993',
      ids: '{x,"y,z",NULL}',
      instant: '2026-11-20 12:00:00.123456+00',
      next: '1000043',
    },
  ]);
}

test('a backup made by the first version is restored into the current version, and the database is up to date afterwards', async () => {
  await restore(database.pool, await checkBackup(FIRST), { replace: false });
  await expectTheFirstClinic();
  expect(await isMigrated(database.pool)).toBe(true);
  expect(await migrate(database.pool)).toEqual([]);
});

test('when an older backup is restored, it gets the new columns and the rows that migrations write', async () => {
  await migrate(database.pool, NEWEST);
  await sql`insert into setting (key, value) values ('token_key', '"its own"')`.execute(database.db);
  for (const replace of [false, true]) {
    await restore(database.pool, await checkBackup(FIRST, NEWEST), { replace, migrations: NEWEST });
    await expectTheFirstClinic();
    const { rows } = await sql`select shoes, key, hats() from client`.execute(database.db);
    expect(rows).toEqual([{ shoes: 'blue', key: 'lee x', hats: '1' }]);
    expect(await isMigrated(database.pool, NEWEST)).toBe(true);
    expect(
      await database.db.selectFrom('setting').select('value').where('key', '=', 'token_key').executeTakeFirst(),
    ).toEqual({ value: 'its own' });
    await sql`update client set shoes = 'red'`.execute(database.db);
  }
  // A backup of the updated database can be restored like any other.
  const file = join(folder, 'newest');
  await backUp(database.pool, file, new Date());
  await restore(database.pool, await checkBackup(file, NEWEST), { replace: true, migrations: NEWEST });
  expect((await sql`select shoes, hats() from client`.execute(database.db)).rows).toEqual([
    { shoes: 'red', hats: '1' },
  ]);
});

test('given an older backup that cannot be restored, the newer database stays as it was', async () => {
  await migrate(database.pool, NEWEST);
  await sql`insert into client (id, first_name, last_name, display_name, name_key, location, gender, key) values ('C-9', 'Z', 'Z', 'Z Z', 'z z', 'tampa', 'Male', 'z')`.execute(
    database.db,
  );
  await sql`create view somebodys as select id from client`.execute(database.db);
  await expect(
    restore(database.pool, await checkBackup(FIRST, NEWEST), { replace: true, migrations: NEWEST }),
  ).rejects.toThrow(/^The backup could not be restored: cannot drop .*depend.* Nothing was changed\.$/);
  expect((await sql`select id, shoes from somebodys join client using (id)`.execute(database.db)).rows).toEqual([
    { id: 'C-9', shoes: 'blue' },
  ]);
});

test('a backup made by a newer or unknown version is refused with a one-line message before the database is touched', async () => {
  await migrate(database.pool, NEWEST);
  const file = join(folder, 'newer');
  await backUp(database.pool, file, new Date());
  await expect(checkBackup(file)).rejects.toThrow(
    'The backup was made by a newer version of the scheduler (it has 9002-key.sql): restore it with that version. Nothing was changed.',
  );
  await expect(checkBackup(file, [...NEWEST.slice(0, -1), made('9002-key.sql', 'select 1')])).rejects.toThrow(
    'another version of the scheduler (its 9002-key.sql is not the one that was released)',
  );
});

test('a backup with more or fewer tables than its version had is refused, and nothing is changed', async () => {
  const lines = gunzipSync(readFileSync(FIRST)).toString().trimEnd().split('\n');
  const forged = async (change: (line: string) => string[]): Promise<string> => {
    const body = lines.slice(0, -1).flatMap(change);
    const footer = JSON.parse(lines.at(-1) ?? '') as { rows: Record<string, number> };
    for (const name of Object.keys(footer.rows))
      if (!body.includes(JSON.stringify({ table: name }))) delete footer.rows[name];
    if (body.includes('{"table":"spy"}')) footer.rows['spy'] = 0;
    const text = body.map((line) => `${line}\n`).join('');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const file = join(folder, `forged-${Math.random()}`);
    writeFileSync(file, gzipSync(`${text}${JSON.stringify({ ...footer, sha256 })}\n`));
    return restore(database.pool, await checkBackup(file), { replace: true }).then(
      () => 'restored',
      (error: Error) => error.message,
    );
  };
  expect(await forged((line) => [line])).toBe('restored');
  expect(await forged((line) => (line === '{"table":"session"}' ? ['{"table":"spy"}', line] : [line]))).toContain(
    'The table spy does not have the same columns in the backup',
  );
  let drops = false;
  const withoutHeads = (line: string): string[] => {
    drops = line.startsWith('{"table":') ? line === '{"table":"audit_head"}' : drops;
    return drops ? [] : [line];
  };
  expect(await forged(withoutHeads)).toContain('The backup does not have the table audit_head.');
  await expectTheFirstClinic();
});
