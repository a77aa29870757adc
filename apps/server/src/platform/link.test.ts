import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../db/connection.ts';
import { openBlackProxy, type BlackProxy } from '../testing/black-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { CHANNEL, openEvents, publishEvent, type Events, type ServerEvent } from './events.ts';
import { openLink, type DatabaseState, type Link } from './link.ts';

const FAST = { channel: CHANNEL, beatMs: 100, patienceMs: 500, replyMs: 600 };

let direct: TestDatabase;
let network: BlackProxy;
let through: OpenDatabase;
let link: Link;
let events: Events;
let heard: ServerEvent[];
let states: DatabaseState[];
beforeAll(async () => {
  direct = await createTestDatabase();
});
beforeEach(async () => {
  network = await openBlackProxy(direct.target);
  through = openDatabase(network.target, { name: 'clinic-through', connections: 4 });
  link = await openLink(through, FAST);
  events = openEvents(link);
  heard = [];
  states = [];
  events.subscribe((event) => heard.push(event));
  link.onState((state) => states.push(state));
});
afterEach(async () => {
  await events.close();
  network.close();
  await through.close();
});
afterAll(() => direct.close());

/** Polls long enough even for a busy machine. */
const within = <T>(what: () => T) => expect.poll(what, { timeout: 30_000, interval: 20 });
const profiles = { kind: 'profiles' } as ServerEvent;
const kinds = (): string[] => heard.map(({ kind }) => kind);

test('a silent network is reported, and once it recovers, listeners reload and receive later events', async () => {
  await publishEvent(direct.db, profiles);
  await within(kinds).toEqual(['profiles']);
  network.goBlack();
  await within(() => link.state()).toBe('lost');
  await publishEvent(direct.db, profiles); // this event is lost on the silent network, so listeners must reload
  network.heal();
  await within(() => link.state()).toBe('ok');
  await within(kinds).toEqual(['profiles', 'resync']);
  await publishEvent(direct.db, profiles);
  await within(kinds).toEqual(['profiles', 'resync', 'profiles']);
  expect(states).toEqual(['lost', 'ok']);
});

test('given too many dates for one notification, the event arrives without dates, which means any date', async () => {
  const dates = Array.from({ length: 1500 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
  await publishEvent(direct.db, { kind: 'appointments', location: 'tampa', dates });
  await publishEvent(direct.db, { kind: 'appointments', location: 'tampa', dates: dates.slice(0, 500) });
  await within(() => heard.map((event) => ('dates' in event ? event.dates.length : null))).toEqual([0, 500]);
});

test('if the server cannot find out what the database is working on, waiting statements fail', async () => {
  const alone = openDatabase(network.target, { statementTimeoutMs: 100 });
  const long = alone.db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    // This takes longer than the connection's own deadline, which is lifted for this transaction.
    await sql`select pg_sleep(6)`.execute(trx);
  });
  await long;
  await sql`select 1`.execute(alone.db);
  network.goBlack();
  await expect(sql`select 1`.execute(alone.db)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  await alone.close();
});

test('however often PostgreSQL ends the connection, there is exactly one connection afterwards', async () => {
  const listeners = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where application_name like 'clinic-through%' and datname = current_database()`.execute(direct.db);
    return rows[0]?.n ?? 0;
  };
  for (let round = 1; round <= 3; round++) {
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name like 'clinic-through%' and datname = current_database()`.execute(direct.db);
    await within(() => kinds().filter((kind) => kind === 'resync').length).toBe(round);
    expect(await listeners()).toBe(1);
  }
});

test('a database set to read-only is reported as such, and as writable once it accepts writes again', async () => {
  const set = (value: string) =>
    sql.raw(`alter database ${direct.name} set default_transaction_read_only = ${value}`).execute(direct.db);
  await set('on');
  await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where application_name like 'clinic-through%' and datname = current_database()`.execute(direct.db);
  await within(() => link.state()).toBe('read-only');
  await set('off');
});
