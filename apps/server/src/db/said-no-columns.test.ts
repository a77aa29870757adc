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

test('the migration links each stored refusal to the call answer that recorded it, if there is one', async () => {
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

test('the migration gives each stored refusal the time that the call list showed for it', async () => {
  await pool.query(
    `insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, parent_id, place, client_place)
     select ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'A' || n, 'tampa', 'C-1', therapist, 'direct', 'Direct', status,
       ('2026-11-20 ' || starts)::timestamp, ('2026-11-20 ' || ends)::timestamp,
       case when n > 1 then '00000000-0000-0000-0000-000000000001'::uuid end, n, n
     from (values (1, 'T-1', 'entered-in-error', '08:30', '11:30'), (2, 'T-1', 'booked', '08:30', '10:00'), (3, 'T-2', 'booked', '10:00', '11:30'))
       as piece (n, therapist, status, starts, ends)`,
  );
  const root = '{00000000-0000-0000-0000-000000000001}';
  await pool.query(
    `insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
     values ('T-3', 'T-3', 'X', 'T-3 X', 't-3 x', 'tampa', 'BT', 'Male', '2020-01-01')`,
  );
  await pool.query(
    `insert into call_decline (location, date, therapist_id, scope, sessions, until_minute, away, wall_minute, at) values
       ('tampa', '2026-11-20', 'T-2', 'session', $1, null, '[]', 425, '2026-11-20 12:05Z'),
       ('tampa', '2026-11-20', 'T-3', 'session', $1, null, '[]', 425, '2026-11-20 12:05Z'),
       ('tampa', '2026-11-20', 'T-1', 'session', '{}', null, '[{"start": 510, "end": 570}]', 425, '2026-11-20 12:05Z'),
       ('tampa', '2026-11-20', 'T-1', 'until', '{}', 600, '[{"start": 510, "end": 600}]', 425, '2026-11-20 12:05Z')`,
    [root],
  );
  await migrate(pool);
  const { rows } = await pool.query<{ said_to: unknown }>('select said_to from call_decline order by id');
  expect(rows.map((row) => row.said_to)).toEqual([
    [{ client: 'C-1', start: 600, end: 690 }],
    [
      { client: 'C-1', start: 510, end: 600 },
      { client: 'C-1', start: 600, end: 690 },
    ],
    [{ client: null, start: 510, end: 570 }],
    [],
  ]);
});
