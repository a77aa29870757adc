import type pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { nameKey } from '@clinic/domain';
import { openDatabase } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';

const server = inject('testServer');
let name: string;
let pool: pg.Pool;
beforeEach(async () => {
  name = `clinic_keys_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = openDatabase(inDatabase(server.target, name)).pool;
  await migrate(
    pool,
    readMigrations().filter((migration) => migration.name < '0006'),
  );
});
afterEach(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

async function addClient(id: string, first: string, last: string, shown = `${first} ${last}`): Promise<void> {
  await pool.query(
    `insert into client (id, first_name, last_name, display_name, location, gender, created_at)
     values ($1, $2, $3, $4, 'tampa', 'Male', '2026-01-01'::timestamptz + $5 * interval '1 day')`,
    [id, first, last, shown, id.charCodeAt(2)],
  );
}

test('when existing names look the same, the migration numbers the newer names', async () => {
  await addClient('C-a', 'Maria', 'Zero');
  await addClient('C-b', 'Ma\u200bria', 'Zero');
  await addClient('C-c', 'Maria', '\u202eZero\u00ad');
  await addClient('C-d', 'Maria', 'Zero', 'Maria Zero (2)');
  await addClient('C-e', 'İpek', 'Öz');
  await addClient('C-f', '\u200b', 'Ortiz');
  await pool.query(
    `insert into therapist (id, first_name, last_name, display_name, location, specialization, gender, start_date, deleted_at)
     values ('T-1', 'ΟΔΥΣΣΕΥΣ', 'X', 'ΟΔΥΣΣΕΥΣ X', 'tampa', 'BT', 'Male', '2020-01-01', now()),
            ('T-2', 'ΟΔΥΣΣΕΥΣ', 'X', 'ΟΔΥΣΣΕΥΣ X', 'tampa', 'BT', 'Male', '2020-01-01', null)`,
  );
  await migrate(pool);
  const { rows } = await pool.query<{ id: string; first_name: string; display_name: string; name_key: string }>(
    'select id, first_name, display_name, name_key from client union all select id, first_name, display_name, name_key from therapist order by id',
  );
  expect(rows.map((row) => [row.id, row.first_name, row.display_name])).toEqual([
    ['C-a', 'Maria', 'Maria Zero'],
    ['C-b', 'Maria', 'Maria Zero (3)'],
    ['C-c', 'Maria', 'Maria Zero (4)'],
    ['C-d', 'Maria', 'Maria Zero (2)'],
    ['C-e', 'İpek', 'İpek Öz'],
    ['C-f', 'C-f', 'Ortiz'],
    ['T-1', 'ΟΔΥΣΣΕΥΣ', 'ΟΔΥΣΣΕΥΣ X'],
    ['T-2', 'ΟΔΥΣΣΕΥΣ', 'ΟΔΥΣΣΕΥΣ X'],
  ]);
  for (const row of rows) expect(row.name_key, row.id).toBe(nameKey(row.display_name));
});

test('the migration converts email addresses to the form used for comparison, except one that would become another account’s', async () => {
  await pool.query(
    `insert into account (email, name, role, password_hash)
     values ('dana@clinic.example', 'D', 'admin', 'x'), ('ſam@clinic.example', 'S', 'admin', 'x'),
            ('sue@clinic.example', 'S', 'admin', 'x'), ('ſue@clinic.example', 'S', 'admin', 'x')`,
  );
  await migrate(pool);
  const { rows } = await pool.query<{ email: string }>('select email from account');
  const names = rows.map(({ email }) => email.replace('@clinic.example', ''));
  expect(names.toSorted()).toEqual(['dana', 'sam', 'sue', 'ſue']);
});
