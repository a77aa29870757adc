import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { loadDemo } from '../../db/demo/load-demo.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { COLUMNS } from '../columns/columns.ts';
import { exportedColumns } from '../columns/exported.ts';
import { clinicA } from '../testing/clinic-a.ts';
import { contents } from '../testing/contents.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from '../testing/small.ts';
import { IMPORT_KINDS, type ImportFiles } from '../import-types.ts';
import { importFiles, type ImportResult } from '../imports.service.ts';
import { WHOLE } from './scope.ts';
import { writeExport } from './write-files.ts';

const passwordHasher = () => Promise.resolve('none');
/** People whose texts a spreadsheet would calculate, or a CSV reader would split. */
const odd: ImportFiles = {
  therapists: file('therapists', [
    'id,first_name,last_name,location,specialization,gender,start_date,end_date,week_hours,consistency,availability,tags,contact_1_name,contact_1_phone',
    `=T-1,"Ana, Maria",@Ruiz,altamonte,RBT,Female,2024-03-04,2027-01-31,37.5,82,Mon 00:00-12:00 from 2026-01-05 until 2026-12-31; Sun 12:00-23:45,Spanish until 2027-01-01; CPI,"Bo ""B"" Lee",+1 407 555 0100`,
    "T-2,'Kai,-Wood,tampa,BCBA,Male,2024-03-04,,,,,,,",
  ]),
  clients: file('clients', [
    'id,first_name,last_name,location,gender,end_date,restrictions,needs,prefers,contact_1_name,contact_1_email,contact_1_preferred',
    'C-1,Bo,=Lee(),altamonte,Male,2027-02-01,gender:female; therapist:T-2; care team only; 2:1,Spanish,CPI; AAC,Mia,mia@family.example,email',
    'C-2,"Moö","Diaz’s",tampa,Female,,,,,,,',
  ]),
  appointments: file('appointments', [
    'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status,Client Name,Location,Cancellation Reason,Cancelled By,Cancelled At',
    '=1,2026-11-16 08:00,2026-11-16 09:10,"=Direct, Therapy",=T-1,Cancelled,C-1,altamonte,Sick,family,2026-11-15 18:30',
    '2,2026-11-16 09:15,2026-11-16 10:00,Lunch,T-2,Scheduled,Admin,tampa,,,',
    '3,2026-12-16 09:15,2026-12-16 10:00,Direct Therapy,,No Show,C-2,tampa,,,',
    '4,2026-12-16 09:15,2026-12-16 10:00,Direct Therapy,,deleted,C-2,tampa,,,',
  ]),
  authorizations: file('authorizations', [
    'client_id,client,payer,code,number,from_date,until_date,units,period,prior_units,prior_until',
    'C-1,,-Medicaid,97153,A-1,2026-06-01,2026-12-01,800,total,120,2026-11-01',
    'C-1,,Aetna,97155,,2026-06-01,2026-12-01,8,week,,',
  ]),
  credentials: file('credentials', [
    'therapist_id,therapist,credential,number,from_date,until_date',
    'T-2,,BCBA,1-23-456,2024-01-01,2027-01-01',
    'T-2,,RBT,,,2023-12-31',
  ]),
};

function file(name: string, lines: readonly string[]) {
  return { name: `${name}.csv`, bytes: Buffer.from([...lines, ''].join('\n')) };
}

let folder: string;
let database: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  [database, empty] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([database.close(), empty.close()]);
});

const into = (db: TestDatabase['db'], files: ImportFiles): Promise<ImportResult> =>
  importFiles(db, files, { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) });

async function exported(db: TestDatabase['db']): Promise<ImportFiles> {
  await writeExport(db, folder, WHOLE, 'Admin');
  return Object.fromEntries(
    IMPORT_KINDS.map((kind) => [kind, { name: `${kind}.csv`, bytes: readFileSync(join(folder, `${kind}.csv`)) }]),
  );
}

const textsOf = (files: ImportFiles) => IMPORT_KINDS.map((kind) => Buffer.from(files[kind]?.bytes ?? []).toString());

test('has only columns of imports', () => {
  for (const kind of IMPORT_KINDS)
    expect(COLUMNS[kind].map(({ name }) => name)).toEqual(expect.arrayContaining([...exportedColumns(kind)]));
});

describe.each([
  ['the demo', (db: TestDatabase['db']) => loadDemo(db, { today: isoDate('2026-11-22'), passwordHasher })],
  ['an imported clinic', (db: TestDatabase['db']) => into(db, clinicA())],
  ['odd people', (db: TestDatabase['db']) => into(db, odd)],
])('%s', (_, fill) => {
  let clinic: TestDatabase;
  beforeAll(async () => {
    clinic = await createTestDatabase();
    await fill(clinic.db);
  });
  afterAll(() => clinic.close());

  test('importing the export changes nothing', async () => {
    const before = await contents(clinic);
    const files = await exported(clinic.db);
    const { outcomes } = await into(clinic.db, files);
    expect(outcomes.filter(({ outcome }) => outcome === 'refused' || outcome === 'new')).toEqual([]);
    expect(await contents(clinic)).toEqual(before);
    expect(textsOf(await exported(clinic.db))).toEqual(textsOf(files));
  });

  test('an empty database becomes the same clinic', async () => {
    const files = await exported(clinic.db);
    const other = await createTestDatabase();
    try {
      const { outcomes } = await into(other.db, files);
      expect(outcomes.filter(({ outcome }) => outcome !== 'new')).toEqual([]);
      expect(textsOf(await exported(other.db))).toEqual(textsOf(files));
    } finally {
      await other.close();
    }
  });
});

test('keeps a session as it is here, wherever the file says it is', async () => {
  await into(empty.db, smallFiles({ therapists: THERAPISTS, clients: CLIENTS }));
  await sql`insert into appointment (wire_id, location, client_id, therapist_id, booked_therapist_id, service, subject,
      status, starts, ends, place, client_place)
    values ('APT-9', 'altamonte', 'C-1', 'T-1', 'T-1', 'direct', 'Direct Therapy', 'cancelled', '2026-11-16 09:00',
      '2026-11-16 10:00', 'T-1', 'C-1')`.execute(empty.db);
  const lines = [appointment('APT-9', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee', { date: '11/17/2026' })];
  const { outcomes } = await into(empty.db, smallFiles({ appointments: lines }));
  expect(outcomes.map(({ outcome, text }) => [outcome, text])).toEqual([
    ['kept', 'it was made or changed here; what is here stays'],
  ]);
});

test('replaces an earlier export whole, and nobody else may read it', async () => {
  writeFileSync(join(folder, 'clients.csv.part'), 'left behind', { mode: 0o644 });
  await exported(database.db);
  expect(readdirSync(folder).sort()).toEqual(IMPORT_KINDS.map((kind) => `${kind}.csv`).sort());
  expect(IMPORT_KINDS.map((kind) => statSync(join(folder, `${kind}.csv`)).mode & 0o777)).toEqual(
    IMPORT_KINDS.map(() => 0o600),
  );
  const before = textsOf(await exported(database.db));
  await sql`alter table contact rename to contact_away`.execute(database.db);
  await expect(writeExport(database.db, folder, WHOLE, 'Admin')).rejects.toThrow(/contact/);
  await sql`alter table contact_away rename to contact`.execute(database.db);
  expect(IMPORT_KINDS.map((kind) => readFileSync(join(folder, `${kind}.csv`), 'utf8'))).toEqual(before);
});
