import { hasManyAccents, MOST_ACCENTS } from '@clinic/domain';
import { UnreadableFile } from '../import-types.ts';

/**
 * The limits on what a file contains. They are checked before anything is built from the file, so that a small file
 * cannot unpack into a huge one. `docs/operations.md` lists them.
 */
export const LIMITS = {
  /** Rows of an appointment export, without the header. */
  rows: 200_000,
  /** Rows of any other export, without the header. */
  people: 20_000,
  columns: 200,
  /** Rows multiplied by columns. */
  cells: 4_000_000,
  /** Characters in one cell, the same as in spreadsheet programs. */
  cell: 32_767,
  /** Characters in one row. */
  row: 300_000,
  /** Characters in all cells together. */
  text: 60_000_000,
  /** Accents on one letter. */
  accents: MOST_ACCENTS,
  /** Appointments on one date, because a date is written in one transaction. */
  rowsOnADate: 5000,
  /** The total size of a workbook's parts when unpacked, in megabytes. */
  unpackedMb: 150,
  /**
   * Bytes between two elements of a workbook's XML, with the first one's attributes: as many as the longest cell may take,
   * with each character written in full.
   */
  xmlText: 327_670,
  /** Parts in a workbook. */
  parts: 500,
} as const;

const number = (n: number): string => n.toLocaleString('en-US');
const TOO_LONG = 'Shorten it, or look for a quotation mark that is never closed.';

/**
 * The refusals for files that exceed a limit. Each says which limit is exceeded, where in the file, and what to do
 * about it.
 */
export const beyond = {
  rows: (file: string, most: number): UnreadableFile =>
    new UnreadableFile(`${file} has more than ${number(most)} rows. Split it, or export fewer weeks at once.`),
  lastRow: (file: string, row: number, most: number): UnreadableFile =>
    new UnreadableFile(
      `${file} reaches row ${number(row)}; a file may have at most ${number(most)} rows. Delete everything below the table, or split the file.`,
    ),
  columns: (file: string, found: number, line: number): UnreadableFile =>
    new UnreadableFile(
      `${file} has ${number(found)} columns in row ${number(line)}; a file may have at most ${number(LIMITS.columns)}. Delete everything beside the table.`,
    ),
  cells: (file: string): UnreadableFile =>
    new UnreadableFile(
      `${file} has more than ${number(LIMITS.cells)} cells, including empty ones. Delete everything beside and below the table, or split the file.`,
    ),
  cell: (file: string, line: number): UnreadableFile =>
    new UnreadableFile(
      `${file} has a cell of more than ${number(LIMITS.cell)} characters near line ${number(line)}. ${TOO_LONG}`,
    ),
  xml: (file: string): UnreadableFile =>
    new UnreadableFile(
      `${file} contains a text that is much longer than a cell may be. Delete or shorten it, or save the file as CSV.`,
    ),
  row: (file: string, line: number): UnreadableFile =>
    new UnreadableFile(
      `${file} has a row of more than ${number(LIMITS.row)} characters near line ${number(line)}. ${TOO_LONG}`,
    ),
  text: (file: string): UnreadableFile =>
    new UnreadableFile(`${file} has more than ${number(LIMITS.text)} characters. Split it.`),
  accents: (file: string, line: number): UnreadableFile =>
    new UnreadableFile(
      `${file} has more than ${LIMITS.accents} accents on one letter near line ${number(line)}. Remove them.`,
    ),
  date: (file: string, date: string, found: number): UnreadableFile =>
    new UnreadableFile(
      `${file} has ${number(found)} appointments on ${date}; a file may have at most ${number(LIMITS.rowsOnADate)} on one date. Split it.`,
    ),
  workbook: (file: string): UnreadableFile =>
    new UnreadableFile(
      `${file} is damaged or not a workbook that can be read here, or it unpacks to more than ${LIMITS.unpackedMb} MB. Save it again as XLSX or CSV, or split it.`,
    ),
};

/** Counts the rows, cells and characters read from a file, and refuses the file as soon as a limit is exceeded. */
export class Meter {
  readonly #file: string;
  readonly #rows: number;
  #read = 0;
  #cells = 0;
  #text = 0;

  /** @param rows the maximum number of rows, without the header */
  constructor(file: string, rows: number) {
    this.#file = file;
    this.#rows = rows;
  }

  /** Counts the next row, beginning with the header. */
  take(cells: readonly string[], line: number): void {
    if (++this.#read > this.#rows + 1) throw beyond.rows(this.#file, this.#rows);
    if (cells.length > LIMITS.columns) throw beyond.columns(this.#file, cells.length, line);
    if ((this.#cells += cells.length) > LIMITS.cells) throw beyond.cells(this.#file);
    let length = 0;
    for (const cell of cells) {
      if (cell.length > LIMITS.cell) throw beyond.cell(this.#file, line);
      if (hasManyAccents(cell)) throw beyond.accents(this.#file, line);
      length += cell.length;
    }
    if (length > LIMITS.row) throw beyond.row(this.#file, line);
    if ((this.#text += length) > LIMITS.text) throw beyond.text(this.#file);
  }
}
