import { afterAll, beforeAll, expect, test } from 'vitest';
import { IGNORE_COLUMN, MOST_QUESTIONS } from '@clinic/contract';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { appointment, smallFiles } from './testing/small.ts';
import type { Answers } from './import-types.ts';
import { importFiles, type ImportResult } from './imports.service.ts';
import { summarize, summaryText } from './report.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await run({ therapists: THERAPISTS, clients: CLIENTS });
});
afterAll(() => database.close());

async function run(lines: Parameters<typeof smallFiles>[0], answers: Answers = {}, dryRun = false) {
  const options = { dryRun, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20), answers };
  return importFiles(database.db, smallFiles(lines), options);
}
const THERAPISTS = ['T-1', 'T-2'].map((id) => `${id},Ravi,O'Brien,altamonte,RBT,Male,2024-03-04,,Mon 08:00-16:00`);
const CLIENTS = ['C-1,Bo,Lee,altamonte,Male,', 'C-2,Mo,Diaz,altamonte,Female,'];
const RAVI = "Ravi O'Brien";
/** Three rows that name Ravi, and two that misspell a client's name. */
const ROWS = [
  appointment('A-1', '8:00 AM', '9:00 AM', RAVI, 'Bo Lee'),
  appointment('A-2', '9:00 AM', '10:00 AM', ` ravi  o'brien`, 'Bo Lee'),
  appointment('A-3', '10:00 AM', '11:00 AM', RAVI, 'Bo Lee'),
  appointment('A-4', '11:00 AM', '12:00 PM', 'T-2', 'Mo Dias'),
  appointment('A-5', '12:00 PM', '1:00 PM', 'T-2', 'Mo Dias'),
];
const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);
const outcomes = (result: ImportResult) => result.outcomes.map((o) => o.reason ?? o.outcome);

test('rows with the same unclear name raise one question, and one answer decides all of these rows, in the check and in the import', async () => {
  const asked = await run({ appointments: ROWS }, {}, true);
  expect(outcomes(asked)).toEqual([...times(3, 'ambiguous therapist'), ...times(2, 'unknown client')]);
  expect(asked.questions).toMatchObject([
    { kind: 'therapist', name: RAVI, location: 'altamonte', rows: 3, answer: null },
    { kind: 'client', name: 'Mo Dias', location: 'altamonte', rows: 2, answer: null },
  ]);
  const [ravi, mo] = asked.questions;
  expect(ravi?.choices.map((choice) => choice.id)).toEqual(['T-1', 'T-2']);
  expect(mo?.choices).toEqual([{ id: 'C-2', name: 'Mo Diaz', location: 'altamonte' }]);

  const answers = { [ravi?.key ?? '']: 'T-2', [mo?.key ?? '']: 'C-2' };
  const dry = await run({ appointments: ROWS }, answers, true);
  expect(outcomes(dry)).toEqual(times(5, 'new'));
  expect(dry.questions.map((question) => [question.rows, question.answer])).toEqual([
    [3, 'T-2'],
    [2, 'C-2'],
  ]);
  expect(outcomes(await run({ appointments: ROWS }, answers))).toEqual(outcomes(dry));
  const kept = await database.db.selectFrom('appointment').selectAll().orderBy('starts').execute();
  expect(kept.map((row) => [row.therapist_id, row.client_id])).toEqual([
    ...times(3, ['T-2', 'C-1']),
    ...times(2, ['T-2', 'C-2']),
  ]);
});

test('given an answer that is not a person’s id, the rows stay refused and the question stays open', async () => {
  const rows = [appointment('B-1', '2:00 PM', '3:00 PM', RAVI, 'Bo Lee')];
  const [question] = (await run({ appointments: rows }, {}, true)).questions;
  const result = await run({ appointments: rows }, { [question?.key ?? '']: 'T-99' }, true);
  expect(outcomes(result)).toEqual(['ambiguous therapist']);
  expect(result.questions).toMatchObject([{ rows: 1, answer: null }]);
});

test('columns are found under the names that exports commonly use', async () => {
  const header = 'Appointment ID,Start Time,End Time,Appointment Type,Provider,Status,Client,Clinic';
  const row = 'X-1,"11/17/2026, 8:00 AM","11/17/2026, 9:00 AM",Direct Therapy,T-2,Confirmed,Mo Diaz,Altamonte';
  const file = { name: 'usual.csv', bytes: Buffer.from([header, row, ''].join('\n')) };
  const options = { dryRun: true, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
  expect(outcomes(await importFiles(database.db, { appointments: file }, options))).toEqual(['new']);
});

test('given a column for the date beside columns for times, then they are read together', async () => {
  const header = 'Appointment ID,Session Date,Start Time,End Time,Appointment Type,Provider,Status,Client,Clinic';
  const lines = [
    'X-1,11/17/26,8:00 AM,9:00AM,Direct Therapy,T-2,Confirmed,Mo Diaz,Altamonte',
    'X-2,2026-11-17 00:00,1899-12-30 10:00,1899-12-30 11:15,Direct Therapy,T-2,Confirmed,Mo Diaz,Altamonte',
    'X-3,46343,0.5,0.541666666666667,Direct Therapy,T-2,Confirmed,Mo Diaz,Altamonte',
    'X-4,11/18/2026,"11/17/2026, 2:00 PM","11/17/2026, 3:00 PM",Direct Therapy,T-2,Confirmed,Mo Diaz,Altamonte',
    'X-5,,8:00 AM,9:00 AM,Direct Therapy,T-2,Confirmed,Mo Diaz,Altamonte',
    'X-6,11/17/26,soon,9:00 AM,Direct Therapy,T-2,Confirmed,Mo Diaz,Altamonte',
  ];
  const file = { name: 'dates.csv', bytes: Buffer.from([header, ...lines, ''].join('\n')) };
  const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
  const result = await importFiles(database.db, { appointments: file }, options);
  expect(outcomes(result)).toEqual(['new', 'new', 'new', 'new', 'bad value', 'bad value']);
  const kept = await database.db
    .selectFrom('appointment')
    .select(['starts', 'ends'])
    .where('wire_id', 'like', 'X-%')
    .orderBy('wire_id')
    .execute();
  expect(kept.map(({ starts, ends }) => `${starts} ${ends.slice(11)}`)).toEqual([
    '2026-11-17 08:00:00 09:00:00',
    '2026-11-17 10:00:00 11:15:00',
    '2026-11-17 12:00:00 13:00:00',
    '2026-11-17 14:00:00 15:00:00',
  ]);
});

test('given a name that no one has, then an import remembers who is meant until that is changed, or until someone has that name', async () => {
  const rows = (...ids: string[]) =>
    ids.map((id, i) =>
      appointment(id, `${i + 1}:00 PM`, `${i + 1}:30 PM`, 'T-2', 'Mo A. Diaz', { date: '11/18/2026' }),
    );
  const KEY = 'client altamonte mo a. diaz';
  const said = ({ questions }: ImportResult) => questions.map((each) => [each.answer, each.remembered]);
  await run({ appointments: rows('M-1') }, { [KEY]: 'C-2' }, true);
  expect(said(await run({ appointments: rows('M-1') }, {}, true))).toEqual([[null, false]]);
  expect(said(await run({ appointments: rows('M-1') }, { [KEY]: 'C-2' }))).toEqual([['C-2', false]]);

  const next = await run({ appointments: rows('M-1', 'M-2') });
  expect(outcomes(next)).toEqual(['unchanged', 'new']);
  expect(said(next)).toEqual([['C-2', true]]);
  expect(summaryText(summarize(next))).toContain('2 rows with a name that no one has: read as answered');
  // Two rows of one name of two people stay a question: nothing about these is remembered.
  const ravi = [appointment('M-9', '5:00 PM', '6:00 PM', RAVI, 'Bo Lee', { date: '11/18/2026' })];
  await run({ appointments: ravi }, { ["therapist altamonte ravi o'brien"]: 'T-1' });
  expect(said(await run({ appointments: ravi }, {}, true))).toEqual([[null, false]]);

  // An answer that is taken back is not remembered any more.
  expect(said(await run({ appointments: rows('M-1', 'M-2') }, { [KEY]: IGNORE_COLUMN }))).toEqual([[null, false]]);
  expect(outcomes(await run({ appointments: rows('M-1') }))).toEqual(['unknown client']);
  await run({ appointments: rows('M-1') }, { [KEY]: 'C-2' });
  await run({ clients: ['C-8,Mo,A. Diaz,altamonte,Male,'] });
  const own = await run({ appointments: rows('M-1') });
  expect([outcomes(own), said(own)]).toEqual([['changed'], []]);
  // When two people have it, the old answer decides nothing.
  await run({ clients: ['C-9,Mo,A. Diaz,altamonte,Female,'] });
  expect(outcomes(await run({ appointments: rows('M-1') }))).toEqual(['ambiguous client']);
});

test('given the export of another clinic, only the questions that decide the most rows are asked', async () => {
  await database.db.deleteFrom('import_answer').execute();
  const unknown = Array.from({ length: 2 * MOST_QUESTIONS }, (_, i) =>
    appointment(`X-${i}`, '2:00 PM', '3:00 PM', 'T-2', `Some One${i}`),
  );
  const { questions } = await run({ appointments: [...unknown, ...ROWS] }, {}, true);
  expect(questions).toHaveLength(MOST_QUESTIONS);
  expect(questions.slice(0, 3).map((question) => question.rows)).toEqual([3, 2, 1]);
});
