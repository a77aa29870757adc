import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildClient } from '../testing/builders.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { makeAuditReads } from '../access/audit-reads.ts';
import { makeClock } from './clock.ts';
import { makeRoom, type Room } from './room.ts';

let database: TestDatabase;
let t: TestApp;
let room: Room;
let staff: SignedIn;
beforeAll(async () => {
  database = await createTestDatabase();
  room = makeRoom(database.db, 50);
  t = await buildTestApp({
    database,
    deps: { room, auditReads: makeAuditReads(database.db, makeClock(), room) },
  });
  staff = await t.signIn();
  await buildClient(database.db, { first: 'Bo', last: 'Lee' });
});
afterAll(async () => {
  room.close();
  await t.close();
  await database.close();
});

/** Makes inserts into the growing tables fail with PostgreSQL's own error, since a test must not fill the disk. */
async function fill(): Promise<void> {
  await sql`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(database.db);
  for (const table of ['audit', 'client', 'session'])
    await sql
      .raw(`create trigger no_room before insert or update on ${table} for each statement execute function no_room()`)
      .execute(database.db);
}

const read = () => staff.call({ url: '/api/slots?date=2030-03-06&location=altamonte' });
const write = () =>
  staff.call({
    method: 'POST',
    url: '/api/clients',
    payload: { first_name: 'Ida', last_name: 'Fox', location: 'altamonte', gender: 'Female', restrictions: [] },
  });
const signInAgain = () =>
  t.app.inject({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: staff.email, password: staff.password }).toString(),
  });
const recorded = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit where account_id = ${staff.accountId}
    and action not like 'session.%' and action not like 'client.%'`.execute(database.db);
  return rows[0]?.n ?? 0;
};

test('while the disk is full, reads work, writes and logins are refused, and the audit trail is completed later', async () => {
  expect((await read()).statusCode).toBe(200);
  const before = await recorded();
  expect(before).toBeGreaterThan(0);
  await fill();

  expect((await read()).statusCode).toBe(200);
  expect((await read()).statusCode).toBe(200);
  const lines = t.logLines.filter((line) => line.includes('this read is recorded here'));
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain(staff.accountId);
  expect(lines.join()).not.toMatch(/Bo|Lee/);
  for (const send of [write, signInAgain]) {
    const refused = await send();
    expect(refused.statusCode).toBe(503);
    expect(refused.json<{ detail: string }>().detail).toContain('database’s disk is full');
  }
  const ready = await t.app.inject({ url: '/readyz' });
  expect([ready.statusCode, ready.json<{ reason: string }>().reason]).toEqual([
    503,
    expect.stringContaining('database’s disk is full'),
  ]);
  expect(await recorded()).toBe(before);

  await sql`drop function no_room() cascade`.execute(database.db);
  await expect.poll(() => room.none(), { timeout: 30_000 }).toBeUndefined();
  expect(await recorded()).toBe(before + 2);
  expect((await write()).statusCode).toBe(201);
  expect((await signInAgain()).statusCode).toBe(200);
  expect((await t.app.inject({ url: '/readyz' })).statusCode).toBe(200);
});
