import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IGNORE_COLUMN, openQuestions } from '@clinic/contract';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { smallFiles } from './testing/small.ts';
import { UnreadableFile, type Answers, type ImportKind } from './import-types.ts';
import { importFiles } from './imports.service.ts';
import { summarize, summaryText } from './report.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/cases');
const OPTIONS = { adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 28) };
const THERAPISTS = ['Ana,Lopez', 'Ben,Reed', 'Cora,Stein', "Sinead,O'Brien", 'José,García Núñez', 'José,Nuñez'];
const CLIENTS = ['Mia,Chen', 'Noah,Diaz', "D'Angelo,Smith-Jones", 'Zoë,Weiß', 'Wu,Li'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const therapists = THERAPISTS.map((name, i) => `T-${i + 1},${name},altamonte,RBT,Female,2020-01-06,80,Mon-Sat 7-7`);
  const clients = CLIENTS.map((name, i) => `C-${i + 1},${name},altamonte,Female,`);
  await importFiles(database.db, smallFiles({ therapists, clients }), { ...OPTIONS, dryRun: false });
});
afterAll(() => database.close());

const run = (name: string, answers: Answers, dryRun: boolean, kind: ImportKind = 'appointments') =>
  importFiles(
    database.db,
    { [kind]: { name, bytes: readFileSync(join(FOLDER, name)) } },
    { ...OPTIONS, answers, dryRun },
  );

interface Case {
  readonly kind?: ImportKind;
  /** What the check shows of each row: its result, or the reason and a part of the text. */
  readonly check: readonly (string | RegExp)[] | RegExp;
  /** The keys of the questions for which the import waits. */
  readonly open?: readonly string[];
  /** Our columns that are missing until someone says which of the file's columns hold them. */
  readonly missing?: readonly string[];
  /** Answers, and what the check shows with them. */
  readonly answers?: Answers;
  readonly answered?: readonly (string | RegExp)[];
  /** With the answers: the stored sessions' first dates and times, or a person's values. */
  readonly times?: readonly string[];
}

const column = (name: string): string => `column appointments ${name}`;
const START = 'cause dates appointments startdatetime';
const waits = (count: number): RegExp[] => Array.from({ length: count }, () => /its dates wait for an answer/);
const lacking = (count: number): RegExp[] => Array.from({ length: count }, () => /the file has no column/);

/** What happens to each file; `fixtures/cases/README.md` says why. */
const CASES: Readonly<Record<string, Case>> = {
  'acuity.csv': {
    check: lacking(2),
    missing: ['Id', 'Preferred_Provider_Name', 'Client Name'],
    open: [column('timezone')],
    answers: {
      [column('timezone')]: 'Time Zone',
      [column('firstname')]: 'Client First Name',
      [column('lastname')]: 'Client Last Name',
      [column('calendar')]: 'Preferred_Provider_Name',
      ...Object.fromEntries(
        ['phone', 'email', 'appointmentprice', 'paid', 'datescheduled'].map((name) => [column(name), IGNORE_COLUMN]),
      ),
      'cause location of file appointments acuity.csv': 'altamonte',
      'cause status of file appointments acuity.csv': 'Confirmed',
    },
    answered: [/its time zone is not the clinic’s \(EST on that date\)/, 'new'],
    times: ['2026-12-07 13:00'],
  },
  'allday.csv': { check: [/StartDateTime is '12\/7\/2026'; it must be a time/, /outside the clinic's day/] },
  'backslash-quote.csv': { check: /not well-formed CSV near line 2: a value continues/ },
  'bom-quoted-first.csv': {
    check: lacking(1),
    missing: ['Id'],
    answers: { [column('idnumber')]: 'Id' },
    answered: ['new'],
    times: ['2026-12-09 09:00'],
  },
  'bom-quoted.csv': { check: ['new'], times: ['2026-12-09 09:00'] },
  'caret-tab-mixed.csv': { check: ['new'], times: ['2026-12-09 09:00'] },
  'clash.csv': { check: Array.from({ length: 4 }, () => /^new: it double-books/) },
  'cp850.csv': { check: /in an encoding that is not known here/ },
  'day-first-dots.csv': {
    check: waits(2),
    open: [START],
    answers: { [START]: 'day' },
    answered: ['new', 'new'],
    times: ['2026-12-07 09:00'],
  },
  'day-first-mixed.csv': {
    check: waits(6),
    open: [START],
    answers: { [START]: 'day' },
    answered: Array.from({ length: 6 }, () => 'new'),
    times: ['03', '07', '09', '14', '16', '21'].map((day) => `2026-12-${day} 09:00`),
  },
  'duration-seconds.csv': {
    check: [...Array.from({ length: 4 }, () => /may be seconds/), 'new', /may be seconds/, 'new', /Duration is '1,5'/],
  },
  'excel-eq-quote.csv': { check: /not well-formed CSV near line 2/ },
  'excel-text-formula.csv': {
    check: ['new', 'new', 'new'],
    times: ['2026-12-10 09:00', '2026-12-10 11:00', '2026-12-10 13:00'],
  },
  'fresha.csv': {
    check: lacking(2),
    missing: ['Id', 'Subject', 'Preferred_Provider_Name'],
    answers: {
      [column('appointmentreference')]: 'Id',
      [column('scheduleddate')]: 'Date',
      [column('services')]: 'Subject',
      [column('teammember')]: 'Preferred_Provider_Name',
      'cause status booked': 'Scheduled',
    },
    answered: ['new', 'new'],
    times: ['2026-12-07 09:00', '2026-12-07 13:00'],
  },
  'inner-quotes.csv': { check: /not in quotes contains a quotation mark/ },
  'leading-apos.csv': { check: [/StartDateTime is ''12\/9\/2026 9:00 AM'/] },
  'mac-cr.csv': { check: ['new'], times: ['2026-12-09 09:00'] },
  'macroman.csv': { check: /in an encoding that is not known here/ },
  'names.csv': { check: ['new', 'new', /no client named 'ZoÃ« WeiÃŸ'/] },
  'names2.csv': { check: ['new', /it has 9 cells/, /it has 9 cells/, 'new'] },
  'nbsp.csv': { check: ['new'], times: ['2026-12-09 09:00'] },
  'openemr.csv': { check: /does not look like an appointment export: it has no column Id, StartDateTime/ },
  'opie.csv': {
    check: lacking(1),
    missing: ['Id', 'StartDateTime', 'Preferred_Provider_Name'],
    open: [column('type')],
    answers: {
      [column('type')]: IGNORE_COLUMN,
      [column('starttimesortable')]: 'StartDateTime',
      [column('treatingpractitioner')]: 'Preferred_Provider_Name',
      [column('apptfor')]: IGNORE_COLUMN,
    },
    answered: ['new'],
    times: ['2026-12-07 09:00'],
  },
  'outlook.csv': {
    check: lacking(2),
    missing: ['Id', 'Preferred_Provider_Name', 'Client Name'],
    open: [column('alldayevent'), 'cause status of file appointments outlook.csv'],
  },
  'pipe.csv': { check: /has its columns separated by \|/ },
  'report-roundtrip.csv': {
    check: [/'Nobody Known'/, /'Nobody Known'/, /no therapist named '@Ana'/, /'Nobody Known'/],
  },
  'semicolon-multiline.csv': { check: ['new', 'merged'], times: ['2026-12-09 09:00'] },
  'single-quotes.csv': { check: [/there is no location ''Altamonte''/] },
  'status-symbols.csv': {
    check: Array.from({ length: 12 }, () => /^unknown status/),
    open: [
      '-',
      '*',
      '@',
      '>',
      '!',
      'x',
      '?',
      '%',
      'waitingconfirmation',
      'missed',
      'rescheduled',
      'leftwithoutbeingseen',
    ].map((words) => `cause status ${words}`),
  },
  'tags-day-first.csv': {
    kind: 'therapists',
    check: waits(1),
    open: ['cause dates therapists tags'],
    answers: { 'cause dates therapists tags': 'day' },
    answered: ['changed'],
  },
  'therapists-day-first.csv': {
    kind: 'therapists',
    check: waits(2),
    open: ['cause dates therapists startdate'],
    answers: { 'cause dates therapists startdate': 'day' },
    answered: ['new', 'new'],
  },
  'therapyappt.csv': { check: lacking(1), missing: ['Subject', 'Preferred_Provider_Name'] },
  'timezone-column.csv': {
    check: ['new', 'new'],
    open: [column('timezone')],
    answers: { [column('timezone')]: 'Time Zone' },
    answered: [/Time Zone is 'America\/Chicago'; its time zone is not the clinic’s/, 'new'],
    times: ['2026-12-07 13:00'],
  },
  'total-row.csv': { check: ['new', /looks like a total or a note/, /looks like a total or a note/] },
  'trailing-commas.csv': { check: ['new', /it is empty/], times: ['2026-12-09 09:00'] },
  'two-digit-years.csv': {
    check: [waits(1)[0] ?? '', 'new', ...waits(2)],
    open: [START],
    answers: { [START]: 'month' },
    answered: ['new', 'new', /it must be a time that exists/, /it must be a time that exists/],
    times: ['2026-12-07 09:00', '2026-12-07 11:00'],
  },
  'unbalanced.csv': { check: /not well-formed CSV near line 2/ },
  'utf16be.csv': { check: ['new'], times: ['2026-12-09 09:00'] },
  'utf16le-nobom.csv': { check: /bytes that are not text/ },
  'utf16le-quoted.csv': { check: ['new'], times: ['2026-12-09 09:00'] },
};

test('each file has its case', () => {
  expect(Object.keys(CASES).sort()).toEqual(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.csv'))
      .sort(),
  );
});

type Result = Awaited<ReturnType<typeof run>>;
const shown = ({ outcomes }: Result): string[] =>
  outcomes.map(({ outcome, reason, text }) => [reason ?? outcome, text].filter(Boolean).join(': '));
const expected = (rows: readonly (string | RegExp)[]) =>
  rows.map((row): unknown =>
    typeof row === 'string' ? expect.stringMatching(new RegExp(`^${row}\\b|: the same`)) : expect.stringMatching(row),
  );
/** The times of the sessions in the database, which are then deleted. */
async function stored(): Promise<string[]> {
  const found = await database.db.selectFrom('appointment').select('starts').orderBy('starts').execute();
  return [...new Set(found.map(({ starts }) => String(starts).slice(0, 16)))];
}
async function forget(): Promise<void> {
  await database.db.deleteFrom('import_row').where('kind', '=', 'appointment').execute();
  await database.db.deleteFrom('appointment').execute();
  await database.db.deleteFrom('import_answer').execute();
}

describe.each(Object.entries(CASES))(
  '%s',
  (name, { kind, check, open = [], missing = [], answers, answered, times }) => {
    test('is read, asked about or refused as its case says', async () => {
      await forget();
      if (check instanceof RegExp) {
        const refused = run(name, {}, true, kind);
        await expect(refused).rejects.toThrow(UnreadableFile);
        await expect(refused).rejects.toThrow(check);
        return;
      }
      const dry = await run(name, {}, true, kind);
      expect(shown(dry)).toEqual(expected(check));
      expect(dry.columns.flatMap((file) => file.missing)).toEqual(missing);
      const asked = openQuestions(dry).map(({ key }) => key);
      expect(asked).toEqual(expect.arrayContaining([...open]));
      if (asked.length > 0 || missing.length > 0) {
        const refused = run(name, {}, false, kind);
        await expect(refused).rejects.toThrow(UnreadableFile);
        await expect(refused).rejects.toThrow(/[.?] Check the files? on the import page/);
        expect(await stored()).toEqual([]);
      }
      if (answers) expect(shown(await run(name, answers, true, kind))).toEqual(expected(answered ?? []));
      if (!times) return;
      await run(name, answers ?? {}, false, kind);
      expect(await stored()).toEqual(times);
    });
  },
);

test('given rows that a workbook hides, then they are imported, and the import says which', async () => {
  await forget();
  const bytes = readFileSync(join(FOLDER, '../workbooks/hidden-openpyxl.xlsx'));
  const files = { appointments: { name: 'hidden.xlsx', bytes } };
  for (const dryRun of [true, false]) {
    const summary = summarize(await importFiles(database.db, files, { ...OPTIONS, dryRun }));
    expect(summary.notes).toMatchObject({ hidden: 2 });
    expect(
      summary.rows.flatMap(({ line, notes, explanation }) => (notes?.includes('hidden') ? [[line, explanation]] : [])),
    ).toEqual([3, 5].map((line) => [line, expect.stringContaining('the sheet hides this row') as string]));
    expect(summaryText(summary)).toContain('2 rows that the sheet hides');
  }
  expect(await database.db.selectFrom('appointment').select('id').execute()).toHaveLength(5);
});
