import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { addDays, isoDate } from '@clinic/domain';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import { importFiles, type ImportResult } from './imports.service.ts';
import { repeats } from '../reliability/testing/doses.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await run({ therapists: THERAPISTS, clients: CLIENTS });
});
afterAll(() => database.close());

async function run(lines: Parameters<typeof smallFiles>[0]): Promise<ImportResult> {
  return importFiles(database.db, smallFiles(lines), {
    dryRun: false,
    adminClientName: 'Admin',
    accountId: null,
    now: Date.UTC(2026, 10, 20),
  });
}

interface Row {
  id: string;
  start: number;
  hours: number;
  who: string;
  client: string;
  status: string;
  subject: string;
}
const row: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom('A-1', 'A-2', 'A-3', 'A-4', 'A-5', ''),
  start: fc.integer({ min: 7, max: 11 }),
  hours: fc.integer({ min: 1, max: 3 }),
  who: fc.constantFrom('Ana Ruiz', 'Kai Wood', ''),
  client: fc.constantFrom('Bo Lee', 'Mo Diaz', 'Eva Cole', 'Admin'),
  status: fc.constantFrom('Confirmed', 'Confirmed', 'Confirmed', 'Cancelled', 'deleted'),
  subject: fc.constantFrom('Direct Therapy', 'Direct Therapy', 'Supervision', 'Play Group'),
});
const clock = (hour: number): string => `${hour > 12 ? hour - 12 : hour}:00 ${hour < 12 ? 'AM' : 'PM'}`;
/** Each case has its own Ids and date, because the previous case's history cannot be deleted. */
const lineOf = (r: Row, unit: number, date: string): string => {
  const id = r.id === '' ? '' : `${r.id}.${unit}`;
  const more = {
    status: r.status,
    subject: r.subject,
    date: `${Number(date.slice(5, 7))}/${Number(date.slice(8))}/${date.slice(0, 4)}`,
  };
  return appointment(id, clock(r.start), clock(r.start + r.hours), r.who, r.client, more);
};

/** A coordinator's change between two imports, written as the calendar would write it. */
type Edit = 'cancel' | 'free' | 'none';
const step = fc.record({
  rows: fc.array(row, { maxLength: 7 }),
  edit: fc.constantFrom<Edit>('cancel', 'free', 'none'),
  which: fc.nat(),
});

async function makeEdit(edit: Edit, which: number, date: string): Promise<void> {
  const ids = (
    await sql<{ id: string }>`select id from appointment where starts::date = ${date} order by id`.execute(database.db)
  ).rows;
  const id = ids[which % Math.max(1, ids.length)]?.id;
  if (edit === 'none' || id === undefined) return;
  if (edit === 'cancel') {
    await sql`update appointment set status = 'cancelled', version = version + 1 where id = ${id}`.execute(database.db);
  } else {
    // Removes the therapist only if the result is valid; administrative time must keep its therapist.
    await sql`update appointment set therapist_id = null, place = id::text, clash = false, version = version + 1
      where id = ${id} and service <> 'admin' and client_place = id::text`.execute(database.db);
  }
}

let unit = 0;

test('given any sequence of imports and edits, every row is accounted for, and database rules hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      unit++;
      const date = addDays(isoDate('2026-01-05'), unit);
      for (const { rows, edit, which } of steps) {
        const lines = rows.map((r) => lineOf(r, unit, date));
        const result = await run({ appointments: lines });
        expect(result.outcomes.map((o) => o.line)).toEqual(rows.map((_, i) => i + 2));
        const again = await run({ appointments: lines });
        expect(again.outcomes.filter((o) => o.outcome === 'new' || o.outcome === 'changed')).toEqual([]);
        await makeEdit(edit, which, date);
      }
    }),
    { numRuns: repeats(30), seed: 5 },
  );
});
