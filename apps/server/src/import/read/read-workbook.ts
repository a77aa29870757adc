import { read, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { listWords } from '@clinic/domain';
import { numberText } from './cell-text.ts';
import { HEADER_WITHIN, headerAt, knownColumns } from '../columns/columns.ts';
import { quote } from '../rows/fields.ts';
import { isText, isZip, locked } from './file-kinds.ts';
import { lineOf } from './line-of.ts';
import { unescapedHtml } from './html-text.ts';
import { UnreadableFile, type ImportFile, type ImportKind, type RawRow } from '../import-types.ts';
import { beyond, LIMITS, Meter } from './limits.ts';
import { withFormatsText } from './shown-text.ts';
import { partsOf, type Parts } from './workbook-parts.ts';

/** The rows of a workbook's sheet, and whether its dates count from 1904, also those without a format. */
interface WorkbookRows {
  readonly rows: RawRow[];
  readonly from1904: boolean;
}

/** Reads the rows of the sheet that contains the export, of an XLSX, XLSB, XLS or ODS workbook. Throws UnreadableFile. */
export function readWorkbook(file: ImportFile, kind: ImportKind, mostRows: number): WorkbookRows {
  const parts = isZip(file.bytes)
    ? partsOf(file)
    : { bytes: Buffer.from(file.bytes), uncalculated: false, hidden: [], hiddenRows: [] };
  const book = opened(parts, file.name);
  const from1904 = book.Workbook?.WBProps?.date1904 === true;
  const sheets = book.SheetNames.flatMap((name, at): Sheet[] => {
    const sheet = Object.hasOwn(book.Sheets, name) ? book.Sheets[name] : undefined;
    const hidden = parts.hidden.includes(at) || (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0;
    const facts = { from1904, uncalculated: parts.uncalculated, hidden, hiddenRows: parts.hiddenRows[at] ?? new Set() };
    return sheet ? [new Sheet(name, sheet, facts)] : [];
  });
  if (sheets.length === 0) throw damaged(file.name);
  const sheet = theSheet(sheets, kind, file.name);
  return { rows: sheet.rows(file.name, mostRows), from1904 };
}

const damaged = (name: string): UnreadableFile =>
  new UnreadableFile(
    `${name} is damaged or not a workbook that can be read here: none of its sheets can be opened. Open it in Excel, save it as .xlsx or CSV, and import that.`,
  );

/** The mark of a container, without which the library would read the bytes as a text. */
const OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

function opened({ bytes }: Parts, name: string): WorkBook {
  if (!isZip(bytes) && !bytes.subarray(0, OFFICE.length).equals(OFFICE)) throw damaged(name);
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellFormula: true,
      cellHTML: false,
      cellText: false,
      cellNF: true,
      cellStyles: true, // which tells hidden rows
      sheetStubs: true,
    });
  } catch (error) {
    throw error instanceof Error && /password/i.test(error.message) ? locked(name) : damaged(name);
  }
}

/**
 * A workbook can have other sheets, so this returns the sheet whose header fits best. A hidden sheet, which may be an old
 * copy, is read only if no visible one fits at all.
 */
function theSheet(sheets: readonly Sheet[], kind: ImportKind, file: string): Sheet {
  const fits = new Map(sheets.map((sheet) => [sheet, sheet.fit(kind)]));
  const fit = (sheet: Sheet): number => fits.get(sheet) ?? 0;
  const visible = sheets.filter((sheet) => !sheet.hidden && fit(sheet) > 0);
  const among = visible.length > 0 ? visible : sheets;
  const first = among.reduce((so, sheet) => (fit(sheet) > fit(so) ? sheet : so));
  const alike = among.filter((sheet) => fit(first) > 0 && fit(sheet) === fit(first) && sheet.hasRows);
  if (alike.length > 1)
    throw new UnreadableFile(
      `${file} has several sheets with the same columns: ${listWords(alike.map(({ name }) => quote(name)))}. Put all rows on one sheet, or import each sheet as a file of its own.`,
    );
  return alike[0] ?? first;
}

interface Facts {
  readonly from1904: boolean;
  readonly uncalculated: boolean;
  readonly hidden: boolean;
  /** The rows that are hidden, as far as the library does not know them. */
  readonly hiddenRows: ReadonlySet<number>;
}

/** A cell with something in it. */
interface Filled {
  readonly at: number;
  readonly text: string;
  /** What the sheet shows, if its format adds a text. */
  readonly shown: string | null;
  /** Whether it is a formula that was never calculated. */
  readonly unknown: boolean;
}

/** A row under way. */
interface Row {
  readonly cells: string[];
  readonly unknown: readonly number[];
  readonly shown: Map<number, string>;
}

class Sheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly #facts: Facts;
  readonly #merges: NonNullable<WorkSheet['!merges']>;
  /** The rows that have cells, in order, by their number in the sheet (from 0). */
  readonly #rows: readonly (readonly [at: number, cells: readonly (CellObject | undefined)[]])[];

  readonly #look: NonNullable<WorkSheet['!rows']>;

  constructor(name: string, sheet: WorkSheet, facts: Facts) {
    this.name = name;
    this.hidden = facts.hidden;
    this.#facts = facts;
    this.#look = sheet['!rows'] ?? [];
    this.#merges = sheet['!merges'] ?? [];
    const data = sheet['!data'] ?? [];
    this.#rows = Object.keys(data).flatMap((at) => {
      const cells = data[Number(at)];
      return cells?.some(isFilled) ? [[Number(at), cells] as const] : [];
    });
  }

  /** Whether there are rows below the header. */
  get hasRows(): boolean {
    return this.#rows.length > 1;
  }

  /** How many columns of this kind of export its header has. */
  fit(kind: ImportKind): number {
    const top = this.#rows
      .slice(0, HEADER_WITHIN)
      .map(([, cells]) => texts(this.#filled(cells.slice(0, LIMITS.columns))));
    return knownColumns(top[headerAt(top, kind)] ?? [], kind);
  }

  rows(file: string, mostRows: number): RawRow[] {
    const meter = new Meter(file, mostRows);
    const last = this.#rows.at(-1)?.[0] ?? 0;
    if (this.#rows.length > mostRows + HEADER_WITHIN) throw beyond.rows(file, mostRows);
    if (last > mostRows + HEADER_WITHIN) throw beyond.lastRow(file, last + 1, mostRows);
    const rows = new Map<number, Row>();
    for (const [at, cells] of this.#rows) {
      const filled = this.#filled(cells);
      const width = (filled.at(-1)?.at ?? -1) + 1;
      if (width > LIMITS.columns) throw beyond.columns(file, width, at + 1);
      const row = texts(filled);
      const shown = new Map(filled.flatMap((cell) => (cell.shown === null ? [] : [[cell.at, cell.shown] as const])));
      meter.take(shown.size === 0 ? row : row.map((text, i) => shown.get(i) ?? text), at + 1);
      const unknown = filled.flatMap((cell) => (cell.unknown ? [cell.at] : []));
      rows.set(at, { cells: row, unknown, shown });
    }
    fillMerged(rows, this.#merges, last);
    return [...rows].map(([at, { cells, unknown, shown }]): RawRow => {
      const original = lineOf(cells);
      if (!isText(original) || ![...shown.values()].every(isText))
        throw new UnreadableFile(`${file} is damaged: it contains characters that are not allowed in text.`);
      const hidden = this.#look[at]?.hidden === true || this.#facts.hiddenRows.has(at);
      const row = { line: at + 1, cells, original, ...(hidden && { hidden }), ...(shown.size > 0 && { shown }) };
      return unknown.length === 0 ? row : { ...row, unknown };
    });
  }

  #filled(cells: readonly (CellObject | undefined)[]): Filled[] {
    return Object.keys(cells).flatMap((key): Filled[] => {
      const cell = cells[Number(key)];
      if (!cell || !isFilled(cell)) return [];
      const unknown = cell.f !== undefined && (cell.t === 'z' || (this.#facts.uncalculated && cell.v === 0));
      if (unknown) return [{ at: Number(key), text: '', shown: null, unknown }];
      const text = cellText(cell, this.#facts.from1904);
      const shown = shownText(cell);
      return [{ at: Number(key), text, shown: shown === text ? null : shown, unknown }];
    });
  }
}

/** Whether a cell has more than a format. */
const isFilled = (cell: CellObject | undefined): boolean =>
  cell !== undefined && (cell.t === 'z' ? cell.f !== undefined : cell.v !== '');

/** The cells of a row, with empty ones between those that are filled. */
function texts(filled: readonly Filled[]): string[] {
  const row: string[] = Array<string>((filled.at(-1)?.at ?? -1) + 1).fill('');
  for (const { at, text } of filled) row[at] = text;
  return row;
}

/** What a sheet shows for the number of an error. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

/**
 * Returns a cell's value as text. Half a surrogate pair becomes U+FFFD, as it also would in a CSV file and on the way to
 * the database. Otherwise every import would count the row as changed.
 */
function cellText({ t, v, z }: CellObject, from1904: boolean): string {
  if (t === 'e') return ERRORS.get(Number(v)) ?? '#ERROR!';
  if (typeof v === 'number') return numberText(v, typeof z === 'string' ? z : '', from1904);
  if (typeof v === 'boolean') return v ? 'TRUE' : 'FALSE';
  return typeof v === 'string' ? textOf(v) : '';
}

function shownText({ t, v, z }: CellObject): string | null {
  if (t === 'e' || typeof z !== 'string' || (typeof v !== 'number' && typeof v !== 'string')) return null;
  const text = withFormatsText(typeof v === 'string' ? textOf(v) : v, z);
  return text === null ? null : text.replace(/\p{Surrogate}/gu, '\ufffd');
}

const textOf = (v: string): string => unescapedHtml(v).replace(/\p{Surrogate}/gu, '\ufffd');

/** Gives each row of a merged range its value, which the workbook stores only in the first: it holds for all of them. */
function fillMerged(rows: ReadonlyMap<number, Row>, merges: NonNullable<WorkSheet['!merges']>, lastRow: number): void {
  let left = LIMITS.cells;
  for (const { s, e } of merges) {
    const first = rows.get(s.r);
    const value = first?.cells[s.c] ?? '';
    const shown = first?.shown.get(s.c);
    if (value === '') continue;
    for (let at = s.r + 1; at <= Math.min(e.r, lastRow); at++) {
      if (--left < 0) return;
      const row = rows.get(at);
      if (!row) continue;
      while (row.cells.length < s.c) row.cells.push('');
      if (shown !== undefined && !row.cells[s.c]) row.shown.set(s.c, shown);
      row.cells[s.c] ||= value;
    }
  }
}
