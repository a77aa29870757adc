import { parse } from 'csv-parse/sync';
import { HEADER_WITHIN, headerAt, knownColumns } from '../columns/columns.ts';
import { UnreadableFile, type ImportKind, type RawRow } from '../import-types.ts';
import { unescapedHtml } from './html-text.ts';
import { beyond, LIMITS, Meter } from './limits.ts';

/**
 * Reads the rows of a CSV text. The separator is the comma, semicolon or tab, whichever finds the most expected columns
 * in the header. Throws UnreadableFile, also for a separator that no export of a spreadsheet has.
 */
export function readCsv(text: string, name: string, kind: ImportKind, mostRows: number): RawRow[] {
  let best: RawRow[] = [];
  let score = -1;
  let failure: UnreadableFile | undefined;
  for (const delimiter of [',', ';', '\t']) {
    const known = knownColumns(headerOf(text, delimiter, kind), kind);
    if (known <= score) continue;
    score = known;
    try {
      best = parseCsv(text, delimiter, name, mostRows);
      failure = undefined;
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      failure = error;
    }
  }
  if (knownColumns(headerOf(text, '|', kind), kind) > score)
    throw new UnreadableFile(
      `${name} has its columns separated by |. Open it in a spreadsheet, save it as CSV or XLSX, and choose that file.`,
    );
  if (failure) throw failure;
  return best;
}

function headerOf(text: string, delimiter: string, kind: ImportKind): readonly string[] {
  const top: string[][] = [];
  const take = (record: string[]): null => {
    top.push(record.slice(0, LIMITS.columns));
    return null;
  };
  try {
    parse(text, { ...OPTIONS, record_delimiter: lineEnds(text), delimiter, to: HEADER_WITHIN, on_record: take });
  } catch {
    // An error below the header does not matter here.
  }
  return top[headerAt(top, kind)] ?? [];
}

const OPTIONS = {
  bom: true,
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: LIMITS.row,
} as const;

/**
 * The line endings to look for. A file put together from two exports can have both kinds. Without this list, the parser
 * would recognize only the line ending after the header, and read all rows with the other ending as one row.
 */
const lineEnds = (text: string): string[] =>
  /[\r\n]\n?/.exec(text)?.[0] === '\r' ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'];

/** A record with the details that the parser adds to it. */
interface Parsed {
  readonly record: string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

function parseCsv(text: string, delimiter: string, name: string, mostRows: number): RawRow[] {
  const meter = new Meter(name, mostRows);
  const rows: RawRow[] = [];
  // The parser counts each \r\n inside a cell as two lines.
  let miscounted = 0;
  const take = (parsed: unknown): null => {
    const { record, raw, info } = parsed as Parsed;
    const line = info.lines - miscounted - count(record, /[\r\n]/g);
    miscounted += count(record, /\r\n/g);
    const cells = record.map(unescapedHtml);
    meter.take(cells, line);
    rows.push({ line, cells, original: raw.trim() });
    return null; // the records are collected in `rows`, so the parser need not keep them
  };
  try {
    parse(text, { ...OPTIONS, record_delimiter: lineEnds(text), delimiter, info: true, raw: true, on_record: take });
    return rows;
  } catch (error) {
    const { lines, code } = error as { lines?: number; code?: string };
    if (typeof code !== 'string') throw error;
    if (code === 'CSV_MAX_RECORD_SIZE') throw beyond.row(name, lines ?? 1);
    const where = lines === undefined ? '' : ` near line ${lines}`;
    throw new UnreadableFile(`${name} is not well-formed CSV${where}: ${CSV_FAULTS[code] ?? 'it cannot be read'}.`);
  }
}

const count = (cells: readonly string[], what: RegExp): number =>
  cells.reduce((sum, cell) => sum + (cell.match(what)?.length ?? 0), 0);

const CSV_FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a value continues after its closing quotation mark',
  INVALID_OPENING_QUOTE: 'a value that is not in quotes contains a quotation mark',
};
