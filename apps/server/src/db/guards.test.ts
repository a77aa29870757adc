import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dropDatabase, inDatabase, onServer } from '../testing/global-setup.ts';
import { openDatabase } from './connection.ts';
import { migrate, readMigrations } from './migrate.ts';

const server = inject('testServer');
const name = `clinic_guards_${crypto.randomUUID().replaceAll('-', '')}`;
let pool: pg.Pool;
const NOWHERE = '00000000-0000-4000-8000-000000000000';
beforeAll(async () => {
  await onServer(server.target, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  pool = openDatabase(inDatabase(server.target, name)).pool;
  const before = readMigrations().filter((migration) => migration.name < '0034');
  await migrate(pool, before);
  await pool.query(`insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
    values ('T-1', 'A', 'B', 'A B', 'a b', 'tampa', 'BT', 'Male', '2020-01-01')`);
  await pool.query(`insert into account (id, email, name, role, password_hash) values
    ('${NOWHERE}', 'a@clinic.example', 'A', 'admin', 'x')`);
});
afterAll(async () => {
  await pool.end();
  await dropDatabase(server.target, name);
});

/** Rows that break a rule of `0034-guards.sql`, by the name of its constraint. */
const BROKEN: Readonly<Record<string, (n: number) => string>> = {
  appointment_commit: (n) => `insert into appointment
    (wire_id, location, therapist_id, service, subject, status, starts, ends, place, client_place, commit_id) values
    ('S', 'tampa', 'T-1', 'admin', 'S', 'booked', '2990-06-0${n} 09:00', '2990-06-0${n} 10:00', 'a', 'a', '${NOWHERE}')`,
  extra_hours_session: (n) => `insert into extra_hours
    (location, date, therapist_id, kind, start_minute, end_minute, session, asked_at)
    values ('tampa', '2990-06-0${n}', 'T-1', 'late', 600, 630, '${NOWHERE}', now())`,
  session_ended: () => `insert into session (account_id, created_at, last_seen_at, expires_at, ended_at)
    values ('${NOWHERE}', now(), now(), now(), now())`,
  invitation_ended_once: () => `insert into invitation
    (therapist_id, email, invited_at, expires_at, used_at, withdrawn_at)
    values ('T-1', 'b@clinic.example', now(), now(), now(), now())`,
  a_way_to_log_in: () => `insert into account (email, name, role, therapist_id)
    values ('c@clinic.example', 'C', 'therapist', 'T-1')`,
};

const ruleOf = (text: string): Promise<string | undefined> =>
  pool.query(text).then(
    () => undefined,
    (error: { constraint?: string }) => error.constraint ?? 'another',
  );

test('the migration keeps rows that break its rules, and refuses such rows from then on', async () => {
  for (const row of Object.values(BROKEN)) await pool.query(row(1));
  await migrate(pool);
  await pool.query(`update appointment set status = 'cancelled'`);
  await pool.query(`update account set name = 'D'`);
  await pool.query(`delete from account where role = 'therapist'`);
  for (const [rule, row] of Object.entries(BROKEN)) expect(await ruleOf(row(2))).toBe(rule);
});
