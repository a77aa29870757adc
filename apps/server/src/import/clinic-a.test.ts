import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { clinicA } from './testing/clinic-a.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import { importFiles, type ImportResult } from './imports.service.ts';
import { reportCsv, summarize } from './report.ts';

/** A separate Python program computed the expected figures from the CSV files, with its own name lookup and merging. */
let database: TestDatabase;
let first: ImportResult;
const files = clinicA();
const input = {
  adminClientName: 'Admin',
  accountId: null,
  now: Date.UTC(2026, 10, 20),
  dryRun: false,
};

beforeAll(async () => {
  database = await createTestDatabase();
  const planned = await importFiles(database.db, files, { ...input, dryRun: true });
  expect(await contents(database)).toEqual(await contents()); // the dry run wrote nothing
  first = await importFiles(database.db, files, input);
  expect(first.outcomes).toEqual(planned.outcomes);
});
afterAll(() => database.close());

/** The row count and hash of each table that an import writes; without an argument, the values of an empty database. */
async function contents(of?: TestDatabase): Promise<unknown> {
  const from = of ?? (await createTestDatabase());
  const tables = [
    'therapist',
    'therapist_availability',
    'client',
    'client_restriction',
    'appointment',
    'appointment_event',
  ];
  const prints: unknown[] = [];
  for (const table of [...tables, 'import_row', 'location_day', 'audit']) {
    const { rows } = await sql`
      select count(*)::int as n, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as print
      from ${sql.table(table)} t`.execute(from.db);
    prints.push([table, rows]);
  }
  if (!of) await from.close();
  return prints;
}

async function query<T>(text: ReturnType<typeof sql<T>>): Promise<T[]> {
  return (await text.execute(database.db)).rows;
}

const linesOf = (reason: string): number[] =>
  first.outcomes.filter((o) => o.outcome === 'refused' && o.reason === reason).map((o) => o.line);

describe('the export of clinic A', () => {
  test('the result accounts for every row', () => {
    const { files, notes } = summarize(first);
    expect(files).toEqual([
      expect.objectContaining({ kind: 'therapists', rows: 212, new: 212, taken: 212, merged: 0, refused: 0 }),
      expect.objectContaining({ kind: 'clients', rows: 173, new: 173, taken: 173, merged: 0, refused: 0 }),
      {
        kind: 'appointments',
        file: 'appointments.csv',
        rows: 10772,
        taken: 10578,
        new: 10578,
        changed: 0,
        unchanged: 0,
        merged: 123,
        kept: 0,
        refused: 71,
        reasons: {
          'ambiguous therapist': 33,
          'end before start': 13,
          'unknown location': 13,
          'unknown client': 10,
          'missing value': 2,
        },
      },
    ]);
    expect(notes).toEqual({
      nobody: 20,
      off_grid: 80,
      deleted: 49,
      decided_by_time: 79,
      double_booked: 30,
      off_series: 0,
      cancelled_at: 0,
    });
    expect(new Set(first.outcomes.filter((o) => o.kind === 'appointments').map((o) => o.line)).size).toBe(10772);
  });

  test('each refused row is reported with the line on which it starts', () => {
    expect(linesOf('end before start')).toEqual([
      106, 1559, 1980, 2470, 4673, 4688, 5768, 5890, 7173, 7676, 9147, 9247, 9568,
    ]);
    expect(linesOf('unknown location')).toEqual([
      167, 1745, 4666, 5578, 6251, 6541, 6656, 6959, 8124, 8932, 9804, 10276, 10581,
    ]);
    expect(linesOf('unknown client')).toEqual([402, 698, 963, 1485, 7468, 8559, 8602, 9180, 9379, 9756]);
    expect(linesOf('missing value')).toEqual([10443, 10509]); // these rows are administrative time without a therapist
    expect(linesOf('ambiguous therapist').slice(0, 4)).toEqual([1158, 1162, 1165, 1167]);
  });

  test('given a name shared by two therapists at the location, the row is refused with both names, unless only one of them works at that time', () => {
    const refused = first.outcomes.find((o) => o.line === 1158);
    expect(refused?.text).toContain('Kiara Kim [T-0192, Tampa] and Kiara Kim (2) [T-0193, Tampa]');
    expect(first.outcomes.find((o) => o.kind === 'appointments' && o.line === 1157)).toMatchObject({ outcome: 'new' });
  });

  test('the stored appointments match the export', async () => {
    const counted = (column: string) =>
      query(
        sql<{
          key: string;
          n: number;
        }>`select ${sql.ref(column)} as key, count(*)::int as n from appointment group by 1 order by 1`,
      );
    const pairs = (list: { key: string; n: number }[]) => list.map(({ key, n }) => [key, n]);
    expect(pairs(await counted('location'))).toEqual([
      ['altamonte', 1866],
      ['deerfield', 2088],
      ['orlando', 1962],
      ['palm beach', 2253],
      ['tampa', 2409],
    ]);
    expect(pairs(await counted('status'))).toEqual([
      ['booked', 1706],
      ['cancelled', 464],
      ['entered-in-error', 49],
      ['fulfilled', 6782],
      ['noshow', 144],
      ['pending', 1433],
    ]);
    expect(pairs(await counted('service'))).toEqual([
      ['admin', 684],
      ['direct', 8922],
      ['parent-training', 247],
      ['supervision', 725],
    ]);
    const [sums] = await query(sql<Record<string, number>>`
      select (extract(epoch from sum(ends - starts)) / 60)::int as minutes,
        count(*) filter (where therapist_id is null)::int as nobody, count(*) filter (where clash)::int as clash,
        (select count(*) from client_restriction)::int as restrictions,
        (select count(*) from therapist_availability)::int as windows
      from appointment`);
    expect(sums).toEqual({ minutes: 1705173, nobody: 22, clash: 30, restrictions: 53, windows: 1189 });
  });

  test('Altamonte’s calendar on 2026-11-20 has the same appointments as the file', async () => {
    const [day] = await query(sql`
      select count(*)::int as all, count(distinct client_id)::int as clients, count(distinct therapist_id)::int as therapists,
        count(*) filter (where status = 'booked')::int as confirmed
      from appointment where location = 'altamonte' and starts::date = '2026-11-20'`);
    expect(day).toEqual({ all: 46, clients: 25, therapists: 29, confirmed: 32 });
  });

  test('people with the same name are numbered in the order of the file', async () => {
    const rows = await query(sql<{ id: string }>`
      select id from therapist where display_name like '% (2)' union select id from client where display_name like '% (2)' order by 1`);
    expect(rows.map((r) => r.id)).toEqual(['C-0170', 'T-0153', 'T-0178', 'T-0181', 'T-0193', 'T-0210']);
  });

  test('given people with the same name, the row’s location decides which of them is meant', async () => {
    const rows = await query(sql`
      select a.location, a.therapist_id from appointment a join therapist t on t.id = a.therapist_id
      where t.first_name = 'Noor' and t.last_name = 'Núñez' group by 1, 2 order by 1`);
    expect(rows).toEqual([
      { location: 'altamonte', therapist_id: 'T-0013' },
      { location: 'palm beach', therapist_id: 'T-0153' },
    ]);
  });

  test('[CAL-12] two rows with the same Id, ten minutes apart, become one appointment', async () => {
    expect(await query(sql`select starts, ends from appointment where wire_id = 'APT-000497'`)).toEqual([
      { starts: '2026-10-09 08:00:00', ends: '2026-10-09 11:00:00' },
    ]);
  });

  test('subjects that contain HTML or a formula stay plain text, and line breaks inside cells are kept', async () => {
    const rows = await query(sql<{ subject: string; n: number }>`
      select subject, count(*)::int as n from appointment
      where subject not in ('Direct Therapy', 'Supervision', 'Parent Training', 'Admin Time') group by 1 order by 1`);
    expect(rows.map((r) => r.subject)).toEqual([
      '<img src=x onerror=alert(1)>',
      '=HYPERLINK("http://example.invalid","x")',
      'Direct Therapy, "make-up"\nsee note',
    ]);
  });

  test('double-booked appointments are flagged and share a `place` value; every other appointment has its own', async () => {
    const rows = await query(sql<{ clash: boolean; own: boolean; n: number }>`
      select clash, (place = id::text and client_place = id::text) as own, count(*)::int as n from appointment group by 1, 2`);
    expect(rows.toSorted((a, b) => Number(a.clash) - Number(b.clash))).toEqual([
      { clash: false, own: true, n: 10548 },
      { clash: true, own: false, n: 30 },
    ]);
  });

  test('a second import of the same files changes nothing', async () => {
    const before = await contents(database);
    const again = await importFiles(database.db, files, input);
    expect(summarize(again).files.map((f) => [f.unchanged, f.new, f.changed])).toEqual([
      [212, 0, 0],
      [173, 0, 0],
      [10578, 0, 0],
    ]);
    expect(await contents(database)).toEqual(before);
  });

  test('the report lists each refused and merged row with its line, reason and original text, and contains no spreadsheet formula', () => {
    const csv = reportCsv(first);
    expect(csv).toContain(
      "\r\nrefused,appointments.csv,402,unknown client,there is no client named 'Nobody Known',appointments,APT-000401,",
    );
    expect(csv.match(/\r\nrefused,/g)).toHaveLength(71);
    expect(csv.match(/\r\nmerged,/g)).toHaveLength(123);
    const hostile = {
      ...first,
      files: [{ kind: 'clients', file: 'c.csv', rows: 1, header: ['id'], cells: new Map([[2, ['=1+1']]]) }],
      outcomes: [{ ...first.outcomes[0], kind: 'clients', line: 2, outcome: 'refused', text: '@x' }],
    } as ImportResult;
    expect(reportCsv(hostile)).toMatch(/,'@x,clients,'=1\+1\r\n$/);
  });

  test('the audit trail records the import without naming anyone', async () => {
    const rows = await query(sql<{ action: string; detail: object }>`select action, detail from audit`);
    expect(rows).toEqual([
      {
        action: 'import.applied',
        detail: {
          therapists: 212,
          clients: 173,
          appointments: 10578,
          refused: 71,
          from: '2026-10-05',
          until: '2026-11-27',
        },
      },
    ]);
  });
});

test('given an import of up to a thousand rows that fails partway, nothing is stored', async () => {
  const other = await createTestDatabase();
  try {
    await sql`alter table appointment add constraint planted check (wire_id <> 'A-2')`.execute(other.db);
    const small = smallFiles({
      therapists: THERAPISTS,
      clients: CLIENTS,
      appointments: [
        appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee'),
        appointment('A-2', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee', { date: '11/17/2026' }),
      ],
    });
    await expect(importFiles(other.db, small, input)).rejects.toThrow('violates check constraint "planted"');
    expect(await contents(other)).toEqual(await contents());
  } finally {
    await other.close();
  }
});
