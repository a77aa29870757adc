import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'csv-parse/sync';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { isoDate } from '@clinic/domain';
import { clinicA } from './testing/clinic-a.ts';
import { rowsOfTexts, sheetOf } from './testing/sheet.ts';
import { UnreadableFile, type ImportFile } from './import-types.ts';
import { resolveAppointments } from './plan/appointment-plan.ts';
import { LossTexts } from './columns/loss-columns.ts';
import { StatusTexts } from './columns/status-texts.ts';
import { UnknownWords } from './columns/words.ts';
import { planDays, planEveryone } from './plan/plan.ts';
import { readTable } from './read/read-table.ts';
import { repeats } from '../reliability/testing/doses.ts';

// The same export in another format must give the same plan. The expected plan is computed from the original file.
const files = clinicA();
const grid = (file: ImportFile): string[][] => parse(Buffer.from(file.bytes), { bom: true, relax_column_count: true });
const all = {
  therapists: grid(files.therapists),
  clients: grid(files.clients),
  appointments: grid(files.appointments),
};
const SOME = { ...all, appointments: all.appointments.filter((_, i) => i === 0 || i % 12 === 0 || i > 10_640) };

interface Shape {
  delimiter: string;
  eol: string;
  encoding: 'utf8' | 'utf8-bom' | 'windows-1252' | 'utf16';
  header: (name: string) => string;
  quoteAll: boolean;
  /** A sort key for each column, which determines the columns' order. */
  order: readonly number[];
  extra: boolean;
}

const PLAIN: Shape = {
  delimiter: ',',
  eol: '\r\n',
  encoding: 'utf8',
  header: (n) => n,
  quoteAll: false,
  order: [],
  extra: false,
};

function render(rows: readonly string[][], shape: Shape): Uint8Array {
  const order = (rows[0] ?? []).map((_, i) => i).sort((a, b) => (shape.order[a] ?? 0) - (shape.order[b] ?? 0) || a - b);
  const cell = (text: string): string =>
    shape.quoteAll || /["\r\n]/.test(text) || text.includes(shape.delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row, i) => {
    const cells = order.map((at) => (i === 0 ? shape.header(row[at] ?? '') : (row[at] ?? '')));
    return [...cells, ...(shape.extra ? [i === 0 ? 'Notes' : `n${i}`] : [])].map(cell).join(shape.delimiter);
  });
  return encode(lines.join(shape.eol) + shape.eol, shape.encoding);
}

function encode(text: string, encoding: Shape['encoding']): Uint8Array {
  if (encoding === 'utf16') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (encoding === 'utf8-bom') return Buffer.from(`\uFEFF${text}`);
  if (encoding === 'utf8') return Buffer.from(text);
  const table = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i));
  return Uint8Array.from(text, (char) => {
    const byte = table.indexOf(char);
    if (byte < 0) throw new Error(`no Windows-1252 byte for ${char}`);
    return byte;
  });
}

const KINDS = ['therapists', 'clients', 'appointments'] as const;
type Kind = (typeof KINDS)[number];

/** The plan for an import into an empty database, without the rows' original text and line numbers. */
async function planOf(bytesOf: (kind: Kind) => Uint8Array | Promise<Uint8Array>): Promise<unknown> {
  const tables = Object.fromEntries(
    await Promise.all(
      KINDS.map(async (kind) => [kind, await readTable({ name: kind, bytes: await bytesOf(kind) }, kind)] as const),
    ),
  );
  const known = { therapist: new Map(), client: new Map() };
  const people = planEveryone(tables, { therapists: [], clients: [], known }, 'Admin', isoDate('2026-11-20'));
  const words = new UnknownWords(new Map());
  const { sessions, outcomes } = resolveAppointments(tables['appointments'] ?? null, {
    ...people.context,
    losses: new LossTexts([], words),
    statuses: new StatusTexts([], words),
  });
  const days = planDays(sessions, { appointments: [], known: new Map() }, people.twoToOne);
  const inOrder = [...people.outcomes, ...[...outcomes, ...days.outcomes].sort((a, b) => a.line - b.line)];
  return {
    outcomes: inOrder.map((o) => [o.kind, o.outcome, o.reason, o.notes]),
    therapists: people.therapists,
    clients: people.clients,
    appointments: days.appointments,
    days: days.days,
  };
}

describe('the same export in another format', () => {
  const expected = planOf((kind) => render(SOME[kind], PLAIN));

  const shapes: fc.Arbitrary<Shape> = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    encoding: fc.constantFrom('utf8', 'utf8-bom', 'windows-1252', 'utf16'),
    header: fc.constantFrom(
      (n: string) => n,
      (n: string) => n.toUpperCase(),
      (n: string) => ` ${n.toLowerCase().replaceAll('_', ' ')} `,
      (n: string) => n.replaceAll(' ', '_'),
    ),
    quoteAll: fc.boolean(),
    order: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 9, maxLength: 9 }),
    extra: fc.boolean(),
  });

  test('other separators, line endings, encodings, header spellings, quoting, column orders and extra columns give the same plan', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        expect(await planOf((kind) => render(SOME[kind], shape))).toEqual(await expected);
      }),
      { numRuns: repeats(12), seed: 20261120 },
    );
  });

  test('an XLSX file with real date cells gives the same plan', async () => {
    const bytesOf = async (kind: Kind): Promise<Uint8Array> => {
      const cell = (text: string, column: string, row: number) => {
        const when = row === 0 ? null : dateCell(column, text);
        if (when)
          return { value: when, type: Date, format: column === 'start_date' ? 'yyyy-mm-dd' : 'm/d/yyyy h:mm AM/PM' };
        return text === '' ? null : { value: text, type: String };
      };
      const [header = []] = SOME[kind];
      const sheet = SOME[kind].map((row, i) => row.map((text, at) => cell(text, header[at] ?? '', i)));
      return await writeXlsxFile(sheet as SheetData).toBuffer();
    };
    expect(await planOf(bytesOf)).toEqual(await expected);
  });
});

describe('rows above the header', () => {
  const ROWS = ['id,first_name,last_name,location,gender,restrictions', 'C-1,Bo,Lee,tampa,Male,'];
  const idsIn = async (lines: readonly string[]) => {
    const csv = { name: 'x.csv', bytes: Buffer.from(lines.join('\n')) };
    const xlsx = sheetOf(rowsOfTexts(lines.map((line) => line.split(','))));
    const [inCsv, inXlsx] = await Promise.all([readTable(csv, 'clients'), readTable(xlsx, 'clients')]);
    const ids = ({ rows }: typeof inCsv) => rows.map(({ line, cells }) => `${line} ${cells['id']}`);
    expect(ids(inXlsx)).toEqual(ids(inCsv));
    return ids(inCsv);
  };

  test('given a title and empty rows, or names of groups, the table below them is read, with the right line numbers', async () => {
    expect(await idsIn(['Clients of the clinic,,,,,', ',,,,,', ...ROWS])).toEqual(['4 C-1']);
    expect(await idsIn(['Key,Name,,Place,Person,', ...ROWS])).toEqual(['3 C-1']);
  });

  test('given the line “sep=;” that spreadsheet programs write, the table is read with that separator', async () => {
    const lines = ['sep=;', ...ROWS.map((row) => row.replaceAll(',', ';'))];
    const table = await readTable({ name: 'x.csv', bytes: Buffer.from(lines.join('\r\n')) }, 'clients');
    expect(table.rows.map(({ line, cells }) => `${line} ${cells['last_name']}`)).toEqual(['3 Lee']);
  });

  test('given a row of the table above the header, the file is refused instead of being read without that row', async () => {
    await expect(idsIn([ROWS[1] ?? '', ...ROWS])).rejects.toThrow(/does not look like a client export/);
  });
});

describe('characters that only a workbook can contain', () => {
  // Spreadsheet programs never write these characters, but XML can be written by hand.
  const workbook = (name: string): ImportFile =>
    sheetOf(
      rowsOfTexts([
        ['id', 'first_name', 'last_name', 'location', 'gender', 'restrictions'],
        ['C-1', name, 'Lee', 'tampa', 'Male', ''],
      ]),
    );
  const firstName = async (name: string) => (await readTable(workbook(name), 'clients')).rows[0]?.cells['first_name'];

  test('half a surrogate pair is read as the replacement character, as in a CSV file', async () => {
    expect(await firstName('Bo')).toBe('Bo');
    expect(await firstName('B&#xD83D;o')).toBe('B\ufffdo');
    expect(await firstName('B&#xD83D;&#xDE00;o')).toBe('B😀o');
  });

  test('given control characters, the file is refused, as a CSV file would be', async () => {
    for (const code of ['&#0;', '&#1;', '&#x1b;'])
      await expect(firstName(`B${code}o`)).rejects.toThrow(
        /^x\.xlsx is damaged: it contains characters that are not allowed in text\.$/,
      );
    expect(await firstName('B&#9;o')).toBe('B\to');
  });
});

function dateCell(column: string, text: string): Date | null {
  if (column === 'start_date') return new Date(`${text}T00:00:00Z`);
  const m = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+) ([AP])M$/.exec(text);
  if (!m) return null;
  return new Date(
    Date.UTC(Number(m[3]), Number(m[1]) - 1, Number(m[2]), (Number(m[4]) % 12) + (m[6] === 'P' ? 12 : 0), Number(m[5])),
  );
}

describe('a file that is not an export', () => {
  const csv = (text: string): ImportFile => ({ name: 'x.csv', bytes: Buffer.from(text) });
  const HEADER = 'id,first_name,last_name,location,gender,restrictions';
  const cases: [string, ImportFile, RegExp][] = [
    ['empty', csv(''), /^x\.csv is empty\.$/],
    ['blank lines alone', csv('\n\n'), /^x\.csv is empty\.$/],
    ['a column is missing', csv('id,first_name,last_name,location\n'), /it has no column gender\.$/],
    [
      'another export',
      csv(all.therapists[0]?.join(',') ?? ''),
      /it has no column restrictions\. It looks like an export of therapists\.$/,
    ],
    ['a column twice', csv(`${HEADER},ID\n`), /has the column id twice/],
    [
      'a column twice under another name',
      csv(`${HEADER},Skills Required,Skills Required\n`),
      /the column Skills Required twice/,
    ],
    [
      'an open quote',
      csv(`${HEADER}\nC-1,"Bo,Lee,tampa,Male,\n`),
      /^x\.csv is not well-formed CSV near line \d+: a quotation mark is opened and never closed\.$/,
    ],
    ['text after a quote', csv(`${HEADER}\nC-1,"Bo"x,Lee,tampa,Male,\n`), /near line 2: a value continues/],
    [
      'a picture',
      { name: 'x.csv', bytes: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]) },
      /is a picture, which cannot be read here\. Export the rows as CSV or Excel/,
    ],
    [
      'an old Excel file',
      { name: 'x.xls', bytes: Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]) },
      /^x\.xls is damaged .* save it as \.xlsx or CSV/,
    ],
    [
      'a broken workbook',
      { name: 'x.xlsx', bytes: Uint8Array.from([0x50, 0x4b, 3, 4, 9, 9, 9]) },
      /damaged or not a workbook that can be read here/,
    ],
  ];
  test.each(cases)('the file is refused with a one-line message: %s', async (_, file, message) => {
    const read = readTable(file, 'clients');
    await expect(read).rejects.toThrow(UnreadableFile);
    await expect(read).rejects.toThrow(message);
  });
});
