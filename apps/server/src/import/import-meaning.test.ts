import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IGNORE_COLUMN, openQuestions, unguarded } from '@clinic/contract';
import { useWeeks } from '../testing/import-weeks.ts';
import { importFiles } from './imports.service.ts';
import { UnreadableFile, type Answers, type ImportFiles } from './import-types.ts';
import { reportCsv } from './report.ts';

/** Tests that an import waits while an answer could change what its rows mean. */

const HEADER = 'Id,Start,End,Subject,Provider,Status,Client,Location';
const weeks = useWeeks(HEADER);
const cells = (id: string, hour: number, more: { status?: string; location?: string } = {}): string =>
  `${id},"11/17/2026, ${hour}:00 AM","11/17/2026, ${hour}:45 AM",Direct Therapy,T-2,${more.status ?? 'Scheduled'},C-2,${more.location ?? 'Altamonte'}`;
const run = (files: ImportFiles, answers: Answers = {}, dryRun = false) =>
  importFiles(weeks.db, files, {
    dryRun,
    answers,
    adminClientName: 'Admin',
    accountId: null,
    now: Date.UTC(2026, 10, 20),
  });
const csv = (name: string, ...lines: string[]) => ({ name, bytes: Buffer.from(`${lines.join('\n')}\n`) });
const week = (header: string, ...lines: string[]): ImportFiles => ({ appointments: csv('week.csv', header, ...lines) });
const stored = async (letter: string) =>
  (
    await weeks.db
      .selectFrom('appointment')
      .select(['wire_id', 'status', 'location', 'subject'])
      .where('wire_id', 'like', `${letter}%`)
      .orderBy('wire_id')
      .execute()
  ).map((each) => `${each.wire_id} ${each.status}`);
const shown = ({ outcomes }: Awaited<ReturnType<typeof run>>) =>
  outcomes.map(({ outcome, reason, text }) => (outcome === 'refused' ? `${reason}: ${text}` : outcome));
const CANCELED = 'column appointments canceled';

test('given a column that marks cancelled sessions, then nothing is imported until someone says what it holds', async () => {
  const file = week(`${HEADER},Canceled`, `${cells('A-1', 7)},Yes`, `${cells('A-2', 8)},No`, `${cells('A-3', 9)},`);
  const dry = await run(file, {}, true);
  expect(openQuestions(dry)).toMatchObject([
    { key: CANCELED, words: 'What does the column “Canceled” of week.csv hold (for example Yes, No)?' },
  ]);
  expect(openQuestions(dry)[0]?.choices[0]).toBe('Cancelled');
  await expect(run(file)).rejects.toThrow(
    'A question that can change what rows mean is open: What does the column “Canceled” of week.csv hold',
  );
  expect(await stored('A-')).toEqual([]);
  await run(file, { [CANCELED]: 'Cancelled' });
  const all = ['A-1 cancelled', 'A-2 pending', 'A-3 pending'];
  expect(await stored('A-')).toEqual(all);
  // The answer is remembered for the next file.
  await run(week(`${HEADER},Canceled`, `${cells('A-4', 10)},x`));
  expect(await stored('A-')).toEqual([...all, 'A-4 cancelled']);
});

test('a mark that contradicts the status, or is neither yes nor no, refuses its row; deleted is more than cancelled', async () => {
  const file = week(
    `${HEADER},Canceled,Deleted`,
    `${cells('B-1', 7, { status: 'Completed' })},Yes,`,
    `${cells('B-2', 8)},perhaps,`,
    `${cells('B-3', 9)},Yes,TRUE`,
    `${cells('B-4', 10, { status: 'No Show' })},1,0`,
  );
  const answers = { [CANCELED]: 'Cancelled', 'column appointments deleted': 'Deleted' };
  expect(shown(await run(file, answers))).toEqual([
    'bad value: Cancelled says yes, and its status says that it took place',
    "bad value: Cancelled is 'perhaps'; it must be yes or no",
    'new',
    'new',
  ]);
  expect(await stored('B-')).toEqual(['B-3 entered-in-error', 'B-4 noshow']);
});

describe('which columns an import waits for', () => {
  const open = async (column: string, ...values: string[]): Promise<boolean> => {
    const rows = values.map((value, i) => `${cells(`C-${i}`, 7 + i)},${value}`);
    return openQuestions(await run(week(`${HEADER},${column}`, ...rows), {}, true)).length > 0;
  };

  test.each([
    'Is Cancelled',
    'Void?',
    'isDeleted',
    'Archived',
    'Session State Active',
    'Attendance',
    'No-Show Flag',
    'Rescheduled To',
    'TZ',
    'UTC Offset',
    'All Day Event',
    'Recurrence',
    'Length (min)',
    'Place Name/Facility',
    'Billing Status',
    'Substitute',
  ])('given %s, then it waits', async (name) => {
    expect(await open(name, 'Yes', 'No')).toBe(true);
  });

  test('given what the cells hold, then it waits, whatever the column is called', async () => {
    expect(await open('Xyz', 'Confirmed', 'Cancelled')).toBe(true);
    expect(await open('Xyz', 'America/Chicago', 'Eastern Time')).toBe(true);
    expect(await open('Xyz', 'Tampa', 'Orlando')).toBe(true);
    expect(await open('Comments', 'all is well', 'mom canceled this morning')).toBe(true);
  });

  test.each(['Notes', 'Shoe size', 'Colour', 'Paid?', 'Appointment Price', 'Date Scheduled', 'Room'])(
    'given %s, then it does not wait',
    async (name) => {
      expect(await open(name, '12', 'x')).toBe(false);
    },
  );

  test('a column without any value is not asked about', async () => {
    expect(await open('Canceled', '', ' ')).toBe(false);
    const { columns } = await run(week(`${HEADER},Odd`, `${cells('C-9', 9)},`), {}, true);
    expect(columns).toEqual([]);
  });

  test('people who have left, or are on hold, are not imported as if they were here', async () => {
    const clients = csv(
      'c.csv',
      'id,first_name,last_name,location,gender,restrictions,Service End Date',
      'C-77,Ida,Roe,tampa,F,,1/2/2026',
    );
    await expect(run({ clients })).rejects.toThrow('What does the column “Service End Date” of c.csv hold');
    await run({ clients }, { 'column clients serviceenddate': IGNORE_COLUMN });
  });
});

test.each([
  ['America/New_York', true],
  ['Eastern Time (US & Canada)', true],
  ['(UTC-05:00) Eastern Time (US & Canada)', true],
  ['GMT-5:00', true],
  ['-05:00', true],
  ['EST', true],
  ['America/Chicago', false],
  ['CST', false],
  ['Pacific Time', false],
  ['UTC', false],
  ['+01:00', false],
  ['Mars', false],
])('given the time zone %s in a column of its own, then whether the session is read is %s', async (zone, isRead) => {
  const file = week(`${HEADER},Timezone`, `${cells('D-1', 7)},${zone}`);
  const [row] = shown(await run(file, { 'column appointments timezone': 'Time Zone' }, true));
  expect(row).toMatch(isRead ? /^new$/ : /^bad value: Time Zone is '/);
});

describe('a file that says nothing of the status or the location', () => {
  const SHORT = HEADER.replace(',Status', '').replace(',Location', '');
  const row = (id: string, hour: number) =>
    `${id},"11/17/2026, ${hour}:00 AM","11/17/2026, ${hour}:45 AM",Direct Therapy,T-2,C-2`;
  const PLACE = 'cause location of file appointments week.csv';
  const STATUS = 'cause status of file appointments week.csv';

  test('is asked about once; the answers count for this file, and are not remembered', async () => {
    const file = week(SHORT, row('E-1', 7), row('E-2', 8));
    const dry = await run(file, {}, true);
    expect(openQuestions(dry).map(({ key, words, rows }) => [key, words, rows])).toEqual([
      [PLACE, 'Which location are all rows of week.csv from?', 2],
      [STATUS, 'Which status do all rows of week.csv have?', 2],
    ]);
    await expect(run(file, { [PLACE]: 'altamonte' })).rejects.toThrow(UnreadableFile);
    await run(file, { [PLACE]: 'altamonte', [STATUS]: 'Confirmed' });
    expect(await stored('E-')).toEqual(['E-1 booked', 'E-2 booked']);
    expect(openQuestions(await run(file, {}, true))).toHaveLength(2);
    const other = { appointments: csv('other.csv', SHORT, row('E-3', 9)) };
    expect(openQuestions(await run(other, { [PLACE]: 'altamonte', [STATUS]: 'Confirmed' }, true))).toHaveLength(2);
  });

  test('a file of people without a location', async () => {
    const clients = csv('kids.csv', 'id,first_name,last_name,gender,restrictions', 'C-88,Uma,Roe,F,');
    await expect(run({ clients })).rejects.toThrow('Which location are all rows of kids.csv from?');
    expect(shown(await run({ clients }, { 'cause location of file clients kids.csv': 'tampa' }))).toEqual(['new']);
  });
});

describe('the report of refused rows', () => {
  test('can be corrected and imported again, with every text as it was', async () => {
    const bytes = readFileSync(join(import.meta.dirname, 'fixtures/cases/report-roundtrip.csv'));
    const first = await run({ appointments: { name: 'week.csv', bytes } });
    const corrected = reportCsv(first)
      .replaceAll('Nobody Known', 'C-2')
      .replaceAll('Ana Lopez', 'T-2')
      .replaceAll("'@Ana", 'T-2')
      .replaceAll('Mia Chen', 'C-2');
    const again = await run({ appointments: csv('import-refused.csv', corrected) });
    expect(shown(again)).toEqual(['new', 'new', 'new', 'new']);
    const kept = await weeks.db
      .selectFrom('appointment')
      .select(['wire_id', 'subject'])
      .where((eb) => eb.or([eb('wire_id', 'like', 'R%'), eb('wire_id', 'like', '%-R2')]))
      .orderBy('wire_id')
      .execute();
    expect(kept.map(({ wire_id, subject }) => [wire_id, subject])).toEqual([
      ["'-R2", "'=Direct Therapy"],
      ['R1', '=Direct Therapy'],
      ['R3', '+1 Direct'],
      ['R4', '-'],
    ]);
  });

  test('has the rows of several files, and each is read as its own kind', async () => {
    const files = {
      clients: csv('c.csv', 'id,first_name,last_name,location,gender,restrictions', 'C-66,Odd,One,mars,F,'),
      ...week(HEADER, cells('F-1', 11, { location: 'Venus' })),
    };
    const report = reportCsv(await run(files, {}, true))
      .replaceAll('mars', 'tampa')
      .replaceAll('Venus', 'Altamonte');
    const again = { clients: csv('r.csv', report), appointments: csv('r.csv', report) };
    const { outcomes, columns } = await run(again, {}, true);
    expect(outcomes.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['clients', 'new'],
      ['appointments', 'new'],
    ]);
    expect(columns).toEqual([]);
    // Rows that are refused again are not wrapped in a second report.
    const twice = reportCsv(await run({ clients: csv('r.csv', report.replaceAll('tampa', 'mars')) }, {}, true));
    expect(twice.split('\r\n')[0]?.match(/import outcome/g)).toHaveLength(1);
  });

  test('undoes only the apostrophe that a report adds', () => {
    expect(["'=x", "''=x", "'x", 'x', "'"].map(unguarded)).toEqual(['=x', "'=x", "'x", 'x', "'"]);
  });
});
