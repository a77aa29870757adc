import { parse } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import { findColumns, knownColumns } from './columns.ts';
import { decodeText, isText, isZip } from './decode.ts';
import { UnreadableFile, type ImportFile, type ImportKind, type SourceRow, type SourceTable } from './import-types.ts';
import { unpacksWithin } from './zip-size.ts';

/** A row before its columns are known. */
interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly original: string;
}

/**
 * Reads an export: CSV (commas, semicolons or tabs; see `decodeText`) or XLSX. Every row below the header is answered,
 * those of a wrong shape with their fault. Throws UnreadableFile for a file that is no such export.
 */
export async function readTable(file: ImportFile, kind: ImportKind): Promise<SourceTable> {
  if (file.bytes.length === 0) throw new UnreadableFile(`${file.name} is empty.`);
  const rows = isZip(file.bytes)
    ? await readXlsx(file, kind)
    : readCsv(decodeText(file.bytes, file.name), file.name, kind);
  const [header, ...body] = rows;
  if (!header) throw new UnreadableFile(`${file.name} is empty.`);
  const columns = findColumns(header.cells, kind, file.name);
  return { file: file.name, rows: body.map((row) => named(row, header.cells.length, columns)) };
}

function named(row: RawRow, width: number, columns: ReadonlyMap<string, number>): SourceRow {
  const cells = Object.fromEntries([...columns].map(([name, at]) => [name, row.cells[at] ?? '']));
  // Cells left out at the end are empty ones; more cells than columns means that something shifted.
  const filled = row.cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const fault =
    filled > width
      ? `it has ${filled} cells, the header has ${width}: a separator inside a text must be in quotes`
      : filled === 0
        ? 'it is empty'
        : null;
  return { line: row.line, cells, original: row.original, fault };
}

function readCsv(text: string, name: string, kind: ImportKind): RawRow[] {
  let best: RawRow[] = [];
  let score = -1;
  let failure: UnreadableFile | undefined;
  for (const delimiter of [',', ';', '\t']) {
    const header = headerOf(text, delimiter);
    const known = knownColumns(header, kind);
    if (known <= score) continue;
    score = known;
    try {
      best = parseCsv(text, delimiter, name);
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

const OPTIONS = { bom: true, relax_column_count: true, skip_empty_lines: true } as const;

function parseCsv(text: string, delimiter: string, name: string): RawRow[] {
  try {
    const found = parse(text, { ...OPTIONS, delimiter, info: true, raw: true }) as unknown as {
      record: string[];
      raw: string;
      info: { lines: number };
    }[];
    return found.map(({ record, raw, info }) => {
      const within = record.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
      return { line: info.lines - within, cells: record, original: raw.trim() };
    });
  } catch (error) {
    const { lines, code } = error as { lines?: number; code?: string };
    if (typeof code !== 'string') throw error;
    const where = lines === undefined ? '' : ` near line ${lines}`;
    throw new UnreadableFile(`${name} is not well-formed CSV${where}: ${CSV_FAULTS[code] ?? 'it cannot be read'}.`);
  }
}

const CSV_FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a text goes on after its closing quotation mark',
  INVALID_OPENING_QUOTE: 'a quotation mark stands inside a text that is not in quotes',
};

async function readXlsx(file: ImportFile, kind: ImportKind): Promise<RawRow[]> {
  if (!(await unpacksWithin(file.bytes)))
    throw new UnreadableFile(`${file.name} is damaged or no XLSX workbook, or it unpacks to more than 200 MB.`);
  let sheets: { data: readonly (readonly unknown[])[] }[];
  try {
    sheets = await readXlsxFile(Buffer.from(file.bytes), { trim: false });
  } catch {
    throw new UnreadableFile(`${file.name} is damaged or no XLSX workbook: it cannot be opened.`);
  }
  const tables = sheets.map(({ data }) =>
    data.map((cells, i): RawRow => {
      const texts = cells.map(cellText);
      return { line: i + 1, cells: texts, original: texts.map(quoted).join(',') };
    }),
  );
  // The export may lie beside other sheets: the one whose header fits best, the first of those.
  const fit = (rows: RawRow[]): number => knownColumns(rows[0]?.cells ?? [], kind);
  const best = tables.reduce<RawRow[]>((so, rows) => (so.length === 0 || fit(rows) > fit(so) ? rows : so), []);
  if (!best.every((row) => isText(row.original)))
    throw new UnreadableFile(`${file.name} is damaged: it holds characters that no text has.`);
  return best;
}

/**
 * A date cell is the wall time that the sheet shows; its library hands it out as if it were UTC. Half of a surrogate pair
 * becomes U+FFFD, as it does in a CSV file and would on the way to the database: else the row would differ each time.
 */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    const minute = new Date(Math.round(value.getTime() / 60_000) * 60_000); // day fractions are not exact
    return Number.isNaN(minute.getTime()) ? '' : minute.toISOString().slice(0, 16).replace('T', ' ');
  }
  return typeof value === 'string'
    ? value.replace(/\p{Surrogate}/gu, '\ufffd')
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
