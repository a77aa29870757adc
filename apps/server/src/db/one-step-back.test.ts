import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';
import { openDatabase } from './connection.ts';
import { migrate, readMigrations, WORKS_FROM } from './migrate.ts';

const server = inject('testServer');
const name = `clinic_back_${crypto.randomUUID().replaceAll('-', '')}`;
let pool: pg.Pool;
beforeAll(async () => {
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = openDatabase(inDatabase(server.target, name)).pool;
});
afterAll(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

/**
 * What migrations after `WORKS_FROM` changed although it was there before, and why a server of that version still works.
 */
const WIDENED: Readonly<Record<string, string>> = {
  'check account.account_password': 'gone: other roles may begin with a passkey too, and are treated like therapists',
  'column invitation.therapist_id':
    'null for colleagues: an older server finds no therapist, so it lists no such invitation',
  'check message.message_dropped_why_check': 'allows more reasons; no code asks for one that it does not know',
};

/**
 * Everything on which an older server's statements depend, by name: tables and columns, the rules for what it writes,
 * and the triggers that run when it writes.
 */
async function schema(): Promise<Map<string, { text: string; on: string; columns: string[] }>> {
  const { rows } = await pool.query<{ name: string; text: string; on: string; columns: string[] }>(`
    with ours as (
      select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    )
    select 'table ' || relname as name, '' as text, relname as on, '{}'::text[] as columns from ours
    union all
    select 'column ' || relname || '.' || attname,
      format_type(atttypid, atttypmod) || case when attnotnull and not atthasdef and attidentity = '' then ' required' else '' end
        || case when attgenerated <> '' then ' generated' else '' end,
      relname, array[attname::text]
    from ours join pg_attribute on attrelid = ours.oid where attnum > 0 and not attisdropped
    union all
    select case contype when 'c' then 'check ' when 'f' then 'key ' else 'rule ' end || relname || '.' || conname,
      pg_get_constraintdef(c.oid), relname,
      array(select attname::text from pg_attribute where attrelid = ours.oid and attnum = any (conkey))
    from ours join pg_constraint c on conrelid = ours.oid where contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select 'unique index ' || relname || '.' || i.indexrelid::regclass, pg_get_indexdef(i.indexrelid), relname,
      array(select attname::text from pg_attribute where attrelid = ours.oid and attnum = any (i.indkey))
    from ours join pg_index i on i.indrelid = ours.oid where i.indisunique
    union all
    select 'trigger ' || relname || '.' || tgname, pg_get_triggerdef(t.oid), relname, '{}'
    from ours join pg_trigger t on tgrelid = ours.oid where not tgisinternal`);
  return new Map(rows.map(({ name: of, ...what }) => [of, what]));
}

test('a server of the version that WORKS_FROM names works on the newest schema: later migrations only add to it', async () => {
  const all = readMigrations();
  expect(all.map((migration) => migration.name)).toContain(WORKS_FROM);
  await migrate(
    pool,
    all.filter((migration) => migration.name <= WORKS_FROM),
  );
  const before = await schema();
  await migrate(pool);
  const after = await schema();
  const broken: string[] = [];
  // What it reads, and what its `on conflict` names, is still there.
  for (const [what, { text }] of before)
    if (after.get(what)?.text !== text && !(what in WIDENED)) broken.push(`${what} is not as it was`);
  // Nothing new refuses or changes what it writes, since it writes no new column.
  for (const [what, { on, columns, text }] of after) {
    if (before.has(what) || !before.has(`table ${on}`)) continue;
    const isNew = columns.some((column) => !before.has(`column ${on}.${column}`));
    if (!isNew || text.endsWith(' required')) broken.push(`${what} is new on an old table`);
  }
  expect(broken, 'raise WORKS_FROM, or let the migration only add').toEqual([]);
});
