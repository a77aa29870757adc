import type { AddressInfo } from 'node:net';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { amongReads, openDatabase, type OpenDatabase } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import type { Endpoint } from '@clinic/contract';
import type { Routes } from '../access/deps.ts';
import { buildSmallClinic, DATE } from '../testing/small-clinic.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { addRoute } from './route.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

/** Six of these connections are for reads; an account may use two of them, and four of the others. */
const CONNECTIONS = 12;
/** More requests than there are connections for reads. */
const AT_ONCE = 12;

let database: TestDatabase;
let store: OpenDatabase;
let t: TestApp;
/** A second set of connections, for the test itself. */
let beside: OpenDatabase;
let flood: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  database = await createTestDatabase();
  beside = openDatabase(database.target, { connections: 4 });
  store = openDatabase(database.target, { connections: CONNECTIONS, name: 'clinic-small' });
  t = await buildTestApp({
    database: { ...database, ...store },
    config: { databaseConnections: CONNECTIONS },
    extraRoutes: [writes],
  });
  await buildSmallClinic(t.deps.db);
  [flood, other] = [await t.signIn(), await t.signIn()];
});
afterAll(async () => {
  await t.close();
  await store.close();
  await beside.close();
  await database.close();
});

const inWrite = (path: string): Endpoint => ({
  method: 'POST',
  path,
  access: 'signed-in',
  at: 'none',
  audit: 'none',
  summary: 'A write',
});
const writes: Routes = (app, { db }) => {
  const write = (path: string, statement: RawBuilder<unknown>) =>
    addRoute(app, inWrite(path), async () => {
      await inTransaction(db, (trx) => statement.execute(trx));
      return 'done';
    });
  write('/write', sql`select pg_current_xact_id()`);
  write('/lock', sql`select pg_advisory_xact_lock(4711)`);
};

type Reply = Awaited<ReturnType<SignedIn['call']>>;
type Request = Parameters<SignedIn['call']>[0];
const LIST: Request = { url: '/api/clients' };
const PROPOSALS: Request = {
  method: 'POST',
  url: '/api/proposals',
  payload: { location: 'altamonte', dates: [DATE] },
};

test.each([
  ['reads', LIST, 2],
  ['asks for options', PROPOSALS, 4],
] as const)(
  'given an account that %s many times at once, another account can still read and log in',
  async (_, request, most) => {
    const replies: Promise<Reply>[] = [];
    await beside.db.transaction().execute(async (trx) => {
      // Locks clients rather than therapists, because the access guard reads the therapist table too.
      await sql`lock table client in access exclusive mode`.execute(trx);
      for (let i = 0; i < AT_ONCE; i++) replies.push(flood.call(request));
      expect(await whenAllWait()).toBe(most);
      expect((await other.call({ url: '/api/causes' })).statusCode).toBe(200);
      await t.signIn();
    });
    await allDone(replies);
  },
);

test('given an account whose session row is locked, another account can still read and log in', async () => {
  const busy = await t.signIn();
  const replies: Promise<Reply>[] = [];
  await beside.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('session')
      .set({ last_seen_at: sql<string>`last_seen_at - interval '5 minutes'` })
      .where('account_id', '=', busy.accountId)
      .execute();
  });
  await beside.db.transaction().execute(async (trx) => {
    await sql`select from session where account_id = ${busy.accountId} for update`.execute(trx);
    for (let i = 0; i < AT_ONCE; i++) replies.push(busy.call({ url: '/api/causes' }));
    expect(await whenAllWait()).toBeLessThanOrEqual(2);
    expect((await other.call({ url: '/api/causes' })).statusCode).toBe(200);
    await t.signIn();
  });
  await allDone(replies);
});

test('given an account whose writes wait for a lock, other accounts can still write', async () => {
  const replies: Promise<Reply>[] = [];
  await beside.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(4711)`.execute(trx);
    for (let i = 0; i < AT_ONCE; i++) replies.push(flood.call({ method: 'POST', url: '/api/lock' }));
    expect(await whenAllWait()).toBe(4);
    expect((await other.call({ method: 'POST', url: '/api/write' })).statusCode).toBe(200);
  });
  await allDone(replies);
});

test('given clients that hang up while their writes wait for a lock, their account still gets no more connections', async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = t.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${flood.token}` };
  await beside.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(4711)`.execute(trx);
    for (let round = 0; round < 2; round++) {
      const hangsUp = new AbortController();
      const sent = Array.from({ length: AT_ONCE }, () =>
        fetch(`http://127.0.0.1:${port}/api/lock`, { method: 'POST', headers, signal: hangsUp.signal }).catch(
          () => null,
        ),
      );
      expect(await whenAllWait()).toBe(4);
      hangsUp.abort();
      await Promise.all(sent);
    }
    expect(await whenAllWait()).toBe(4);
    expect((await other.call({ method: 'POST', url: '/api/write' })).statusCode).toBe(200);
  });
});

/**
 * Waits for all replies. On a busy machine, some requests may have been refused (503) because their turn came too late.
 */
async function allDone(replies: readonly Promise<Reply>[]): Promise<void> {
  const statuses = (await Promise.all(replies)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
}

/** Waits until the number of the application's statements that wait for a lock is stable, and returns that number. */
async function whenAllWait(): Promise<number> {
  let last = 0;
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'clinic-small' and wait_event_type = 'Lock'`.execute(
      amongReads(beside.db),
    );
    const n = rows[0]?.n ?? 0;
    if (n > 0 && n === last) return n;
    last = n;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
