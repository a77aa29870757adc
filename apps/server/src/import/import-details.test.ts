import { afterAll, beforeAll, expect, test } from 'vitest';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { parseDay } from './rows/fields.ts';
import { importFiles } from './imports.service.ts';
import type { ImportFiles, ImportKind } from './import-types.ts';
import { readTable } from './read/read-table.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await run({
    therapists: [
      'id,first_name,last_name,location,specialization,gender,start_date,availability',
      'T-1,Ana,Ruiz,altamonte,RBT,Female,2024-03-04,',
    ],
    clients: [
      'id,first_name,last_name,location,gender,restrictions',
      'C-1,Bo,Lee,altamonte,Male,',
      'C-2,Mo,Diaz,altamonte,Female,',
      'C-3,Mo,Diaz,altamonte,Female,',
    ],
  });
});
afterAll(() => database.close());

async function run(lines: Partial<Record<ImportKind, string[]>>) {
  const files = Object.fromEntries(
    Object.entries(lines).map(([kind, rows]) => [kind, { name: `${kind}.csv`, bytes: Buffer.from(rows.join('\n')) }]),
  ) as ImportFiles;
  const options = { dryRun: false, adminClientName: 'Admin Time', accountId: null, now: Date.parse('2026-11-20') };
  const result = await importFiles(database.db, files, options);
  return result.outcomes.map(({ outcome, text }) => [outcome, text]);
}

const HEAD = 'Client Name,Location Name,Payor,Service Code,Authorization Number,Valid From,Valid To,Units,Frequency';

test('authorizations are imported under common column names, a second import changes nothing, and a later file changes only the authorizations in it', async () => {
  const lines = [
    HEAD,
    'bo  LEE,Altamonte,Acme,97153 - Adaptive,A-1,1/1/2026 12:00:00 AM,6/30/2026,"1,600",',
    'C-2,,Acme,97155,A-2,2026-01-01,2026-06-30,8,Weekly',
  ];
  expect(await run({ authorizations: lines })).toEqual([
    ['new', null],
    ['new', null],
  ]);
  const stored = () =>
    database.db
      .selectFrom('client_authorization')
      .select(['client_id', 'payer', 'code', 'number', 'from_date', 'until_date', 'units', 'period'])
      .orderBy('client_id')
      .execute();
  const first = {
    client_id: 'C-1',
    payer: 'Acme',
    code: '97153',
    number: 'A-1',
    from_date: '2026-01-01',
    until_date: '2026-06-30',
    units: 1600,
    period: 'total',
  };
  const second = { ...first, client_id: 'C-2', code: '97155', number: 'A-2', units: 8, period: 'week' };
  expect(await stored()).toEqual([first, second]);
  const version = async () =>
    (await database.db.selectFrom('client').select('version').where('id', '=', 'C-1').executeTakeFirstOrThrow())
      .version;
  const before = await version();
  expect((await run({ authorizations: lines })).map(([outcome]) => outcome)).toEqual(['unchanged', 'unchanged']);
  expect(await version()).toBe(before);
  const later = [HEAD, 'C-1,,Acme,97153,A-1,1/1/2026,6/30/2026,2000,'];
  expect((await run({ authorizations: later })).map(([outcome]) => outcome)).toEqual(['changed']);
  expect(await stored()).toEqual([{ ...first, units: 2000 }, second]);
  // The client's version increases, so that an open profile form notices the change. The next client import may still
  // change the client.
  expect(await version()).toBe(before + 1);
  const head = 'id,first_name,last_name,location,gender,restrictions';
  const [outcome] = await run({ clients: [head, 'C-1,Bo,Lee,altamonte,Male,care team only'] });
  expect(outcome?.[0]).toBe('changed');
});

test.each([
  ['C-1,,Acme,97150,A-9,2026-01-01,2026-06-30,8,', "code is '97150'; it must be one of 97151 to 97158"],
  ['C-1,,Acme,97153/97155,A-9,2026-01-01,2026-06-30,8,', "code is '97153/97155'; each code must have a row of its own"],
  ['C-1,,Acme,97153,A-9,2026-01-01,2026-06-30,"1,5",', "units is '1,5'"],
  ['C-1,,Acme,97153,A-9,2026-02-30,2026-06-30,8,', "from_date is '2026-02-30'; it must be a date that exists"],
  ['C-1,,Acme,97153,A-9,2026-01-01,,8,', 'until_date is empty'],
  ['C-1,,Acme,97153,A-9,2026-07-01,2026-06-30,8,', 'it ends before it begins'],
  ['C-1,,Acme,97153,A-9,2026-01-01,2026-06-30,0,', "units is '0'"],
  ['C-1,,Acme,97153,A-9,2026-01-01,2026-06-30,8,yearly', "period is 'yearly'; it must be total, week or month"],
  ['C-1,,,97153,A-9,2026-01-01,2026-06-30,8,', 'payer is empty'],
  ['Nobody Here,,Acme,97153,A-9,2026-01-01,2026-06-30,8,', "there is no client named 'Nobody Here'"],
  ['Mo Diaz,,Acme,97153,A-9,2026-01-01,2026-06-30,8,', "the name 'Mo Diaz' fits"],
  [
    'C-1,Mars,Acme,97153,A-9,2026-01-01,2026-06-30,8,',
    "there is no location 'Mars'; the import page asks which one it is",
  ],
])('an authorization that cannot be imported is refused with the reason: %s', async (line, why) => {
  expect(await run({ authorizations: [HEAD, line] })).toEqual([['refused', expect.stringContaining(why)]]);
});

test('a repeated authorization is merged, or refused if the two differ; hours are converted to units', async () => {
  const head = 'client,payer,code,number,from_date,until_date,hours';
  const row = (hours: number) => `C-3,Acme,97156,A-3,2026-01-01,2026-06-30,${hours}`;
  expect(await run({ authorizations: [head, row(2.5), row(2.5), row(3)] })).toEqual([
    ['new', null],
    ['merged', 'the same as line 2'],
    ['refused', 'line 2 is for the same authorization, with different values'],
  ]);
  const [stored] = await database.db
    .selectFrom('client_authorization')
    .select('units')
    .where('client_id', '=', 'C-3')
    .execute();
  expect(stored).toEqual({ units: 10 });
});

test('given a column that says whether units are hours, then hours are converted to units of 15 minutes', async () => {
  const head = 'Client,Payer,CPT Code,Auth #,Start Date,End Date,Authorized Units,Unit Type';
  const row = (number: string, units: string, type: string) =>
    `C-3,Acme,97155,${number},1/1/2027,6/30/2027,${units},${type}`;
  const lines = [
    head,
    row('H', '160', 'Hours'),
    row('Q', '160', '15 min'),
    row('U', '160', 'Units'),
    row('X', '160', 'UN'),
    row('N', '160', ''),
  ];
  expect((await run({ authorizations: lines })).map(([outcome]) => outcome)).toEqual(Array(5).fill('new'));
  const both = ['H,160,30,Hours', 'U,160,30,Units'].map((of) => `C-3,Acme,97155,B${of},1/1/2027,6/30/2027`);
  const bothHead = 'Client,Payer,CPT Code,Auth #,Units,Hours,Unit Type,Start Date,End Date';
  expect((await run({ authorizations: [bothHead, ...both] })).map(([outcome]) => outcome)).toEqual(['new', 'new']);
  const stored = await database.db
    .selectFrom('client_authorization')
    .select(['number', 'units'])
    .where('client_id', '=', 'C-3')
    .where('code', '=', '97155')
    .orderBy('number')
    .execute();
  expect(stored.map(({ number, units }) => [number, units])).toEqual([
    ['BH', 120],
    ['BU', 160],
    ['H', 640],
    ['N', 160],
    ['Q', 160],
    ['U', 160],
    ['X', 160],
  ]);
  expect(await run({ authorizations: [head, row('D', '10', 'Days')] })).toEqual([
    ['refused', "unit_type is 'Days'; it must be units or hours"],
  ]);
});

test('given two payers’ authorizations that have no number and begin on the same day, then both are stored, and a later file changes only the authorization of the payer in that file', async () => {
  const row = (payer: string, units: number) => `C-3,,${payer},97151,,2026-01-01,2026-06-30,${units},`;
  expect(await run({ authorizations: [HEAD, row('Acme', 8)] })).toEqual([['new', null]]);
  expect(await run({ authorizations: [HEAD, row('Sunrise', 16)] })).toEqual([['new', null]]);
  expect(await run({ authorizations: [HEAD, row('ACME', 24)] })).toEqual([['changed', null]]);
  const stored = database.db.selectFrom('client_authorization').select(['payer', 'units']).where('code', '=', '97151');
  expect(await stored.orderBy('units').execute()).toEqual([
    { payer: 'Sunrise', units: 16 },
    { payer: 'ACME', units: 24 },
  ]);
});

test('given a file without a column that an earlier file had, then what is stored in it stays, and nothing is stored twice', async () => {
  const table = () =>
    database.db
      .selectFrom('client_authorization')
      .select(['number', 'from_date', 'units', 'period'])
      .where('payer', '=', 'Lacking')
      .orderBy('number')
      .execute();
  const head = 'client,payer,code,from_date,until_date,units';
  const weekly = [
    'C-1,Lacking,97156,2027-01-01,2027-06-30,8,L-1,week',
    'C-1,Lacking,97156,2027-01-01,2027-06-30,9,L-2,',
  ];
  expect((await run({ authorizations: [`${head},number,period`, weekly[0] ?? ''] }))[0]?.[0]).toBe('new');
  const bare = (units: number) => `C-1,Lacking,97156,2027-01-01,2027-06-30,${units}`;
  expect(await run({ authorizations: [head, bare(8)] })).toEqual([['unchanged', null]]);
  expect(await run({ authorizations: [head, bare(12)] })).toEqual([['changed', null]]);
  const first = { number: 'L-1', from_date: '2027-01-01', units: 12, period: 'week' };
  expect(await table()).toEqual([first]);
  // Two rows with one number are two authorizations: the new one takes nothing from the other.
  const numbered = 'client,payer,code,from_date,until_date,units,number';
  const both = [numbered, `${bare(12)},L-1`, `${bare(5).replace('2027-01-01', '2027-02-01')},L-1`];
  expect((await run({ authorizations: both })).map(([outcome]) => outcome)).toEqual(['unchanged', 'new']);
  expect((await table()).map(({ units, period }) => [units, period]).sort()).toEqual([
    [12, 'week'],
    [5, 'total'],
  ]);
  await database.db.deleteFrom('client_authorization').where('units', '=', 5).execute();
  const corrected = [
    'client,payer,code,from_date,until_date,units,number',
    'C-1,Lacking,97156,2027-01-04,2027-06-30,12,L-1',
  ];
  expect((await run({ authorizations: corrected }))[0]?.[0]).toBe('changed');
  expect(await table()).toEqual([{ ...first, from_date: '2027-01-04' }]);
  // An empty cell says that the units are for all dates.
  const empty = ['C-1,Lacking,97156,2027-01-04,2027-06-30,12,L-1,'];
  expect((await run({ authorizations: [`${head},number,period`, ...empty] }))[0]?.[0]).toBe('changed');
  expect((await table())[0]?.period).toBe('total');
  const two = weekly.map((each) => each.replace('2027-01-01', '2027-01-04'));
  await run({ authorizations: [`${head},number,period`, ...two] });
  expect(await run({ authorizations: [head, bare(20).replace('2027-01-01', '2027-01-04')] })).toEqual([
    ['refused', 'the file has no column for number, and 2 stored authorizations fit the row'],
  ]);
});

test('units used are stored with their date; a number that has not changed keeps its date, and a changed one gets that of the import', async () => {
  const head = 'client,payer,code,number,from_date,until_date,units,Units Used';
  const row = (used: string) => `C-1,Prior,97153,P-1,2026-06-01,2026-12-31,400,${used}`;
  const table = () =>
    database.db
      .selectFrom('client_authorization')
      .select(['units', 'prior_units', 'prior_until'])
      .where('payer', '=', 'Prior')
      .execute();
  const prior = (prior_units: number | null, prior_until: string | null) => [{ units: 400, prior_units, prior_until }];
  expect(await run({ authorizations: [`${head},Used Through`, `${row('120')},2026-11-01`] })).toEqual([['new', null]]);
  expect(await table()).toEqual(prior(120, '2026-11-01'));
  expect(await run({ authorizations: [head, row('120')] })).toEqual([['unchanged', null]]);
  expect(await run({ authorizations: [head, row('150')] })).toEqual([['changed', null]]);
  const today = '2026-11-19'; // the import runs at midnight in UTC
  expect(await table()).toEqual(prior(150, today));
  // A file without the column says nothing about it; 0 says that nothing was used.
  const without = [
    'client,payer,code,number,from_date,until_date,units',
    'C-1,Prior,97153,P-1,2026-06-01,2026-12-31,400',
  ];
  expect(await run({ authorizations: without })).toEqual([['unchanged', null]]);
  expect(await run({ authorizations: [head, row('0')] })).toEqual([['changed', null]]);
  expect(await table()).toEqual(prior(null, null));
  const hours = ['client,payer,code,number,from_date,until_date,units,Used,Unit Type,Used As Of'];
  hours.push('C-1,Prior,97153,P-1,2026-06-01,2026-12-31,100,25.5,Hours,11/2/2026');
  expect((await run({ authorizations: hours }))[0]?.[0]).toBe('changed');
  expect(await table()).toEqual(prior(102, '2026-11-02'));
});

test.each([
  ['400,-1,,', 'prior_units is'],
  ['400,1.5,,', 'prior_units is'],
  ['400,9,2026-11-31,', 'it must be a date that exists'],
  ['400,9,2026-11-21,', 'it must not be after today'],
])('units used that cannot be read refuse the row: %s', async (rest, why) => {
  const head = 'client,payer,code,number,from_date,until_date,units,Used,Used Through,Per';
  const line = `C-1,Prior,97155,P-9,2026-06-01,2026-12-31,${rest}`;
  expect(await run({ authorizations: [head, line] })).toEqual([['refused', expect.stringContaining(why)]]);
});

test('units used that count for no known date are left out, and the row says so', async () => {
  const head = 'client,payer,code,number,from_date,until_date,units,Used,Used Through,Per';
  const from = (date: string, rest: string) => `C-1,Prior,97156,P-8,${date},2027-06-30,${rest}`;
  expect(await run({ authorizations: [head, from('2026-06-01', '40,300,,week')] })).toEqual([
    ['new', expect.stringContaining('the units used were left out: the units are granted for each week')],
  ]);
  expect(await run({ authorizations: [head, from('2027-01-01', '40,300,2026-11-01,')] })).toEqual([
    ['changed', expect.stringContaining('before the authorization begins')],
  ]);
  await database.db.deleteFrom('client_authorization').where('payer', '=', 'Prior').execute();
});

test('given a file of credentials without dates, then the stored dates stay', async () => {
  const head = 'therapist,credential,number';
  const issued = 'T-1,BCBA,K-1,2024-01-01,2025-12-31';
  expect(await run({ credentials: [`${head},from_date,until_date`, issued] })).toEqual([['new', null]]);
  expect(await run({ credentials: [head, 'T-1,BCBA,K-1'] })).toEqual([['unchanged', null]]);
  const own = () => database.db.selectFrom('therapist_credential').where('number', '=', 'K-1');
  expect(await own().select(['from_date', 'until_date']).execute()).toEqual([
    { from_date: '2024-01-01', until_date: '2025-12-31' },
  ]);
  await database.db.deleteFrom('therapist_credential').where('number', '=', 'K-1').execute();
});

test('credentials are imported, a renewal does not replace the earlier credential, and unreadable rows are refused', async () => {
  const head = 'Staff Name,Credential Type,Certification Number,Issue Date,Expiration Date';
  const lines = [head, 'Ana Ruiz,RBT,RBT-1,2024-01-01,2025-12-31', 'T-1,rbt,RBT-1,2026-01-01,2027-12-31'];
  expect((await run({ credentials: lines })).map(([outcome]) => outcome)).toEqual(['new', 'new']);
  expect((await run({ credentials: lines })).map(([outcome]) => outcome)).toEqual(['unchanged', 'unchanged']);
  const stored = await database.db
    .selectFrom('therapist_credential')
    .select(['therapist_id', 'credential', 'number', 'from_date', 'until_date'])
    .orderBy('from_date')
    .execute();
  const first = { therapist_id: 'T-1', credential: 'RBT', number: 'RBT-1' };
  expect(stored).toEqual([
    { ...first, from_date: '2024-01-01', until_date: '2025-12-31' },
    { ...first, from_date: '2026-01-01', until_date: '2027-12-31' },
  ]);
  expect(await run({ credentials: [head, 'Ana Ruiz,MD,1,,', ',RBT,1,,'] })).toEqual([
    [
      'refused',
      "credential is 'MD'; it must be BCBA, RBT or BT; for another credential, write the one of these whose sessions the therapist may take",
    ],
    ['refused', 'therapist is empty'],
  ]);
});

test('given a therapists’ file with a renewed credential, then the earlier one and those of the board’s file stay', async () => {
  const head =
    'id,first_name,last_name,location,specialization,gender,start_date,availability,credential_number,credential_from,credential_until';
  const row = (dates: string) => `T-9,Zoe,Hart,altamonte,BCBA,Female,2024-03-04,,B-9,${dates}`;
  const board = ['Therapist,Credential Type,Certification Number,Valid From,Valid Until', 'T-9,RBT,R-9,2024-01-01,'];
  await run({ therapists: [head, row('2024-06-01,2026-05-31')] });
  await run({ credentials: board });
  const stored = async () =>
    (
      await database.db
        .selectFrom('therapist_credential')
        .select(['credential', 'from_date', 'until_date'])
        .where('therapist_id', '=', 'T-9')
        .orderBy('from_date')
        .execute()
    ).map((own) => [own.credential, own.from_date, own.until_date]);
  // A wrong last day is corrected, then the credential is renewed, in an import of both files.
  await run({ therapists: [head, row('2024-06-01,2026-06-30')] });
  const before = [
    ['RBT', '2024-01-01', null],
    ['BCBA', '2024-06-01', '2026-06-30'],
  ];
  expect(await stored()).toEqual(before);
  expect(await run({ therapists: [head, row('2026-07-01,2028-06-30')], credentials: board })).toEqual([
    ['changed', null],
    ['unchanged', null],
  ]);
  expect(await stored()).toEqual([...before, ['BCBA', '2026-07-01', '2028-06-30']]);
});

test('given a workbook whose dates end with their last second, as a payer’s portal writes them, they do not become the next day', async () => {
  const header = ['client', 'payer', 'code', 'from_date', 'until_date', 'units'];
  const date = (text: string) => ({ value: new Date(`${text}Z`), type: Date, format: 'm/d/yyyy h:mm' });
  const row = [...['Bo Lee', 'Acme', '97153'].map((value) => ({ value })), date('2026-07-01T00:00:00')];
  const rows = [header.map((value) => ({ value })), [...row, date('2026-12-31T23:59:59'), { value: '400' }]];
  const bytes = await writeXlsxFile(rows as SheetData).toBuffer();
  const { rows: read } = await readTable({ name: 'x.xlsx', bytes }, 'authorizations');
  const days = read.map(({ cells }) => ['from_date', 'until_date'].map((name) => parseDay(cells[name] ?? '')));
  expect(days).toEqual([['2026-07-01', '2026-12-31']]);
});
