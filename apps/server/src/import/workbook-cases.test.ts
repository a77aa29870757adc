import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isoDate } from '@clinic/domain';
import { resolveAppointments } from './plan/appointment-plan.ts';
import type { ImportFile, ImportKind, RowOutcome, SourceTable } from './import-types.ts';
import { LossTexts } from './columns/loss-columns.ts';
import { planEveryone } from './plan/plan.ts';
import { readTable } from './read/read-table.ts';
import { StatusTexts } from './columns/status-texts.ts';
import { UnknownWords } from './columns/words.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/workbooks');
const csv = (name: string, lines: readonly string[]): ImportFile => ({ name, bytes: Buffer.from(lines.join('\n')) });
const THERAPISTS = csv('therapists.csv', [
  'id,first_name,last_name,location,specialization,gender,start_date,consistency,availability',
  'T-1,Ana,Lopez,altamonte,RBT,Female,2020-01-06,80,',
  'T-2,José,García Núñez,altamonte,RBT,Male,2020-01-06,80,',
]);
const CLIENTS = csv('clients.csv', [
  'id,first_name,last_name,location,gender,restrictions',
  'C-1,Mia,Chen,altamonte,Female,',
  'C-3,Zoë,Weiß,altamonte,Female,',
  "C-4,D'Angelo,Smith-Jones,altamonte,Male,",
]);

/** Reads and plans a file, into a clinic with a few people. */
async function imported(name: string, kind: ImportKind) {
  const table = await readTable({ name, bytes: readFileSync(join(FOLDER, name)) }, kind);
  const tables: Partial<Record<ImportKind, SourceTable>> = {
    therapists: await readTable(THERAPISTS, 'therapists'),
    clients: await readTable(CLIENTS, 'clients'),
    [kind]: table,
  };
  const known = { therapist: new Map(), client: new Map() };
  const people = planEveryone(tables, { therapists: [], clients: [], known }, 'Admin', isoDate('2026-11-20'));
  const words = new UnknownWords(new Map());
  const context = { ...people.context, losses: new LossTexts([], words), statuses: new StatusTexts([], words) };
  const { sessions, outcomes } = resolveAppointments(tables.appointments ?? null, context);
  const all: readonly RowOutcome[] = [...people.outcomes, ...people.details.outcomes, ...outcomes];
  return {
    table,
    people,
    sessions: sessions.map(
      ({ record: { wireId, date, start, end, therapistId, clientId, subject } }) =>
        `${wireId}: ${date} ${start}-${end} ${therapistId ?? 'no one'} with ${clientId ?? 'no one'}, ${subject}`,
    ),
    rows: all.flatMap(({ kind: of, line, outcome, text }) =>
      of === kind && (kind !== 'appointments' || outcome === 'refused') ? [`${line} ${outcome}: ${text ?? ''}`] : [],
    ),
  };
}

const session = (id: string, day = 7, from = 540): string =>
  `${id}: 2026-12-${String(day).padStart(2, '0')} ${from}-${from + 60} T-1 with C-1, Direct Therapy`;
const uncalculated = (column: string): string =>
  `${column} is a formula whose value is not in the file: open the file in Excel, save it, and import it again`;

/** Workbooks of sessions that are read in full. */
const SESSIONS: Readonly<Record<string, readonly string[]>> = {
  'abs-target.xlsx': [session('P1')],
  'backslash.xlsx': [session('P1')],
  'd1904-plain.xlsx': [session('E1')],
  'd1904-styled.xlsx': [session('E1')],
  'dotslash.xlsx': [session('P1')],
  'float.xlsx': [
    'F1: 2026-12-07 534-600',
    'F2: 2026-12-07 738-840',
    'F3: 2026-12-07 900-960',
    'F4: 2026-12-07 1020-1080',
  ].map((at) => `${at} T-1 with C-1, Direct Therapy`),
  'half-cell-ref.xlsx': [session('P1')],
  'min-bad-other-sheet.xlsx': [session('X1', 16)],
  'min-chartsheet.xlsx': [session('X1', 16)],
  'min-dialogsheet.xlsx': [session('X1', 16)],
  'min-empty-other-sheet.xlsx': [session('X1', 16)],
  'min-no-ref.xlsx': [session('X1', 16)],
  'no-cell-ref.xlsx': [session('P1')],
  'openpyxl-a.xlsx': [session('X81', 15)],
  'prefixed.xlsx': [session('P1')],
  's-abs-shared.xlsx': [session('Q1')],
  's-case.xlsx': [session('Q1')],
  's-empty-si.xlsx': [session('Q1')],
  's-inline-rich.xlsx': [session('Q1')],
  's-norows-ref.xlsx': [session('Q1')],
  's-phonetic-plain.xlsx': [session('Q1')],
  's-rich-phonetic.xlsx': [session('Q1')],
  's-str-formula.xlsx': [session('Q1')],
  's-t-and-r.xlsx': [session('Q1')],
  's-t-then-r.xlsx': [session('Q1')],
  'strict-iso.xlsx': [session('S1'), session('S2', 7, 660)],
  'upper.xlsx': [session('P1')],
  'xlsxwriter-a.xlsx': [session('X81', 15)],
  // An empty text, written in three ways, is a session without a therapist.
  's-inline-empty.xlsx': [session('Q1').replace('T-1', 'no one')],
  's-no-v.xlsx': [session('Q1').replace('T-1', 'no one')],
};

/** The same sessions, as several programs write them: dates, times, lengths, `00000`, rich text, notes, merged cells. */
const WRITTEN = [
  '00123: 2026-12-07 540-630 T-1 with C-1, Direct Therapy',
  '00124: 2026-12-07 855-900 T-1 with C-3, Direct Therapy',
  'A "1", b: 2026-12-31 1080-1140 T-2 with C-4, Direct Therapy\nsecond line',
];
const WRITERS = ['openpyxl', 'openpyxl-1904', 'xlsxwriter', 'xlsxwriter-1904'].map((name) => `written-${name}.xlsx`);
const CONVERTED = ['xlsx', 'xls', 'ods'].flatMap((type) => [
  `written-libreoffice.${type}`,
  `written-libreoffice-1904.${type}`,
]);

/** Files of other kinds: each row, with what happens to it. */
const ROWS: Readonly<Record<string, readonly [kind: ImportKind, rows: readonly string[]]>> = {
  'min-theme.xlsx': ['clients', ['2 new: ']],
  'openpyxl-t.xlsx': ['therapists', ['2 new: ']],
  'openpyxl-c.xlsx': ['clients', ['2 new: ']],
  'openpyxl-z.xlsx': ['authorizations', ['2 new: ']],
  'openpyxl-k.xlsx': ['credentials', ['2 new: ']],
  'xlsxwriter-t.xlsx': ['therapists', ['2 new: ']],
  'xlsxwriter-c.xlsx': ['clients', ['2 new: ']],
  'xlsxwriter-z.xlsx': ['authorizations', ['2 new: ']],
  'xlsxwriter-k.xlsx': ['credentials', ['2 new: ']],
  'clients-formula-v.xlsx': ['clients', ['2 new: ', '3 new: ']],
  'clients-formula-nov.xlsx': ['clients', [2, 3].map((line) => `${line} refused: ${uncalculated('restrictions')}`)],
  'openpyxl-formula.xlsx': ['clients', [`2 refused: ${uncalculated('restrictions')}`]],
  's-formula-nov.xlsx': ['appointments', [`2 refused: ${uncalculated('Preferred_Provider_Name')}`]],
  'errcell.xlsx': [
    'appointments',
    [
      '2 refused: Preferred_Provider_Name has the formula error #REF!: correct the formula, or write its value, in the file',
      `3 refused: ${uncalculated('Preferred_Provider_Name')}`,
    ],
  ],
  's-bool.xlsx': ['appointments', ["2 refused: there is no therapist named 'TRUE'"]],
  'formulas-xlsxwriter.xlsx': ['clients', [`2 refused: ${uncalculated('restrictions')}`, '3 new: ']],
};

const DAMAGED = 'none of its sheets can be opened. Open it in Excel, save it as .xlsx or CSV, and import that.';
const OPEN = 'which cannot be read here. Open it in Excel, save it as .xlsx or CSV, and import that.';
const EXPORT =
  'which cannot be read here. Export the rows as CSV or Excel from the program it comes from, and import that.';
const LOCKED = 'is protected with a password. Open it with the password, remove the protection';

/** Files that are refused, and what people are told. */
const REFUSED: Readonly<Record<string, string>> = {
  'biff.xls': DAMAGED,
  's-index-out.xlsx': DAMAGED,
  'shared-case.xlsx': DAMAGED,
  'shared-missing.xlsx': DAMAGED,
  'shared-odd.xlsx': DAMAGED,
  'x.xlsb': DAMAGED,
  'x.ods': 'x.ods is damaged or not a workbook that can be read here, or it unpacks',
  'html.xls': `html.xls is a web page (HTML), ${OPEN}`,
  'xml2003.xls': `xml2003.xls is an Excel 2003 XML file, ${OPEN}`,
  'x.json': `x.json is a JSON file, ${EXPORT}`,
  'cal.ics': `cal.ics is a calendar file (.ics), ${EXPORT}`,
  'x.pdf': `x.pdf is a PDF document, ${EXPORT}`,
  'csv-in.zip': 'csv-in.zip is a ZIP archive, which cannot be read here. Unpack it, and import the file in it.',
  'x.numbers':
    'x.numbers is an Apple Numbers file, which cannot be read here. Open it in Numbers, choose File › Export To',
  'locked.xlsx': LOCKED,
  'locked.xls': LOCKED,
  'locked.ods': LOCKED,
};

/** Workbooks with a filter, which hides rows 3 and 5, and a hidden column. */
const HIDING = ['openpyxl.xlsx', 'xlsxwriter.xlsx', 'libreoffice.xls', 'libreoffice.ods'].map(
  (name) => `hidden-${name}`,
);

/** Identifiers and codes stored as numbers, with formats that add a text, and figures with such formats. */
const SHOWN = ['openpyxl.xlsx', 'xlsxwriter.xlsx', ...['xlsx', 'xls', 'ods'].map((type) => `libreoffice.${type}`)];

const FORMULAS = ['formulas.xlsx', ...['xlsx', 'xls', 'ods'].map((type) => `formulas-libreoffice.${type}`)];

describe('workbooks', () => {
  test('every file has its word', () => {
    const named = [SESSIONS, ROWS, REFUSED].flatMap((each) => Object.keys(each));
    const others = ['timeonly.xlsx', 'percent.xlsx', 'written.xlsb', ...WRITERS, ...CONVERTED, ...FORMULAS, ...HIDING];
    others.push(...SHOWN.flatMap((name) => [`shown-t-${name}`, `shown-a-${name}`]));
    expect([...named, ...others].sort()).toEqual(
      readdirSync(FOLDER)
        .filter((name) => !name.endsWith('.md'))
        .sort(),
    );
  });

  test.each(Object.entries(SESSIONS))('%s is read', async (name, sessions) => {
    expect(await imported(name, 'appointments')).toMatchObject({ sessions, rows: [] });
  });

  test.each([...WRITERS, ...CONVERTED, 'written.xlsb'])('%s holds the same sessions', async (name) => {
    expect(await imported(name, 'appointments')).toMatchObject({ sessions: WRITTEN, rows: [] });
  });

  test.each(['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati'])(
    'dates are the same on a machine in %s',
    async (zone) => {
      vi.stubEnv('TZ', zone);
      try {
        expect(new Date(0).getTimezoneOffset()).not.toBe(0);
        for (const name of [...WRITERS, ...CONVERTED, 'written.xlsb'])
          expect(await imported(name, 'appointments'), name).toMatchObject({ sessions: WRITTEN });
        for (const name of ['strict-iso.xlsx', 'd1904-plain.xlsx', 'd1904-styled.xlsx'])
          expect(await imported(name, 'appointments'), name).toMatchObject({ sessions: SESSIONS[name] });
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  test('a time of day may be stored with a day in front of it, and a date with a time beside its own column is refused', async () => {
    const { sessions, rows } = await imported('timeonly.xlsx', 'appointments');
    expect(sessions.map((each) => each.slice(0, 26).trim())).toEqual([
      'G1: 2026-12-07 540-630 T-1',
      'G2: 2026-12-07 720-780 T-1',
      'G3: 2026-12-07 840-960 T-1',
    ]);
    expect(rows).toHaveLength(1);
  });

  test.each(Object.entries(ROWS))('%s: each row is taken or refused', async (name, [kind, rows]) => {
    expect((await imported(name, kind)).rows).toEqual(rows.map((text) => expect.stringContaining(text) as string));
  });

  test('given formulas with values, then a restriction counts', async () => {
    const { people } = await imported('clients-formula-v.xlsx', 'clients');
    expect(people.clients.map(({ record }) => record.requiresGender)).toEqual([['Female'], ['Female']]);
  });

  test('given a share formatted as percent, then it counts as shown', async () => {
    const { people } = await imported('percent.xlsx', 'therapists');
    expect(people.therapists.map(({ record }) => [record.consistency, record.startDate])).toEqual([[82, '2024-02-29']]);
  });

  test.each(SHOWN)('%s: an identifier is what the sheet shows, and a figure what it stores', async (name) => {
    const { table, people } = await imported(`shown-t-${name}`, 'therapists');
    expect(table.rows.map(({ cells, given }) => [cells['id'], given[0]])).toEqual([
      ['K-17', 'K-17'],
      ['K-18', 'K-18'],
    ]);
    expect(table.rows[0]?.original).toMatch(/^K-17,Uma,/);
    expect(people.therapists.map(({ record }) => record)).toMatchObject([
      { startDate: '2024-02-29', weekHours: 38, dayHours: 8, consistency: 82 },
      { startDate: '2024-03-01', weekHours: 40, dayHours: 9, consistency: 75 },
    ]);
    expect(await imported(`shown-a-${name}`, 'appointments')).toMatchObject({
      sessions: [
        'A-0123: 2026-12-07 540-630 T-1 with C-1, CPT 97153',
        'A-0124: 2026-12-08 840-900 T-1 with C-3, CPT 97155',
      ],
      rows: [],
    });
  });

  test.each(FORMULAS)('%s: a formula counts by its value, and without one its row is refused', async (name) => {
    const { table } = await imported(name, 'clients');
    const [ida, uma, wes, yan] = table.rows;
    expect([uma?.fault, yan?.fault]).toEqual(
      name === 'formulas.xlsx' ? [uncalculated('restrictions'), null] : [null, null],
    );
    expect(wes?.fault).toContain(name === 'formulas.xlsx' ? 'restrictions is a formula' : 'the formula error #N/A');
    expect(ida?.fault ?? ida?.cells).toEqual(
      name === 'formulas.xlsx'
        ? uncalculated('first_name')
        : expect.objectContaining({ first_name: 'Ida', restrictions: 'gender:female' }),
    );
  });

  test.each(HIDING)('%s: hidden rows and columns are read, and the rows are known as hidden', async (name) => {
    const { table, sessions } = await imported(name, 'appointments');
    expect(table.rows.map(({ line, hidden }) => [line, hidden === true])).toEqual([
      [2, false],
      [3, true],
      [4, false],
      [5, true],
      [6, false],
    ]);
    expect(sessions).toHaveLength(5);
  });

  test.each(Object.entries(REFUSED))('%s is refused: %s', async (name, words) => {
    await expect(imported(name, 'appointments')).rejects.toMatchObject({
      name: 'UnreadableFile',
      message: expect.stringContaining(words) as string,
    });
  });
});
