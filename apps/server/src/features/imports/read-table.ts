import { findColumns } from './columns.ts';
import { decodeText, isZip } from './decode.ts';
import {
  IMPORT_KINDS,
  UnreadableFile,
  type ImportFile,
  type ImportFiles,
  type ImportKind,
  type RawRow,
  type SourceRow,
  type SourceTable,
  type Tables,
} from './import-types.ts';
import { LIMITS } from './limits.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';

/** Reads the files; needs no database. Throws UnreadableFile for a file that is not such an export. */
export async function readTables(files: ImportFiles): Promise<Tables> {
  const tables: Partial<Record<ImportKind, SourceTable>> = {};
  for (const kind of IMPORT_KINDS) {
    const file = files[kind];
    if (file) tables[kind] = await readTable(file, kind);
  }
  return tables;
}

/**
 * Reads an export: CSV (commas, semicolons or tabs; see `decodeText`) or XLSX. Returns every row below the header;
 * malformed rows come with their fault. Throws UnreadableFile for a file that is not such an export, or exceeds
 * `LIMITS`.
 */
export async function readTable(file: ImportFile, kind: ImportKind): Promise<SourceTable> {
  if (file.bytes.length === 0) throw new UnreadableFile(`${file.name} is empty.`);
  const most = kind === 'appointments' ? LIMITS.rows : LIMITS.people;
  const rows = isZip(file.bytes)
    ? await readXlsx(file, kind, most)
    : readCsv(decodeText(file.bytes, file.name), file.name, kind, most);
  const [header, ...body] = rows;
  if (!header) throw new UnreadableFile(`${file.name} is empty.`);
  const columns = findColumns(header.cells, kind, file.name);
  return { file: file.name, rows: body.map((row) => named(row, header.cells.length, columns)) };
}

function named(row: RawRow, width: number, columns: ReadonlyMap<string, number>): SourceRow {
  const cells = Object.fromEntries([...columns].map(([name, at]) => [name, row.cells[at] ?? '']));
  // Cells missing at the end are empty; more cells than columns mean that something has shifted.
  const filled = row.cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const fault =
    filled > width
      ? `it has ${filled} cells, the header has ${width}: a separator inside a text must be in quotes`
      : filled === 0
        ? 'it is empty'
        : null;
  return { line: row.line, cells, original: row.original, fault };
}
