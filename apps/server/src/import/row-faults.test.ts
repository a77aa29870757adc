import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { importFiles } from './imports.service.ts';
import type { ImportFiles, ImportKind } from './import-types.ts';
import { LIMITS } from './read/limits.ts';

const HEADS: Readonly<Record<ImportKind, string>> = {
  therapists:
    'id,first_name,last_name,location,specialization,gender,start_date,availability,credential_from,credential_until',
  clients: 'id,first_name,last_name,location,gender,restrictions',
  appointments: 'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status,Client Name,Location',
  authorizations: 'client,payer,code,number,from_date,until_date,units',
  credentials: 'therapist,credential,number,from_date,until_date',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await run('clients', ['C-1,Bo,Lee,altamonte,Male,'], false);
  await run('therapists', ['T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,,,'], false);
});
afterAll(() => database.close());

/** What an import says of each of these rows. */
async function run(kind: ImportKind, rows: readonly string[], dryRun = true): Promise<(string | null)[]> {
  const bytes = Buffer.from([HEADS[kind], ...rows].join('\n'));
  const files: ImportFiles = { [kind]: { name: `${kind}.csv`, bytes } };
  const options = { dryRun, adminClientName: 'Admin', accountId: null, now: Date.parse('2026-11-20') };
  return (await importFiles(database.db, files, options)).outcomes.map(({ outcome, text }) => `${outcome}: ${text}`);
}

const session = (start: string, end: string, subject = 'Direct Therapy', id = 'A-1'): string =>
  [id, start, end, subject, 'Unassigned', 'Scheduled', 'Bo Lee', 'Altamonte'].join();

test.each<[string, ImportKind, string, RegExp]>([
  [
    'a long payer',
    'authorizations',
    `C-1,${'p'.repeat(61)},97153,A-1,2026-01-01,2026-06-30,8`,
    /^refused: payer is longer than 60/,
  ],
  [
    'three years',
    'authorizations',
    'C-1,Acme,97153,A-1,2026-01-01,2029-01-01,8',
    /^refused: it is for more than two years/,
  ],
  ['no date', 'authorizations', 'C-1,Acme,97153,A-1,soon,2026-06-30,8', /^refused: .*soon/],
  ['too many cells', 'authorizations', 'C-1,Acme,97153,A-1,2026-01-01,2026-06-30,8,9,10', /^refused: it has 9 cells/],
  ['a credential without a date', 'credentials', 'T-1,RBT,R-1,soon,', /^refused: .*soon/],
  [
    'a long subject',
    'appointments',
    session('1/5/2027 8:30 AM', '1/5/2027 9:30 AM', 's'.repeat(300)),
    /^refused: Subject is longer than/,
  ],
  ['no start', 'appointments', session('', '1/5/2027 9:30 AM'), /^refused: StartDateTime is empty/],
  [
    'an end on the next day',
    'appointments',
    session('1/5/2027 8:30 AM', '1/6/2027 9:30 AM'),
    /^refused: it runs past midnight/,
  ],
  [
    'a credential from no date',
    'therapists',
    'T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,,soon,',
    /the credential was left out: .*soon.* is not a date/,
  ],
  [
    'hours in the morning or in the evening',
    'therapists',
    'T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,Mon 6-9,,',
    /^refused: availability has 'Mon 6-9'; it must be like .*, with AM or PM$/,
  ],
  [
    'a credential that ends first',
    'therapists',
    'T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,,2026-06-01,2026-05-31',
    /the credential was left out: it ends before it begins/,
  ],
])('given %s, the import says so', async (_what, kind, row, words) => {
  expect(await run(kind, [row])).toEqual([expect.stringMatching(words)]);
});

test('given more appointments on a date than one transaction may write, the file is refused', async () => {
  const rows = Array.from({ length: LIMITS.rowsOnADate + 1 }, (_, n) =>
    session('1/5/2027 8:30 AM', '1/5/2027 9:30 AM', 'Direct Therapy', `A-${n}`),
  );
  await expect(run('appointments', rows)).rejects.toThrow(/5,001 appointments on 2027-01-05/);
});
