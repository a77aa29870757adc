import type pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDatabase } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';

const server = inject('testServer');
let name: string;
let pool: pg.Pool;
beforeEach(async () => {
  name = `clinic_hours_${crypto.randomUUID().replaceAll('-', '')}`;
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = openDatabase(inDatabase(server.target, name)).pool;
});
afterEach(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

const insert = (id: string, columns: string, values: string) =>
  pool.query(
    `insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender,
       start_date, ${columns})
     values ('${id}', '${id}', 'X', '${id} X', '${id} x', 'tampa', 'BT', 'Male', '2020-01-01', ${values})`,
  );
const limitsOf = async (id: string) =>
  (
    await pool.query({
      text: `select week_minutes, week_hours, day_minutes, day_hours, guaranteed_minutes, guaranteed_hours
        from therapist where id = $1`,
      values: [id],
      rowMode: 'array',
    })
  ).rows[0] as (number | null)[];

test('given a server of an older release on a migrated database, then it and a current server read each other’s limits', async () => {
  await migrate(
    pool,
    readMigrations().filter((migration) => migration.name < '0033'),
  );
  await insert('before', 'week_hours, day_hours', '38, 8');
  await migrate(pool);
  expect(await limitsOf('before')).toEqual([2280, 38, 480, 8, null, null]);

  // This server writes minutes, and the older one reads whole hours.
  await insert('new', 'week_minutes, day_minutes, guaranteed_minutes', '2250, 105, null');
  expect(await limitsOf('new')).toEqual([2250, 37, 105, 1, null, null]);
  await pool.query("update therapist set week_minutes = 2265, guaranteed_minutes = 1215 where id = 'new'");
  expect(await limitsOf('new')).toEqual([2265, 37, 105, 1, 1215, 20]);

  // The older server saves what it read and changes one limit; then it adds and clears some.
  await pool.query(
    "update therapist set week_hours = 37, day_hours = 9, guaranteed_hours = 20, consistency = 5 where id = 'new'",
  );
  expect(await limitsOf('new')).toEqual([2265, 37, 540, 9, 1215, 20]);
  await pool.query("update therapist set week_hours = null, guaranteed_hours = 21 where id = 'new'");
  expect(await limitsOf('new')).toEqual([null, null, 540, 9, 1260, 21]);
  await insert('old', 'week_hours, guaranteed_hours', '40, 25');
  expect(await limitsOf('old')).toEqual([2400, 40, null, null, 1500, 25]);

  for (const wrong of ['week_minutes = 2240', 'week_minutes = 45', 'day_minutes = 1455', 'guaranteed_minutes = 4815'])
    await expect(pool.query(`update therapist set ${wrong}`), wrong).rejects.toThrow(/violates check constraint/);
});
