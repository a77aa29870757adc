import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../db/connection.ts';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import { DatabaseStore } from './plan/import-store.ts';
import { AT_ONCE, importFiles, runImport } from './imports.service.ts';
import type { WriteName } from './plan/imports.writes.ts';

let staff: SignedIn;
const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
const t = useApp(() => buildTestApp({ config: { clock: '2026-10-01T12:00:00Z', logLevel: 'error' } }));
beforeAll(async () => {
  staff = await t.signIn();
  await importFiles(t.deps.db, smallFiles({ therapists: THERAPISTS, clients: CLIENTS }), options);
});

/** Counts an import's commits, and the maximum number of sessions that one commit inserts. */
class CountingStore extends DatabaseStore {
  commits = 0;
  largest = 0;
  #rows = 0;
  override write(name: WriteName, rows: string): Promise<void> {
    if (name === 'insertAppointments') this.#rows += (JSON.parse(rows) as unknown[]).length;
    return super.write(name, rows);
  }
  override async commit(): Promise<void> {
    await super.commit();
    this.commits++;
    this.largest = Math.max(this.largest, this.#rows);
    this.#rows = 0;
  }
}

test('while thousands of rows are imported, bookings and reads continue, each waiting for at most one batch', async () => {
  const dates = Array.from({ length: 28 }, (_, i) => `11/${i + 1}/2026`);
  const rows = dates.flatMap((date, d) =>
    Array.from({ length: 300 }, (_, i) =>
      appointment(`L-${d}-${i}`, '1:00 PM', '2:00 PM', '', 'Mo Diaz', { date, subject: `Parent Training ${i}` }),
    ),
  );
  const store = new CountingStore(t.deps.db, options);
  let pending = true;
  const importing = runImport(store, smallFiles({ appointments: rows }), options).finally(() => (pending = false));
  const waited: number[] = [];
  const statuses = new Set<number>();
  for (let n = 0; pending; n++) {
    const before = store.commits;
    const booked = await staff.call({
      method: 'POST',
      url: '/api/appointments',
      payload: {
        location: 'altamonte',
        client: 'Bo Lee',
        therapist: 'Ana Ruiz',
        subject: 'Direct Therapy',
        date: `2026-12-${String((n % 28) + 1).padStart(2, '0')}`,
        start: '08:00',
        end: '09:00',
      },
    });
    const between = store.commits;
    const read = await staff.call({ url: '/api/calendar?location=altamonte&date=2026-11-16' });
    statuses.add(booked.statusCode).add(read.statusCode);
    waited.push(between - before, store.commits - between);
  }
  const { outcomes } = await importing;
  expect(outcomes.every((o) => o.outcome === 'new')).toBe(true);
  expect([...statuses].every((status) => status < 500)).toBe(true);
  expect(store.largest).toBeLessThanOrEqual(AT_ONCE);
  expect(store.commits).toBeGreaterThan(8);
  expect(waited.length).toBeGreaterThan(4);
  // A booking waits for at least one batch; on a busy machine, more batches may finish while the booking reads. If the
  // booking waited for the whole import, it would see all batches.
  expect(waited.sort((a, b) => a - b)[waited.length >> 1]).toBeLessThanOrEqual(1);
  expect(Math.max(...waited)).toBeLessThanOrEqual(4);
});

test('an import that changes nothing takes no locks', async () => {
  class ReadingStore extends DatabaseStore {
    readonly held: string[] = [];
    override begin(hold: Parameters<DatabaseStore['begin']>[0]): Promise<void> {
      this.held.push(hold);
      return super.begin(hold);
    }
  }
  const store = new ReadingStore(t.deps.db, options);
  await runImport(store, smallFiles({ therapists: THERAPISTS, clients: CLIENTS }), options);
  // Every transaction (one for the remembered answers, one for the data) locked nothing.
  expect(new Set(store.held)).toEqual(new Set(['nothing']));
});

test('an import of ten rows reads only the stored rows that it could affect, however much was imported before', async () => {
  await sql`
    insert into import_row (kind, key, content_hash, target_id, target_version)
    select 'appointment', 'id:OLD-' || n, 'x', gen_random_uuid()::text, 1 from generate_series(1, 50000) n`.execute(
    t.deps.db,
  );
  await sql`analyze import_row, appointment`.execute(t.deps.db);
  // All reads use one connection, so that its statistics cover them all.
  const one = openDatabase(t.database.target, { connections: 2 });
  try {
    const rowsRead = async (): Promise<number> => {
      await sql`select pg_stat_force_next_flush()`.execute(one.db);
      const { rows } = await sql<{ n: string }>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as n from pg_stat_user_tables
        where relname in ('import_row', 'appointment')`.execute(one.db);
      return Number(rows[0]?.n);
    };
    const ten = (status: string) =>
      smallFiles({
        appointments: Array.from({ length: 10 }, (_, i) =>
          appointment(`N-${i}`, '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee', { date: `1/${i + 1}/2027`, status }),
        ),
      });
    await importFiles(one.db, ten('Scheduled'), options);
    const before = await rowsRead();
    const result = await importFiles(one.db, ten('Confirmed'), { ...options, dryRun: true });
    expect(result.outcomes.map((o) => o.outcome)).toEqual(Array.from({ length: 10 }, () => 'changed'));
    const more = (await rowsRead()) - before;
    expect(more).toBeGreaterThanOrEqual(20);
    expect(more).toBeLessThan(100);
  } finally {
    await one.close();
  }
});
