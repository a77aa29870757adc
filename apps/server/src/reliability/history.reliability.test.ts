import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeskWork } from '../testing/desk-work.ts';
import { openPastClinic, type PastClinic } from '../testing/past-clinic.ts';
import { LASTING } from './testing/doses.ts';

/**
 * The long run (`npm run bench -- growth`) passes its settings in `GROWTH`: therapists per location, working days in
 * the long and in the short history, runs of each request, a pattern for the names of requests, and where the result
 * goes. Without them, the small dose runs, which counts rows and pages.
 */
const given = process.env['GROWTH'];
const growth = given
  ? (JSON.parse(given) as {
      therapists: number;
      days: number;
      short: number;
      stay: number;
      entries: number;
      runs: number;
      requests: string;
      result: string;
    })
  : { therapists: 2, days: 900, short: 300, stay: 24, entries: 1, runs: 1, requests: '', result: '' };

const CONNECTIONS = 6;
const clinics: PastClinic[] = [];

beforeAll(async () => {
  const { therapists, stay, entries } = growth;
  const wanted = new RegExp(growth.requests);
  // The users of the first application stay logged in while the second database is filled, which takes a long time.
  const config = { ...LASTING, logLevel: 'error', solverSeconds: 60 } as const;
  for (const days of [growth.short, growth.days]) {
    const clinic = await openPastClinic({ days, therapists, stay, entries }, CONNECTIONS, config);
    clinics.push({ ...clinic, work: clinic.work.filter(({ name }) => wanted.test(name)) });
  }
}, 3_600_000);
afterAll(async () => {
  for (const { close } of clinics) await close();
});

async function run({ who }: PastClinic, work: DeskWork, n: number): Promise<number> {
  const request = await work.prepare(n);
  const began = performance.now();
  const reply = await (work.as ?? who).call(request);
  const took = performance.now() - began;
  expect(reply.statusCode, `${work.name}: ${reply.body.slice(0, 300)}`).toBeLessThan(400);
  return took;
}

/** How many rows, and how many pages of each table and each index, the database has read so far. */
type Reads = ReadonlyMap<string, number>;

/**
 * What the database has read so far, from tables and through indexes. Pages are counted apart: a query that walks a whole
 * index for a few rows must not hide behind the pages of all others. Two things are left out. While there are few
 * clients, PostgreSQL reads all of them rather than look each one up. And each client who ever came is looked up in one
 * index, a few pages each, to see whether they have left.
 */
async function readsOf({ t }: PastClinic): Promise<Reads> {
  // Makes every connection, for reads and for writes, report its counts; the pause gives each query a different
  // connection.
  const handOver = sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`;
  const each = Array.from({ length: CONNECTIONS / 2 });
  await Promise.all(each.map(() => handOver.execute(t.deps.db)));
  await Promise.all(each.map(() => t.deps.db.transaction().execute((trx) => handOver.execute(trx))));
  const { rows } = await sql<{ what: string; read: string }>`
    select 'rows of ' || relname as what, seq_tup_read + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_user_tables where relname <> 'client'
    union all select 'pages of ' || relname, heap_blks_read + heap_blks_hit
    from pg_statio_user_tables where relname <> 'client'
    union all select 'pages of ' || indexrelname, idx_blks_read + idx_blks_hit
    from pg_statio_user_indexes where relname <> 'client' and indexrelname <> 'appointment_client'`.execute(t.deps.db);
  return new Map(rows.map(({ what, read }) => [what, Number(read)]));
}

async function readsNoMore(): Promise<void> {
  const [short, long] = clinics as [PastClinic, PastClinic];
  const read = async (clinic: PastClinic, index: number): Promise<Reads> => {
    const work = clinic.work[index] as DeskWork;
    const request = await work.prepare(1);
    const before = await readsOf(clinic);
    const reply = await (work.as ?? clinic.who).call(request);
    expect(reply.statusCode, `${work.name}: ${reply.body.slice(0, 300)}`).toBeLessThan(400);
    const after = await readsOf(clinic);
    return new Map([...after].map(([what, total]) => [what, total - (before.get(what) ?? 0)]));
  };
  const found: string[] = [];
  for (const [index, work] of short.work.entries()) {
    const few = await read(short, index);
    const many = await read(long, index);
    for (const [what, count] of many) {
      const before = few.get(what) ?? 0;
      // The short history holds what rules read: a year, after which a client has left, and an authorization's half year.
      // All of it has more than twice as many pages in each index as are allowed on top here.
      if (count > 1.5 * before + (what.startsWith('rows') ? 150 : 60))
        found.push(`${work.name}: ${before} ${what}, ${count} with the long history`);
    }
  }
  expect(found).toEqual([]);
}

async function measureRequests(): Promise<void> {
  const times = clinics.map(() => new Map<string, number[]>());
  for (let n = 0; n < growth.runs + 1; n++) {
    for (const [index, work] of (clinics[0] as PastClinic).work.entries()) {
      for (const [which, clinic] of clinics.entries()) {
        const took = await run(clinic, clinic.work[index] as DeskWork, n);
        if (n > 0) times[which]?.set(work.name, [...(times[which].get(work.name) ?? []), took]);
      }
    }
  }
  const median = (list: readonly number[] = []): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
  const [short, long] = times;
  const rows = [...(short?.keys() ?? [])].map((name) => ({
    name,
    short: median(short?.get(name)),
    long: median(long?.get(name)),
  }));
  writeFileSync(growth.result, JSON.stringify(rows));
}

// Defines only one of the tests, because a skipped test would count as failed.
if (given)
  test(
    'requests are timed with a short and with a long history, and the times are written to a file',
    measureRequests,
    3_600_000,
  );
else
  test(
    'given a history three times as long, a request reads no more rows, and no more pages of any table or index, than before',
    readsNoMore,
    300_000,
  );
