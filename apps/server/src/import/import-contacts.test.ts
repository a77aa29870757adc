import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { contentHash } from './plan/hash.ts';
import { importFiles } from './imports.service.ts';
import { readClient, readTherapist } from './rows/people-rows.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const CLIENT = 'id,first_name,last_name,location,gender,restrictions';
const THERAPIST = 'id,first_name,last_name,location,specialization,gender,start_date,availability';

const run = async (kind: 'clients' | 'therapists', lines: readonly string[], dryRun = false) => {
  const file = { name: `${kind}.csv`, bytes: Buffer.from(lines.join('\n')) };
  const options = { dryRun, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
  const result = await importFiles(database.db, { [kind]: file }, options);
  return result.outcomes.map(({ outcome, text }) => [outcome, text]);
};
const stored = async () =>
  (
    await sql<
      Record<string, unknown>
    >`select coalesce(client_id, therapist_id) as of, rank, name, relation, phone, email,
      language, preferred from contact order by 1, 2`.execute(database.db)
  ).rows;

test('given common column names, contacts are imported in order, and a second import changes nothing', async () => {
  const file = [
    `${CLIENT},Parent/Guardian 1 Name,Parent/Guardian 1 Relationship,Phone,Email,Preferred contact,Guardian 2 Name,Guardian 2 Cell,Language`,
    'C-1,Bo,Lee,altamonte,Male,,Dana Lee,Mother,(407) 555-0123,dana@example.org,SMS,Sam Lee,407-555-0124,Spanish',
    'C-2,Mo,Diaz,altamonte,Female,,,,407-555-0125,,,,,',
    'C-3,Eva,Cole,altamonte,Female,,,,,,,,,',
  ];
  expect(await run('clients', file)).toEqual([
    ['new', null],
    ['new', null],
    ['new', null],
  ]);
  const dana = { of: 'C-1', rank: 1, name: 'Dana Lee', relation: 'Mother', phone: '(407) 555-0123' };
  const none = { relation: '', email: '', language: '', preferred: '' };
  expect(await stored()).toEqual([
    { ...dana, email: 'dana@example.org', language: 'Spanish', preferred: 'text' },
    { ...none, of: 'C-1', rank: 2, name: 'Sam Lee', phone: '407-555-0124' },
    { ...none, of: 'C-2', rank: 1, name: 'Mo Diaz', phone: '407-555-0125' },
  ]);
  expect((await run('clients', file)).map(([outcome]) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  const moved = file.map((line) => line.replace('407-555-0124', '407-555-0199'));
  expect((await run('clients', moved)).map(([outcome]) => outcome)).toEqual(['changed', 'unchanged', 'unchanged']);
  expect((await stored()).map((row) => row['phone'])).toEqual(['(407) 555-0123', '407-555-0199', '407-555-0125']);
});

test('parts of a contact that cannot be read are noted, even in a dry run, and the row is imported without them', async () => {
  const file = [
    `${CLIENT},Contact 1 Name,Contact 1 Phone,Contact 1 Email,Preferred contact`,
    'C-1,Bo,Lee,altamonte,Male,,Dana Lee,ask at school,dana at example,text',
    'C-2,Mo,Diaz,altamonte,Female,,Ola Diaz,407-555-0125,,pigeon',
  ];
  const noted = [
    [
      'new',
      expect.stringMatching(
        /telephone number 'ask at school' of contact 1 was left out.*email address 'dana at example'/,
      ),
    ],
    ['new', expect.stringContaining("preferred contact method 'pigeon' of contact 1 was left out")],
  ];
  expect(await run('clients', file, true)).toEqual(noted);
  expect(await stored()).toEqual([]);
  expect(await run('clients', file)).toEqual(noted);
  expect((await stored()).map(({ name, phone, preferred }) => [name, phone, preferred])).toEqual([
    ['Dana Lee', '', ''],
    ['Ola Diaz', '407-555-0125', ''],
  ]);
});

test('contact fields are stored on one line, without control characters, and no character is cut in half', async () => {
  const file = [
    `${CLIENT},Contact 1 Name,Contact 1 Relation,Contact 1 Phone,Contact 1 Email,Contact 1 Language`,
    `C-1,Bo,Lee,altamonte,Male,,Dana Lee,Mo\u200bther\u007f\u0085 of Bo,407-555-0124,dana\u009d@example.org,${'x'.repeat(59)}😀`,
  ];
  await run('clients', file);
  expect(await stored()).toMatchObject([{ relation: 'Mother of Bo', email: '', language: 'x'.repeat(59) }]);
  expect((await run('clients', file)).map(([outcome]) => outcome)).toEqual(['unchanged']);
});

test('a therapist’s own phone number and last day are imported; a last day before the first is refused', async () => {
  const file = [
    `${THERAPIST},end_date,Phone,Preferred contact method`,
    'T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,Mon 08:00-12:00,12/18/2026,407-555-0140,Phone call',
    'T-2,Kai,Wood,altamonte,BT,Male,2024-03-04,,2024-03-03,,',
  ];
  expect(await run('therapists', file)).toEqual([
    ['new', null],
    ['refused', 'end_date is 2024-03-03; it must not be before start_date'],
  ]);
  expect(await stored()).toMatchObject([{ of: 'T-1', rank: 1, name: 'Ana Ruiz', preferred: 'phone' }]);
  const { rows } = await sql`select end_date from therapist where id = 'T-1'`.execute(database.db);
  expect(rows).toEqual([{ end_date: '2026-12-18' }]);
});

test('skills and needs are imported with their dates, an empty cell keeps the stored ones, and an unreadable skill or need is noted', async () => {
  const therapists = [
    `${THERAPIST},Skills`,
    'T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,,Spanish; CPI from 1/5/2026 until 2026-12-31; spanish',
    'T-2,Kai,Wood,altamonte,BT,Male,2024-03-04,,CPI until soon',
  ];
  const clients = [
    `${CLIENT},Needs,Preferred Skills`,
    'C-1,Bo,Lee,altamonte,Male,,Spanish,Feeding; spanish',
    'C-2,Mo,Diaz,altamonte,Female,,,',
  ];
  expect(await run('therapists', therapists)).toEqual([
    ['new', null],
    ['new', expect.stringContaining("the tag 'CPI until soon' was left out")],
  ]);
  await run('clients', clients);
  const of = async () => [
    await database.db.selectFrom('therapist_tag').select(['tag', 'from_date', 'until_date']).orderBy('tag').execute(),
    await database.db.selectFrom('client_need').select(['client_id', 'tag', 'must']).orderBy('tag').execute(),
  ];
  const both = [
    [
      { tag: 'CPI', from_date: '2026-01-05', until_date: '2026-12-31' },
      { tag: 'Spanish', from_date: null, until_date: null },
    ],
    [
      { client_id: 'C-1', tag: 'Feeding', must: false },
      { client_id: 'C-1', tag: 'Spanish', must: true },
    ],
  ];
  expect(await of()).toEqual(both);
  expect((await run('therapists', therapists)).map(([outcome]) => outcome)).toEqual(['unchanged', 'unchanged']);
  await run('therapists', [THERAPIST, 'T-1,Ana,Ruiz,altamonte,BCBA,Female,2024-03-04,']);
  await run('clients', [CLIENT, 'C-1,Bo,Lee,tampa,Male,']);
  expect(await of()).toEqual(both);
  await run('clients', [`${CLIENT},needs`, 'C-1,Bo,Lee,tampa,Male,,Lifting']);
  expect((await of())[1]).toEqual([{ client_id: 'C-1', tag: 'Lifting', must: true }]);
});

test('windows and credentials are imported with their dates; a credential that cannot be read is noted', async () => {
  const file = [
    `${THERAPIST},Certification number,Expiration date`,
    'T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,Mon 08:00-12:00 until 2026-06-30; Mon 12:00-13:00 until 6/30/2026; Mon 09:00-15:00 from 2026-07-01,RBT-1,12/31/2026',
    'T-2,Kai,Wood,altamonte,RBT,Male,2024-03-04,,RBT-2,soon',
    'T-3,Lou,Vance,altamonte,RBT,Male,2024-03-04,Mon 08:00-12:00; Mon 11:00-13:00 from 2026-07-01,,',
  ];
  expect(await run('therapists', file)).toEqual([
    ['new', null],
    ['new', "the credential was left out: 'soon' is not a date"],
    ['refused', expect.stringContaining('two overlapping windows on monday')],
  ]);
  const { db } = database;
  const windows = await sql`select start_minute, end_minute, from_date, until_date from therapist_availability
    where therapist_id = 'T-1' order by 1`.execute(db);
  expect(windows.rows).toEqual([
    { start_minute: 480, end_minute: 780, from_date: null, until_date: '2026-06-30' },
    { start_minute: 540, end_minute: 900, from_date: '2026-07-01', until_date: null },
  ]);
  const credentials = await db.selectFrom('therapist_credential').selectAll().execute();
  expect(credentials).toMatchObject([
    { therapist_id: 'T-1', credential: 'RBT', number: 'RBT-1', from_date: null, until_date: '2026-12-31' },
  ]);
  expect((await run('therapists', file.slice(0, 2))).map(([outcome]) => outcome)).toEqual(['unchanged']);
});

test('rows without the new columns have the same hash as in earlier versions, so they count as unchanged', () => {
  const row = (cells: Record<string, string>) => ({ line: 2, cells, original: '', given: [], fault: null });
  const person = { location: 'altamonte', first_name: 'Imani', last_name: 'Walker', gender: 'Female' };
  const therapist = readTherapist(
    row({
      ...person,
      id: 'T-1',
      specialization: 'RBT',
      start_date: '2020-10-16',
      consistency: '80',
      availability: 'Mon 08:30-15:30; Tue 08:30-15:30',
    }),
    isoDate('2026-11-20'),
  );
  const client = readClient(
    row({
      id: 'C-1',
      first_name: 'Bo',
      last_name: 'Lee',
      location: 'tampa',
      gender: 'Male',
      restrictions: 'gender:female; therapist:T-1; care team only; 2:1',
    }),
    (id) => id,
    'Admin',
  );
  const hashes = [therapist, client].map((read) => ('record' in read ? contentHash(read.record) : null));
  expect(hashes).toEqual([
    'f98aeea74d12ef9943197e1ed944c4a22b9c809a5bbcbe8e9beae7993e674d27',
    '1699eeafa80dc69f9b5f96cf392915f16a6cca8d783438ed938d165f89097e0f',
  ]);
});

test('a client’s last day is imported, and stays if the next file does not say it', async () => {
  const head = 'id,first_name,last_name,location,gender,restrictions';
  const last = async () =>
    (await sql<{ end_date: string | null }>`select end_date from client where id = 'C-9'`.execute(database.db)).rows;
  const said = [`${head},Discharge Date`, 'C-9,Uma,Kerr,altamonte,Female,,12/18/2026'];
  expect(await run('clients', said)).toEqual([['new', null]]);
  expect(await last()).toEqual([{ end_date: '2026-12-18' }]);
  expect(await run('clients', [`${head},Discharge Date`, 'C-9,Uma,Kerrs,altamonte,Female,,'])).toMatchObject([
    ['changed', null],
  ]);
  expect(await run('clients', [head, 'C-9,Uma,Kerr,altamonte,Female,'])).toMatchObject([['changed', null]]);
  expect(await last()).toEqual([{ end_date: '2026-12-18' }]);
  expect(await run('clients', [`${head},Discharge Date`, 'C-9,Uma,Kerr,altamonte,Female,,2026-02-30'])).toEqual([
    ['refused', expect.stringContaining('end_date') as unknown],
  ]);
});
