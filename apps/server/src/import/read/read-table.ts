import type { ColumnQuestion } from '@clinic/contract';
import type { IsoDate } from '@clinic/domain';
import { EMPTIABLE, HEADER_WITHIN, headerAt, headerKey } from '../columns/columns.ts';
import { composed } from '../columns/composed.ts';
import { DAYS_TO_1904 } from './cell-text.ts';
import { inOneOrder } from '../columns/date-order.ts';
import { asShown } from '../columns/shown-columns.ts';
import { decodeText } from './decode.ts';
import { isOffice, isZip, refuseBytes } from './file-kinds.ts';
import { meansNothing, meansUndecided, parseDateTime, parseDay, quote, tidy } from '../rows/fields.ts';
import { findColumns } from '../columns/find-columns.ts';
import {
  IMPORT_KINDS,
  UnreadableFile,
  type ColumnAnswers,
  type ImportFile,
  type ImportFiles,
  type ImportKind,
  type RawRow,
  type SourceRow,
  type SourceTable,
  type Tables,
} from '../import-types.ts';
import { LIMITS } from './limits.ts';
import { readCsv } from './read-csv.ts';
import { readOwnFile } from '../columns/report-columns.ts';

/** Reads the files, without a database. Throws UnreadableFile for a file that is not the expected kind of export. */
export async function readTables(files: ImportFiles, answers?: ColumnAnswers): Promise<Tables> {
  const tables: Partial<Record<ImportKind, SourceTable>> = {};
  for (const kind of IMPORT_KINDS) {
    const file = files[kind];
    if (file) tables[kind] = await readTable(file, kind, answers);
  }
  return tables;
}

/**
 * Reads an export: CSV (commas, semicolons or tabs; see `decodeText`) or a workbook (XLSX, XLSB, XLS, ODS). Returns every
 * row below the header and, if a row is malformed, what is wrong with it. Throws UnreadableFile for a file that is not the expected kind of
 * export, or exceeds `LIMITS`.
 */
export async function readTable(file: ImportFile, kind: ImportKind, answers?: ColumnAnswers): Promise<SourceTable> {
  if (file.bytes.length === 0) throw new UnreadableFile(`${file.name} is empty.`);
  const most = kind === 'appointments' ? LIMITS.rows : LIMITS.people;
  const { rows, from1904 } = await rowsOf(file, kind, most);
  const at = headerAt(
    rows.slice(0, HEADER_WITHIN).map((row) => row.cells),
    kind,
  );
  const top = rows[at];
  if (!top) throw new UnreadableFile(`${file.name} is empty.`);
  const below = rows.slice(at + 1);
  const { header, rows: stored, isExport } = readOwnFile(top.cells, below, kind);
  const { found, columns, asked } = findColumns(header, stored, kind, file.name, answers);
  const body = asShown(stored, found);
  const lacking = columns.missing.length > 0 ? missingColumn(columns.missing) : null;
  const questions = columns.questions.map((each, i): ColumnQuestion => ({
    ...each,
    examples: examplesOf(body, asked[i] ?? 0),
  }));
  const last = kind === 'appointments' ? lastDayIn(header, found) : -1;
  const dates = inOneOrder(
    { kind, name: file.name, header, keys: header.map(headerKey), found, others: last < 0 ? [] : [last], rows: body },
    answers ?? new Map(),
  );
  return {
    file: file.name,
    header,
    columns: { ...columns, questions },
    dates: dates.questions,
    rows: dates.rows.map((row, i) => {
      const read = named(row, kind, header.length, found, { from1904, isExport });
      const undecided = dates.faults.get(row.line);
      const fault = lacking ?? read.fault ?? (undecided === undefined ? seriesFault(row.cells, found, last) : null);
      const given = body[i]?.cells ?? [];
      if (fault !== null || undecided === undefined) return { ...read, given, fault };
      return kind === 'appointments'
        ? { ...read, given, fault, waits: undecided }
        : { ...read, given, fault: undecided };
    }),
  };
}

interface Rows {
  readonly rows: readonly RawRow[];
  /** Whether numbers that are dates count from 1904. */
  readonly from1904: boolean;
}

async function rowsOf(file: ImportFile, kind: ImportKind, most: number): Promise<Rows> {
  refuseBytes(file.bytes, file.name);
  if (!isZip(file.bytes) && !isOffice(file.bytes))
    return { rows: readCsv(decodeText(file.bytes, file.name), file.name, kind, most), from1904: false };
  // The library is large, so it is loaded only for a workbook.
  const { readWorkbook } = await import('./read-workbook.ts');
  return readWorkbook(file, kind, most);
}

/** Names of a column with the last day of a series, if it is none of ours; see `headerKey`. */
const LAST_DAYS: ReadonlySet<string> = new Set([
  'enddate',
  'appointmentenddate',
  'scheduleenddate',
  'seriesend',
  'seriesenddate',
  'recurrenceend',
  'recurrenceenddate',
  'repeatuntil',
  'repeatsuntil',
]);

/** The position of the column with the last day of a series; -1 if there is none. */
function lastDayIn(header: readonly string[], found: ReadonlyMap<string, number>): number {
  const used = new Set(found.values());
  return header.findIndex((text, at) => !used.has(at) && LAST_DAYS.has(headerKey(text)));
}

/**
 * Says why a row is refused as a series: it has a last day after its first one. Read as one session, all others of the
 * series would be lost without a word.
 */
function seriesFault(cells: readonly string[], found: ReadonlyMap<string, number>, last: number): string | null {
  const first = found.get('Date') ?? found.get('StartDateTime') ?? -1;
  const [from, until] = [first, last].map((at) => dayOf(cells[at] ?? ''));
  return from && until && from < until
    ? `it is a series from ${from} to ${until}, and a row must be one session: export the sessions themselves, with one date each`
    : null;
}

/** The day of a cell with a date, or with a date and a time. */
const dayOf = (text: string): IsoDate | null => parseDay(text) ?? parseDateTime(text)?.date ?? null;

const missingColumn = (missing: readonly string[]): string =>
  `the file has no column ${missing.join(', ')}: choose which of its columns to use`;

/** How many values of a column a question shows, and how many characters of each. */
const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 40;

/** Returns the first few different values of a column. */
function examplesOf(rows: readonly RawRow[], at: number): string[] {
  const found = new Set<string>();
  for (const { cells } of rows) {
    const text = tidy((cells[at] ?? '').slice(0, LONGEST_EXAMPLE));
    if (text !== '') found.add(text);
    if (found.size === MOST_EXAMPLES) break;
  }
  return [...found];
}

/** What a spreadsheet shows, and saves, where a formula has no value. */
const FORMULA_ERROR =
  /^(?:#(?:N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|PYTHON!|EXTERNAL!|GETTING_DATA)|Err:5\d\d)$/;

function formulaError(cells: Readonly<Record<string, string>>): string | null {
  const [name, error] = Object.entries(cells).find(([, text]) => FORMULA_ERROR.test(text.trim())) ?? [];
  return name === undefined
    ? null
    : `${name} has the formula error ${error}: correct the formula, or write its value, in the file`;
}

/** A mark that means *as in the row above*: only a person can know how much of that row it repeats. */
const DITTO = /^(?:["“”„″〃]|''|,,|-"-|—"—|do\.|ditto|(?:same )?as above|see above)$/i;

const LONGEST_DITTO = 30;

function ditto(cells: Readonly<Record<string, string>>): string | null {
  const [name, mark] =
    Object.entries(cells).find(([, text]) => text.length < LONGEST_DITTO && DITTO.test(text.trim())) ?? [];
  return name === undefined || mark === undefined
    ? null
    : `${name} is ${quote(mark)}, which repeats the row above: write the value in every row`;
}

/** A formula whose value the file does not have. Read as empty, it could be a restriction that is forgotten. */
function uncalculated({ unknown = [] }: RawRow, columns: ReadonlyMap<string, number>): string | null {
  const [name] = [...columns].find(([, at]) => unknown.includes(at)) ?? [];
  return name === undefined
    ? null
    : `${name} is a formula whose value is not in the file: open the file in Excel, save it, and import it again`;
}

/** The columns with days, by our names for them. */
const DAY_COLUMN = /date|^cancelled at$|_(?:from|until)$/i;
/** A day as a number, as `parseDay` reads it. */
const DAY_NUMBER = /^[1-9]\d{4}(?:\.\d+)?$/;

/** A date without a format, in a workbook that counts from 1904, as the number that it would be in all others. */
const since1904 = (name: string, text: string): string =>
  DAY_COLUMN.test(name) && DAY_NUMBER.test(text) ? String(Number(text) + DAYS_TO_1904) : text;

/** Some programs write `="00123"`, so that a spreadsheet program leaves the text as it is. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

const withoutFormula = (text: string): string => TEXT_FORMULA.exec(text)?.[1]?.replaceAll('""', '"') ?? text;

function named(
  row: RawRow,
  kind: ImportKind,
  width: number,
  columns: ReadonlyMap<string, number>,
  { from1904, isExport }: { readonly from1904: boolean; readonly isExport: boolean },
): Omit<SourceRow, 'given'> {
  const mayBeEmpty = EMPTIABLE[kind];
  const textOf = (name: string, given: string): string => {
    const text = withoutFormula(given);
    // Restrictions that are still to be decided may be some: they are not read as none.
    const isOpen = name === 'restrictions' && meansUndecided(text);
    // In our own export, a contact without a name has an empty one: `Null` is a name.
    const isName = isExport && /^contact_\d_name$/.test(name);
    return mayBeEmpty.has(name) && meansNothing(text) && !isOpen && !isName
      ? ''
      : from1904
        ? since1904(name, text)
        : text;
  };
  const cells = Object.fromEntries([...columns].map(([name, at]) => [name, textOf(name, row.cells[at] ?? '')]));
  // A row may be too short because its last cells are empty. In a row with too many cells, a value has shifted.
  const filled = row.cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const fault =
    filled > width
      ? `it has ${filled} cells, the header has ${width}: a value that contains a separator must be in quotes`
      : filled === 0
        ? 'it is empty'
        : (uncalculated(row, columns) ?? formulaError(cells) ?? ditto(cells));
  const read = { line: row.line, cells: composed(cells, kind), original: row.original, fault };
  return row.hidden === true ? { ...read, hidden: true } : read;
}
