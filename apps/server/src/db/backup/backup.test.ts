import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../connection.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { backUp } from './backup.ts';
import { checkBackup, restore } from './restore.ts';
import { tablesInOrder } from './tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinic-backup-'));
const now = new Date('2026-11-20T12:00:00Z');
let full: TestDatabase;
let files = 0;
const restoreFile = async (into: OpenDatabase, file: string, options: { replace: boolean }): Promise<unknown> =>
  restore(into.pool, await checkBackup(file), options);
const newFile = (): string => join(folder, `backup-${++files}`);

beforeAll(async () => {
  full = await createTestDatabase();
  await sql`insert into account (email, name, role, password_hash) values ('a@clinic.example', 'A', 'admin', 'x')`.execute(
    full.db,
  );
  await sql`insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
    values ('T-1', 'Ana', 'Núñez', 'Ana Núñez', 'ana núñez', 'tampa', 'RBT', 'Female', '2024-01-01')`.execute(full.db);
  await sql`insert into client (id, first_name, last_name, display_name, name_key, location, gender)
    values ('C-1', 'Bo', 'O''Brien "x"', 'Bo O''Brien', 'bo o''brien', 'tampa', 'Male')`.execute(full.db);
  // The second appointment is a piece of the first, so the restore has to handle a row that refers to another row of
  // its own table.
  await sql`insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place, parent_id)
    values ('00000000-0000-0000-0000-000000000001', 'P', 'tampa', 'C-1', 'T-1', 'direct', 'Direct Therapy', 'booked', '2026-11-20 08:00', '2026-11-20 09:00', 'p1', 'p1', null),
           ('00000000-0000-0000-0000-000000000002', 'K', 'tampa', 'C-1', 'T-1', 'direct', E'two\\nlines', 'cancelled', '2026-11-20 08:00', '2026-11-20 09:00', 'p2', 'p2', '00000000-0000-0000-0000-000000000001')`.execute(
    full.db,
  );
  await sql`insert into appointment_event (appointment_id, what, before) values ('00000000-0000-0000-0000-000000000001', 'made', '{"n": 12345678901234567890}')`.execute(
    full.db,
  );
  await sql`insert into audit (chain, number, at, action, subject_kind, subject_ids, detail, prev_hash, hash)
    values (1, 9007199254740993, now(), 'a', 'day', '{x,y}', '{}', '\\x00ff', '\\x0102')`.execute(full.db);
  await sql`select setval('appointment_number', 1000042)`.execute(full.db);
});
afterAll(async () => {
  await full.close();
  rmSync(folder, { recursive: true });
});

/** The keys, constraints and indexes of all tables, as PostgreSQL defines them. */
async function rulesOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ rule: string }>(
    `select format('%s %s %s %s', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) as rule
     from pg_constraint where connamespace = current_schema()::regnamespace
     union all select indexdef from pg_indexes where schemaname = current_schema() order by 1`,
  );
  return rows.map(({ rule }) => rule);
}

async function contents(database: OpenDatabase): Promise<Record<string, unknown>> {
  const client = await database.pool.connect();
  try {
    const found: Record<string, unknown> = {};
    for (const { name } of await tablesInOrder(client)) {
      if (name.startsWith('record_')) continue; // a restored database begins a new history of changes
      const { rows } = await client.query<{ all: string }>(
        `select coalesce(string_agg(to_jsonb(t)::text, E'\\n' order by to_jsonb(t)::text), '') as all from "${name}" t`,
      );
      found[name] = rows[0]?.all;
    }
    const { rows } = await client.query(
      'select last_value + case when is_called then 1 else 0 end as next from appointment_number',
    );
    return { ...found, sequence: rows, rules: await rulesOf(client) };
  } finally {
    client.release();
  }
}

test('a backup restored into an empty database gives the same database, including sequences and history', async () => {
  const file = newFile();
  await backUp(full.pool, file, now);
  const empty = await createTestDatabase();
  try {
    await restoreFile(empty, file, { replace: false });
    expect(await contents(empty)).toEqual(await contents(full));
    // The append-only guards are in place again.
    await expect(sql`delete from audit`.execute(empty.db)).rejects.toThrow('append-only');
    await sql`insert into appointment_event (appointment_id, what) values ('00000000-0000-0000-0000-000000000001', 'seen')`.execute(
      empty.db,
    );
  } finally {
    await empty.close();
  }
});

test('given writes during a backup, the backup contains the database as it was at one moment', async () => {
  const file = newFile();
  let stop = false;
  const writing = (async () => {
    for (let i = 0; !stop; i++) {
      await full.db.transaction().execute(async (trx) => {
        await trx
          .insertInto('setting')
          .values({ key: `pair-${i}-a`, value: '1' })
          .execute();
        await trx
          .insertInto('login_budget')
          .values({ key: `pair-${i}-b`, tokens: 1, refilled_at: now.toISOString() })
          .execute();
      });
    }
  })();
  await backUp(full.pool, file, now);
  stop = true;
  await writing;
  const text = gunzipSync(readFileSync(file)).toString();
  expect([...text.matchAll(/"pair-\d+-a"/g)].length).toBe([...text.matchAll(/"pair-\d+-b"/g)].length);
});

test('a backup file can be read only by its owner, and never overwrites an existing file', async () => {
  const file = newFile();
  await backUp(full.pool, file, now);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file);
  await expect(backUp(full.pool, file, now)).rejects.toThrow('already exists');
  expect(readFileSync(file).equals(before)).toBe(true);
  await expect(backUp(full.pool, join(folder, 'no/such/folder'), now)).rejects.toThrow('cannot be written');
});

test('a backup that cannot be read back is reported, and no file is left under its name', async () => {
  const file = newFile();
  // Damages the file once it is completely written: when the transaction that read the database commits.
  const damage = (): void =>
    readdirSync(folder)
      .filter((name) => name.includes('.part-'))
      .forEach((name) => truncateSync(join(folder, name), 100));
  const connect = async () => {
    const client = await full.pool.connect(); // the test destroys this connection after use
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      if (args[0] === 'commit') damage();
      return query(...args);
    }) as typeof client.query;
    return client;
  };
  const pool = Object.assign(Object.create(full.pool) as typeof full.pool, { connect });
  await expect(backUp(pool, file, now)).rejects.toThrow(
    `The backup was written but cannot be read back (${file} ends too early: the backup is not complete.) The file was removed`,
  );
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes('.part-'))).toEqual([]);
});

test('what a killed backup left is removed by the next one to this file, and nothing else is', async () => {
  const file = newFile();
  const killed = spawnSync(process.execPath, ['-e', '']).pid;
  const left = `${file}.part-${killed}`;
  const others = [`${file}.part-${process.ppid}`, `${file}.part-`, `${file}.part-x`, `${newFile()}.part-${killed}`];
  for (const each of [left, ...others]) writeFileSync(each, 'clients');
  await backUp(full.pool, file, now);
  expect(existsSync(left)).toBe(false);
  for (const each of others) {
    expect(existsSync(each), each).toBe(true);
    rmSync(each);
  }
});

test('a file that is cut short, changed, missing or not a backup is refused, and the database stays as it was', async () => {
  const file = newFile();
  await backUp(full.pool, file, now);
  const bytes = readFileSync(file);
  const text = gunzipSync(bytes).toString();
  const lines = text.trimEnd().split('\n');
  const bad: [string, string][] = [];
  const plant = (content: Buffer | string, error: string): void => {
    const f = newFile();
    writeFileSync(f, content);
    bad.push([f, error]);
  };
  plant(gzipSync(text.replace('Ana', 'Eva')), 'checksum differs');
  plant(gzipSync(lines.slice(0, -1).join('\n')), 'ends too early');
  plant(gzipSync(`${lines.join('\n')}\n{"row":{}}\n`), 'has more data after its end');
  const footer = JSON.parse(lines.at(-1) ?? '') as { rows: Record<string, number>; sha256: string };
  const miscounted = JSON.stringify({ ...footer, rows: { ...footer.rows, client: 2 } });
  plant(gzipSync(`${lines.slice(0, -1).join('\n')}\n${miscounted}\n`), 'changed or damaged');
  plant(gzipSync('{"hello":1}\n'), 'is not a backup');
  plant(gzipSync('hello\n'), 'is not a backup');
  plant('hello', 'is not a backup');
  plant('', 'is not a backup|ends too early');
  const cut = newFile();
  writeFileSync(cut, bytes);
  truncateSync(cut, Math.floor(bytes.length * 0.9));
  bad.push([cut, 'ends too early'], [join(folder, 'missing'), 'There is no file']);
  const before = await contents(full);
  for (const [f, error] of bad)
    await expect(restoreFile(full, f, { replace: true }), error).rejects.toThrow(new RegExp(error));
  expect(await contents(full)).toEqual(before);
});

test.each([
  [
    'two sessions of one therapist at one time',
    `alter table appointment drop constraint therapist_in_one_place;
     insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place)
     select gen_random_uuid(), 'X' || n, 'tampa', 'C-1', 'T-1', 'supervision', 'Supervision', 'booked', '2026-11-23 08:00', '2026-11-23 09:00', 'x' || n, 'x' || n
     from generate_series(1, 2) n`,
  ],
  [
    'a session of a therapist who is not there',
    `alter table appointment drop constraint appointment_therapist_id_fkey;
     insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place)
     values (gen_random_uuid(), 'X', 'tampa', 'C-1', 'T-9', 'direct', 'Direct Therapy', 'booked', '2026-11-23 08:00', '2026-11-23 09:00', 'x', 'x')`,
  ],
])('a backup that breaks a rule of the database (%s) is refused, and nothing is changed', async (_what, damage) => {
  const [damaged, other] = [await createTestDatabase(), await createTestDatabase()];
  try {
    const whole = newFile();
    await backUp(full.pool, whole, now);
    await restoreFile(damaged, whole, { replace: false });
    await damaged.pool.query(damage);
    const file = newFile();
    await backUp(damaged.pool, file, now);
    const before = await contents(other);
    await expect(restoreFile(other, file, { replace: true })).rejects.toThrow('could not be restored');
    expect(await contents(other)).toEqual(before);
  } finally {
    await damaged.close();
    await other.close();
  }
});

test('a restore that leaves fewer rows in a table than the backup has is rolled back', async () => {
  const other = await createTestDatabase();
  try {
    const before = await contents(other);
    await sql`create rule swallowed as on insert to login_budget do instead nothing`.execute(other.db);
    await sql`insert into login_budget (key, tokens, refilled_at) values ('x', 1, now())`.execute(full.db);
    const counted = newFile();
    await backUp(full.pool, counted, now);
    await expect(restoreFile(other, counted, { replace: true })).rejects.toThrow(
      /After the restore, login_budget has 0 rows instead of \d+\. Nothing was changed\./,
    );
    expect(await contents(other)).toEqual(before);
  } finally {
    await other.close();
  }
});

test('a restore refuses a database that contains data, and replaces the data completely on request', async () => {
  const file = newFile();
  await backUp(full.pool, file, now);
  const other = await createTestDatabase();
  try {
    await sql`insert into client (id, first_name, last_name, display_name, name_key, location, gender) values ('C-9', 'Z', 'Z', 'Z Z', 'z z', 'tampa', 'Male')`.execute(
      other.db,
    );
    await expect(restoreFile(other, file, { replace: false })).rejects.toThrow('not empty (client has rows)');
    await restoreFile(other, file, { replace: true });
    expect(await contents(other)).toEqual(await contents(full));
  } finally {
    await other.close();
  }
});

test("no backup contains the token signing key, and a restore leaves the target database's key in place", async () => {
  const keys = async ({ db }: OpenDatabase) =>
    Object.fromEntries((await db.selectFrom('setting').selectAll().execute()).map(({ key, value }) => [key, value]));
  const set = ({ db }: OpenDatabase, key: string, value: string) =>
    db
      .insertInto('setting')
      .values({ key, value: JSON.stringify(value) })
      .execute();
  const source = await createTestDatabase();
  const other = await createTestDatabase();
  try {
    await set(source, 'token_key', 'the key of the source');
    await set(source, 'kind', 'of the source');
    const file = newFile();
    await backUp(source.pool, file, now);
    expect(gunzipSync(readFileSync(file)).toString()).not.toMatch(/token_key|the key of the source/);
    await restoreFile(other, file, { replace: false });
    expect(await keys(other)).toEqual({ kind: 'of the source' });
    await set(other, 'token_key', 'a key of its own');
    await restoreFile(other, file, { replace: true });
    expect(await keys(other)).toEqual({ kind: 'of the source', token_key: 'a key of its own' });
  } finally {
    await source.close();
    await other.close();
  }
});

test('a backup contains passkeys, and accounts without a password, but no challenges for passkeys', async () => {
  const source = await createTestDatabase();
  const other = await createTestDatabase();
  try {
    await sql`insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
      values ('T-1', 'A', 'N', 'A N', 'a n', 'tampa', 'RBT', 'Female', '2024-01-01')`.execute(source.db);
    await sql`with made as (
        insert into account (email, name, role, therapist_id) values ('t@clinic.example', 'T', 'therapist', 'T-1') returning id
      ) insert into passkey (account_id, credential_id, public_key, counter, transports, name, created_at)
        select id, '\\x00ff', '\\x0102', 4294967295, '{internal,"a b"}', 'Phone “1”', now() from made`.execute(
      source.db,
    );
    const challenge = ({ db }: OpenDatabase) =>
      sql`insert into passkey_challenge values (decode(repeat('ab', 32), 'hex'), 'log-in', null, null, now())`.execute(
        db,
      );
    await challenge(source);
    await challenge(other);
    const file = newFile();
    await backUp(source.pool, file, now);
    await restoreFile(other, file, { replace: true });
    const [before, after] = [await contents(source), await contents(other)];
    expect(after).toEqual({ ...before, passkey_challenge: '' });
    expect(after['passkey']).toContain('Phone');
  } finally {
    await source.close();
    await other.close();
  }
});

test('a backup from a database whose migrations differ is refused', async () => {
  const other = await createTestDatabase();
  try {
    await sql`update migrations set checksum = 'another' where name = (select max(name) from migrations)`.execute(
      other.db,
    );
    const file = newFile();
    await backUp(other.pool, file, now);
    await expect(restoreFile(full, file, { replace: true })).rejects.toThrow('another version');
  } finally {
    await other.close();
  }
});
