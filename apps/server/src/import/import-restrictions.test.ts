import { afterEach, beforeEach, expect, test } from 'vitest';
import { IGNORE_COLUMN } from '@clinic/contract';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import type { Answers, ImportFiles } from './import-types.ts';
import { importFiles } from './imports.service.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await run(smallFiles({ therapists: THERAPISTS, clients: CLIENTS }));
});
afterEach(() => database.close());

const run = (files: ImportFiles, answers: Answers = {}, dryRun = false) =>
  importFiles(database.db, files, {
    dryRun,
    adminClientName: 'Admin',
    accountId: null,
    now: Date.UTC(2026, 10, 20),
    answers,
  });
const told = (result: Awaited<ReturnType<typeof run>>) => result.outcomes.map((o) => [o.outcome, o.text]);

/** Clients whose file has no column `restrictions`, but these other columns. */
function plain(others: string, ...rows: string[]): ImportFiles {
  const lines = [`id,first_name,last_name,location,gender${others}`, ...rows, ''];
  return { clients: { name: 'plain.csv', bytes: Buffer.from(lines.join('\n')) } };
}

/** Everything that restricts the clients, in their order. */
async function stored() {
  const flags = await database.db
    .selectFrom('client')
    .select(['id', 'last_name', 'two_to_one', 'care_team_only', 'rbt_or_above'])
    .orderBy('id')
    .execute();
  const others = await database.db
    .selectFrom('client_restriction')
    .select(['client_id', 'requires_gender', 'excludes_therapist_id'])
    .orderBy('requires_gender')
    .execute();
  return flags.map(({ id, last_name: name, ...own }) => [
    name,
    ...Object.entries(own).flatMap(([flag, on]) => (on ? [flag] : [])),
    ...others.filter((row) => row.client_id === id).map((row) => row.requires_gender ?? row.excludes_therapist_id),
  ]);
}

const BEFORE = [['Lee', 'Female', 'T-2'], ['Diaz'], ['Cole', 'two_to_one', 'care_team_only', 'rbt_or_above']];

test('given a file that says nothing about restrictions, then stored ones stay, and a new client without any is listed', async () => {
  expect(await stored()).toEqual(BEFORE);
  const rows = ['C-1,Bo,Lee-Ray,altamonte,Male', 'C-3,Eva,Cole,tampa,Female', 'C-4,Ida,Berg,altamonte,Female'];
  const result = await run(plain('', ...rows));
  expect(told(result)).toEqual([
    ['changed', null],
    ['changed', null],
    ['new', 'the file says nothing about restrictions, so this client has none: check the profile'],
  ]);
  expect(await stored()).toEqual([['Lee-Ray', 'Female', 'T-2'], ['Diaz'], BEFORE[2], ['Berg']]);
});

test('given a column that is unknown and could hold restrictions, then clients are imported only after an answer', async () => {
  const files = plain(',Rules', 'C-1,Bo,Lee,altamonte,Male,care team only', 'C-4,Ida,Berg,altamonte,Female,2:1');
  const check = await run(files, {}, true);
  expect(check.columns).toMatchObject([{ missing: ['restrictions'], questions: [{ column: 'Rules' }] }]);
  await expect(run(files)).rejects.toThrow(/no column restrictions/);
  const rules = 'column clients rules';
  expect((await run(files, { [rules]: IGNORE_COLUMN }, true)).columns).toMatchObject([{ missing: [] }]);
  await run(files, { [rules]: 'restrictions' });
  expect(await stored()).toEqual([['Lee', 'care_team_only'], ['Diaz'], BEFORE[2], ['Berg', 'two_to_one']]);
});

test('given a row with nothing but restrictions, then it and the client above it are refused, and no one else', async () => {
  const rows = ['C-4,Ida,Berg,altamonte,Female,gender:female', ',,,,,therapist:T-2', 'C-5,Max,Roth,altamonte,Male,'];
  expect(told(await run(smallFiles({ clients: rows })))).toEqual([
    ['refused', expect.stringMatching(/^its restrictions may go on in line 3, which names nobody/)],
    ['refused', expect.stringMatching(/^it names nobody: write its restrictions into the cell of the client/)],
    ['new', null],
  ]);
  expect(await stored()).toEqual([...BEFORE, ['Roth']]);
});

test('given a row that drops restrictions, then it is listed with each of them', async () => {
  const rows = ['C-1,Bo,Lee,altamonte,Male,', 'C-2,Mo,Diaz,altamonte,Female,2:1', 'C-3,Eva,Cole,altamonte,Female,2:1'];
  expect(told(await run(smallFiles({ clients: rows })))).toEqual([
    ['changed', 'no longer restricted: only female therapists, never Kai Wood'],
    ['changed', null],
    ['changed', 'no longer restricted: care team only, RBT or above'],
  ]);
  expect(await stored()).toEqual([['Lee'], ['Diaz', 'two_to_one'], ['Cole', 'two_to_one']]);
});
