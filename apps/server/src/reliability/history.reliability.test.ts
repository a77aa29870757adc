import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCoverApp } from '../testing/cover-app.ts';
import { deskWork, type DeskWork } from '../testing/desk-work.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { openDatabase } from '../db/connection.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { LASTING } from './doses.ts';
import { fillYears, pastTherapist } from '../testing/years.ts';

/**
 * The long run (`npm run bench -- growth`) passes its settings in `GROWTH`: therapists per location, working days in
 * the long and in the short history, runs of each request, a pattern for the names of requests, and where the result
 * goes. Without them, the small dose runs, which counts rows.
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
  : { therapists: 2, days: 600, short: 30, stay: 24, entries: 1, runs: 1, requests: '', result: '' };

interface Clinic {
  readonly t: TestApp;
  readonly who: SignedIn;
  readonly work: readonly DeskWork[];
}

const CONNECTIONS = 6;
const clinics: Clinic[] = [];

beforeAll(async () => {
  for (const days of [growth.short, growth.days]) {
    const made = await createTestDatabase();
    const open = openDatabase(made.target, { connections: CONNECTIONS });
    // Filling uses connections without a time limit, because the vacuum takes minutes.
    const filling = openDatabase(made.target, { connections: 2, statementTimeoutMs: 0 });
    await fillYears(filling.db, { days, therapists: growth.therapists, stay: growth.stay, entries: growth.entries });
    await filling.close();
    const close = async (): Promise<void> => {
      await open.close();
      await made.close();
    };
    const t = await buildCoverApp({
      database: { ...made, ...open, close },
      // The users of the first application stay signed in while the second database is filled, which takes a long time.
      config: { ...LASTING, logLevel: 'error', solverSeconds: 60 },
    });
    const who = await t.signIn({ role: 'admin' });
    const therapist = await t.signIn({ role: 'therapist', therapistId: pastTherapist(1, 0), locations: ['altamonte'] });
    const wanted = new RegExp(growth.requests);
    const work = deskWork(t, who, therapist).filter(({ name }) => wanted.test(name));
    clinics.push({ t, who, work });
  }
}, 3_600_000);
afterAll(async () => {
  for (const { t } of clinics) {
    await t.close();
    await t.database.close();
  }
});

async function run({ who }: Clinic, work: DeskWork, n: number): Promise<number> {
  const request = await work.prepare(n);
  const began = performance.now();
  const reply = await (work.as ?? who).call(request);
  const took = performance.now() - began;
  expect(reply.statusCode, `${work.name}: ${reply.body.slice(0, 300)}`).toBeLessThan(400);
  return took;
}

/**
 * The number of rows that the database has read so far, from tables and through indexes. Clients are left out: while
 * there are few of them, PostgreSQL reads all of them rather than look each one up.
 */
async function rowsRead({ t }: Clinic): Promise<number> {
  // Makes every connection, for reads and for writes, report its counts; the pause gives each query a different
  // connection.
  const handOver = sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`;
  const each = Array.from({ length: CONNECTIONS / 2 });
  await Promise.all(each.map(() => handOver.execute(t.deps.db)));
  await Promise.all(each.map(() => t.deps.db.transaction().execute((trx) => handOver.execute(trx))));
  const { rows } = await sql<{ rows: string }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_user_tables
    where relname <> 'client'`.execute(t.deps.db);
  return Number(rows[0]?.rows);
}

async function readsNoMore(): Promise<void> {
  const [short, long] = clinics as [Clinic, Clinic];
  const read = async (clinic: Clinic, index: number): Promise<number> => {
    const work = clinic.work[index] as DeskWork;
    const request = await work.prepare(1);
    const before = await rowsRead(clinic);
    const reply = await (work.as ?? clinic.who).call(request);
    expect(reply.statusCode, `${work.name}: ${reply.body.slice(0, 300)}`).toBeLessThan(400);
    return (await rowsRead(clinic)) - before;
  };
  const found: string[] = [];
  for (const [index, work] of short.work.entries()) {
    const few = await read(short, index);
    const many = await read(long, index);
    if (many > 1.5 * few + 50) found.push(`${work.name}: ${few} rows, ${many} with the long history`);
  }
  expect(found).toEqual([]);
}

async function measureRequests(): Promise<void> {
  const times = clinics.map(() => new Map<string, number[]>());
  for (let n = 0; n < growth.runs + 1; n++) {
    for (const [index, work] of (clinics[0] as Clinic).work.entries()) {
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
else test('given a history twenty times as long, a request reads no more rows than before', readsNoMore, 300_000);
