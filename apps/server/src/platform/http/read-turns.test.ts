import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { amongReads } from '../../db/connection.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await buildTestApp();
});
afterAll(() => t.close());

test('given an account whose reads all wait, then another account reads and logs in', async () => {
  const [flood, other] = [await t.signIn(), await t.signIn()];
  const lists: Promise<{ statusCode: number }>[] = [];
  await t.deps.db.transaction().execute(async (trx) => {
    // Not the table of therapists, which the access guard reads too.
    await sql`lock table client in access exclusive mode`.execute(trx);
    for (let i = 0; i < 30; i++) lists.push(flood.call({ url: '/api/clients' }));
    expect(await untilWaiting()).toBeGreaterThan(1);
    expect((await other.call({ url: '/api/causes' })).statusCode).toBe(200);
    await t.signIn();
  });
  expect((await Promise.all(lists)).map(({ statusCode }) => statusCode)).toEqual(lists.map(() => 200));
});

/** How many statements wait for the lock, once their number no longer changes. */
async function untilWaiting(): Promise<number> {
  let last = -1;
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      amongReads(t.deps.db),
    );
    const n = rows[0]?.n ?? 0;
    if (n > 1 && n === last) return n;
    last = n;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
