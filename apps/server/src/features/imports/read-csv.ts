import { parse } from 'csv-parse/sync';
import { knownColumns } from './columns.ts';
import { UnreadableFile, type ImportKind, type RawRow } from './import-types.ts';
import { beyond, LIMITS, Meter } from './limits.ts';

/**
 * The rows of a CSV text. The separator is the comma, semicolon or tab, whichever finds the most expected columns in
 * the header. Throws UnreadableFile.
 */
export function readCsv(text: string, name: string, kind: ImportKind, mostRows: number): RawRow[] {
  let best: RawRow[] = [];
  let score = -1;
  let failure: UnreadableFile | undefined;
  for (const delimiter of [',', ';', '\t']) {
    const known = knownColumns(headerOf(text, delimiter).slice(0, LIMITS.columns), kind);
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
  if (failure) throw failure;
  return best;
}

function headerOf(text: string, delimiter: string): string[] {
  try {
    const [header] = parse(text, { ...OPTIONS, delimiter, to: 1 });
    return header ?? [];
  } catch {
    return [];
  }
}

const OPTIONS = {
  bom: true,
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: LIMITS.row,
} as const;

/** A record with the details that the parser adds to it. */
interface Parsed {
  readonly record: string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

function parseCsv(text: string, delimiter: string, name: string, mostRows: number): RawRow[] {
  const meter = new Meter(name, mostRows);
  const rows: RawRow[] = [];
  const take = (parsed: unknown): null => {
    const { record, raw, info } = parsed as Parsed;
    const within = record.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    const line = info.lines - within;
    meter.take(record, line);
    rows.push({ line, cells: record, original: raw.trim() });
    return null; // the records are collected in `rows`, so the parser need not keep them
  };
  try {
    parse(text, { ...OPTIONS, delimiter, info: true, raw: true, on_record: take });
    return rows;
  } catch (error) {
    const { lines, code } = error as { lines?: number; code?: string };
    if (typeof code !== 'string') throw error;
    if (code === 'CSV_MAX_RECORD_SIZE') throw beyond.row(name, lines ?? 1);
    const where = lines === undefined ? '' : ` near line ${lines}`;
    throw new UnreadableFile(`${name} is not well-formed CSV${where}: ${CSV_FAULTS[code] ?? 'it cannot be read'}.`);
  }
}

const CSV_FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a value continues after its closing quotation mark',
  INVALID_OPENING_QUOTE: 'a value that is not in quotes contains a quotation mark',
};
