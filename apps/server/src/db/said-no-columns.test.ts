import type pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDatabase } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';

const server = inject('testServer');
let name: string;
let pool: pg.Pool;
beforeEach(async () => {
  name = `clinic_no_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = openDatabase(inDatabase(server.target, name)).pool;
  await migrate(
    pool,
    readMigrations().filter((migration) => migration.name < '0030'),
  );
  await pool.query(
    `insert into client (id, first_name, last_name, display_name, name_key, location, gender)
     values ('C-1', 'Bo', 'Lee', 'Bo Lee', 'bo lee', 'tampa', 'Male')`,
  );
  await pool.query(
    `insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
     select id, id, 'X', id || ' X', lower(id) || ' x', 'tampa', 'BT', 'Male', '2020-01-01' from unnest(array['T-1', 'T-2']) as id`,
  );
});
afterEach(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

test('given refusals from before, the migration finds the answer that each came with', async () => {
  await pool.query(
    `insert into call_answer (location, date, therapist_id, client_id, answer, note, version, at) values
       ('tampa', '2026-11-20', 'T-1', null, 'no-answer', 'first try', 'v', '2026-11-20 12:00Z'),
       ('tampa', '2026-11-20', 'T-2', null, 'said-no', 'someone else', 'v', '2026-11-20 12:05Z'),
       ('tampa', '2026-11-20', 'T-1', null, 'said-no', 'no car', 'v', '2026-11-20 12:05Z'),
       ('tampa', '2026-11-20', null, 'C-1', 'said-no', 'not T-1', 'v', '2026-11-20 12:05Z')`,
  );
  await pool.query(
    `insert into call_decline (location, date, therapist_id, client_id, scope, sessions, away, wall_minute, at) values
       ('tampa', '2026-11-20', 'T-1', null, 'today', '{}', '[]', 425, '2026-11-20 12:05Z'),
       ('tampa', '2026-11-20', 'T-1', 'C-1', 'session', '{}', '[]', 425, '2026-11-20 12:05Z'),
       ('tampa', '2026-11-20', 'T-1', null, 'today', '{}', '[]', 430, '2026-11-20 12:10Z')`,
  );
  await migrate(pool);
  const { rows } = await pool.query<{ note: string | null }>(
    'select a.note from call_decline d left join call_answer a on a.id = d.answer_id order by d.id',
  );
  expect(rows.map(({ note }) => note)).toEqual(['no car', 'not T-1', null]);
});
