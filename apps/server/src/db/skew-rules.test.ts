import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDatabase } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';

const server = inject('testServer');
const name = `clinic_skew_${crypto.randomUUID().replaceAll('-', '')}`;
let pool: pg.Pool;
beforeAll(async () => {
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = openDatabase(inDatabase(server.target, name)).pool;
});
afterAll(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

let made = 0;
const session = (
  more: { location?: string; start?: string; seat?: number; client?: string; day?: string } = {},
): string => {
  const id = `00000000-0000-0000-0000-${String(++made).padStart(12, '0')}`;
  const day = more.day ?? '2990-06-01';
  const start = more.start ?? '09:00';
  return `insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place, seat)
    values ('${id}', 'S${made}', '${more.location ?? 'altamonte'}', ${more.client ? `'${more.client}'` : 'null'}, ${more.client ? 'null' : "'T-1'"},
      '${more.client ? 'direct' : 'admin'}', 'S', 'booked', '${day} ${start}', '${day} ${start}'::timestamp + interval '1 hour', '${id}', '${id}', ${more.seat ?? 1})`;
};
const ruleOf = (text: string): Promise<string | undefined> =>
  pool.query(text).then(
    () => undefined,
    (error: { constraint?: string }) => error.constraint ?? 'another',
  );

test('existing administrative time at two locations at once is flagged, and no more such time can be booked', async () => {
  await migrate(
    pool,
    readMigrations().filter((migration) => migration.name < '0006b'),
  );
  await pool.query(`insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
    values ('T-1', 'A', 'B', 'A B', 'a b', 'tampa', 'BT', 'Male', '2020-01-01')`);
  for (const more of [
    {},
    { location: 'tampa', start: '09:30' },
    { location: 'orlando', start: '10:15' },
    { start: '12:00' },
  ])
    await pool.query(session(more));
  await migrate(pool);
  const { rows } = await pool.query<{ wire_id: string; clash: boolean }>(
    'select wire_id, clash from appointment order by wire_id',
  );
  expect(rows.map((row) => row.clash)).toEqual([true, true, true, false]);
  expect(await ruleOf(session({ location: 'tampa', start: '12:30' }))).toBe('admin_at_one_location');
  expect(await ruleOf(session({ start: '12:30' }))).toBeUndefined();
  expect(await ruleOf(session({ location: 'tampa', start: '13:30' }))).toBeUndefined();
  expect(await ruleOf(session({ location: 'tampa', day: '2990-06-02' }))).toBeUndefined();
});

test('in plain SQL too, only a 2:1 client can have two therapists at once, and 2:1 cannot be removed while a second therapist is booked', async () => {
  await pool.query(`insert into client (id, first_name, last_name, display_name, name_key, location, gender, two_to_one)
    values ('C-1', 'C', 'D', 'C D', 'c d', 'tampa', 'Male', true), ('C-2', 'E', 'F', 'E F', 'e f', 'tampa', 'Male', false)`);
  const off = "update client set two_to_one = false where id = 'C-1'";
  expect(await ruleOf(session({ client: 'C-2', seat: 2 }))).toBe('second_seat_is_for_two_to_one');
  await pool.query(session({ client: 'C-1', seat: 2 }));
  await pool.query(session({ client: 'C-1', seat: 2, day: '2020-01-06' }));
  expect(await ruleOf(off)).toBe('two_to_one_while_second_seats_are_booked');
  expect(
    await ruleOf(
      `begin; ${off}; update appointment set seat = 1 where client_id = 'C-1' and starts > '2990-01-01'; commit`,
    ),
  ).toBeUndefined();
  await pool.query(
    "update client set two_to_one = true where id = 'C-1'; update appointment set seat = 2 where client_id = 'C-1'",
  );
  await pool.query("update appointment set status = 'cancelled' where client_id = 'C-1' and starts > '2990-01-01'");
  expect(await ruleOf(off)).toBeUndefined();
  const revive = "update appointment set status = 'booked' where client_id = 'C-1' and starts > '2990-01-01'";
  expect(await ruleOf(revive)).toBe('second_seat_is_for_two_to_one');
  const past = "where client_id = 'C-1' and starts < '2990-01-01'";
  expect(await ruleOf(`update appointment set status = 'fulfilled' ${past}`)).toBeUndefined();
  expect(
    await ruleOf(
      `update appointment set starts = starts + interval '20 years', ends = ends + interval '20 years' ${past}`,
    ),
  ).toBe('second_seat_is_for_two_to_one');
});
