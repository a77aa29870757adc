import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { IGNORE_COLUMN } from '@clinic/contract';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import { UnreadableFile, type Answers, type ImportFiles } from './import-types.ts';
import { importFiles, type ImportResult } from './imports.service.ts';
import { summarize, summaryText } from './report.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await run(smallFiles({ therapists: THERAPISTS, clients: CLIENTS }));
});
afterEach(() => database.db.deleteFrom('import_answer').execute());
afterAll(() => database.close());

function run(files: ImportFiles, answers: Answers = {}, dryRun = false): Promise<ImportResult> {
  return importFiles(database.db, files, {
    dryRun,
    adminClientName: 'Admin',
    accountId: null,
    now: Date.UTC(2026, 10, 20),
    answers,
  });
}
const csv = (name: string, ...lines: string[]) => ({ name, bytes: Buffer.from(`${lines.join('\n')}\n`) });
const APPOINTMENTS = 'Id,StartDateTime,EndDateTime,Subject,Preferred_Provider_Name,Appointment_Status';
const row = (id: string, ...more: string[]) =>
  [id, '"11/17/2026, 8:00 AM"', '"11/17/2026, 9:00 AM"', 'Direct Therapy', 'T-2', 'Confirmed', ...more].join(',');
/** An export whose client column has an unknown name. It also has a column that an import does not need. */
const kids = (...ids: string[]): ImportFiles => ({
  appointments: csv(
    'kids.csv',
    `${APPOINTMENTS},Kid no.,Location,Colour`,
    ...ids.map((id, i) => row(id, `C-${i + 1}`, 'Altamonte', 'blue')),
  ),
});
const outcomes = (result: ImportResult) => result.outcomes.map((o) => o.reason ?? o.outcome);
const asked = ({ columns }: ImportResult) =>
  columns.flatMap(({ questions }) => questions.map((q) => [q.column, q.answer, q.remembered]));
const KID = 'column appointments kidno';
const COLOUR = 'column appointments colour';

test('a column with an unknown name raises one question; the answer applies to the whole file and is remembered for the next file', async () => {
  const check = await run(kids('K-1', 'K-2'), {}, true);
  expect(check.columns).toMatchObject([{ kind: 'appointments', file: 'kids.csv', missing: ['Client Name'] }]);
  expect(check.columns[0]?.questions).toEqual([
    { key: KID, column: 'Kid no.', examples: ['C-1', 'C-2'], answer: null, remembered: false, twin: null },
    { key: COLOUR, column: 'Colour', examples: ['blue'], answer: null, remembered: false, twin: null },
  ]);
  expect(outcomes(check)).toEqual(['malformed row', 'malformed row']);

  const answers = { [KID]: 'Client Name', [COLOUR]: IGNORE_COLUMN };
  const answered = await run(kids('K-1', 'K-2'), answers, true);
  expect(outcomes(answered)).toEqual(['new', 'new']);
  expect(asked(answered)).toEqual([
    ['Kid no.', 'Client Name', false],
    ['Colour', IGNORE_COLUMN, false],
  ]);
  expect(answered.columns[0]?.ours.find(({ name }) => name === 'Client Name')).toEqual({
    name: 'Client Name',
    column: 'Kid no.',
  });
  // A check stores no answers.
  expect(asked(await run(kids('K-1'), {}, true)).map(([, answer]) => answer)).toEqual([null, null]);

  expect(outcomes(await run(kids('K-1', 'K-2'), answers))).toEqual(['new', 'new']);
  const next = await run(kids('K-1', 'K-2', 'K-3'));
  expect(outcomes(next)).toEqual(['unchanged', 'unchanged', 'new']);
  expect(asked(next)).toEqual([
    ['Kid no.', 'Client Name', true],
    ['Colour', IGNORE_COLUMN, true],
  ]);
  expect(summaryText(summarize(next))).toContain(
    'kids.csv: reads “Kid no.” as Client Name, as answered in an earlier import.',
  );
});

test('a remembered answer can be changed, and applies only to files of the same kind', async () => {
  await run(kids('K-4'), { [KID]: 'Client Name', [COLOUR]: 'Location Group' });
  const changed = await run(kids('K-4', 'K-5'), { [COLOUR]: IGNORE_COLUMN });
  expect(asked(changed)[1]).toEqual(['Colour', IGNORE_COLUMN, false]);
  expect(asked(await run(kids('K-4'), {}, true))[1]).toEqual(['Colour', IGNORE_COLUMN, true]);
  const clients = csv(
    'c.csv',
    'id,first_name,last_name,location,gender,restrictions,Kid no.',
    'C-1,Bo,Lee,altamonte,Male,,7',
  );
  expect(asked(await run({ clients }, {}, true))).toEqual([['Kid no.', null, false]]);
});

test('given two columns for the same field, the answer to a question decides which of them is read', async () => {
  const file = csv(
    'two.csv',
    `${APPOINTMENTS.replace('Preferred_Provider_Name', 'Provider')},Staff Name,Client,Location`,
    row('S-1', 'T-1', 'C-1', 'Altamonte'),
  );
  const therapistOf = async () =>
    (await database.db.selectFrom('appointment').select('therapist_id').where('wire_id', '=', 'S-1').executeTakeFirst())
      ?.therapist_id;
  const first = await run({ appointments: file }, {}, true);
  expect(first.columns[0]?.questions).toMatchObject([
    { column: 'Staff Name', answer: null, twin: { name: 'Preferred_Provider_Name', column: 'Provider' } },
  ]);
  // Which of them names the therapist changes every row: the import waits.
  await expect(run({ appointments: file })).rejects.toThrow('What does the column “Staff Name” of two.csv hold');
  await run({ appointments: file }, { 'column appointments staffname': IGNORE_COLUMN });
  expect(await therapistOf()).toBe('T-2');
  const other = { 'column appointments staffname': 'Preferred_Provider_Name' };
  const second = await run({ appointments: file }, other, true);
  expect(second.columns[0]?.questions).toMatchObject([
    { column: 'Provider', answer: null, twin: { name: 'Preferred_Provider_Name', column: 'Staff Name' } },
    { column: 'Staff Name', answer: 'Preferred_Provider_Name', twin: null },
  ]);
  await run({ appointments: file }, { ...other, 'column appointments provider': IGNORE_COLUMN });
  expect(await therapistOf()).toBe('T-1');
});

test('an answer that is not one of our columns, or that another column already has, leaves the question open', async () => {
  const wrong = await run(kids('K-9'), { [KID]: 'Shoe size' }, true);
  expect(asked(wrong)[0]).toEqual(['Kid no.', null, false]);
  const both = await run(kids('K-9'), { [KID]: 'Client Name', [COLOUR]: 'Client Name' }, true);
  expect(asked(both)).toEqual([
    ['Kid no.', 'Client Name', false],
    ['Colour', null, false],
  ]);
});

test('while a required column is missing, a check still works, but an import does not begin', async () => {
  const refused = run(kids('K-9'));
  await expect(refused).rejects.toThrow(UnreadableFile);
  await expect(refused).rejects.toThrow(
    'kids.csv has no column Client Name. Check the file on the import page, and choose which of its columns to use.',
  );
});

test('a file with fewer than half of the columns is refused as another kind of file', async () => {
  const file = csv('shop.csv', 'Id,Price,Colour,Subject', '1,2,3,4');
  await expect(run({ appointments: file }, {}, true)).rejects.toThrow(
    'shop.csv does not look like an appointment export',
  );
});
