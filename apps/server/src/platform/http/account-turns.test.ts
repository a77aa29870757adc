import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { amongReads, openDatabase, type OpenDatabase } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Routes } from '../deps.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

/** Six of these connections are for reads; requests by accounts may use only two of the six. */
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
    extraRoutes: [writeAndRead],
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

const writeAndRead: Routes = (app, { db }) => {
  app.post('/api/write-and-read', { config: { access: 'signed-in' } }, async () => {
    await inTransaction(db, (trx) => sql`select pg_current_xact_id()`.execute(trx));
    const { rows } = await sql<{ read: number }>`select 1 as read`.execute(db);
    return rows[0];
  });
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
  ['reads', LIST],
  ['asks for options', PROPOSALS],
])('given an account that %s many times at once, another account can still read and log in', async (_, request) => {
  const replies: Promise<Reply>[] = [];
  await beside.db.transaction().execute(async (trx) => {
    // Locks clients rather than therapists, because the access guard reads the therapist table too.
    await sql`lock table client in access exclusive mode`.execute(trx);
    for (let i = 0; i < AT_ONCE; i++) replies.push(flood.call(request));
    // An account may use three quarters of the two connections, rounded down to one.
    expect(await whenAllWait()).toBe(1);
    expect((await other.call({ url: '/api/causes' })).statusCode).toBe(200);
    await t.signIn();
  });
  await allDone(replies);
});

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

test('given a request that has already written, its next read does not wait for a turn', async () => {
  const waiting: Promise<Reply>[] = [];
  await beside.db.transaction().execute(async (trx) => {
    await sql`lock table client in access exclusive mode`.execute(trx);
    const list = flood.call(LIST);
    expect(await whenAllWait()).toBe(1); // the account has only one turn
    expect((await flood.call({ method: 'POST', url: '/api/write-and-read' })).json()).toEqual({ read: 1 });
    waiting.push(list);
  });
  await allDone(waiting);
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
