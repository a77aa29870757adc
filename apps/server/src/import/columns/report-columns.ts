import { REPORT_COLUMNS, unguarded } from '@clinic/contract';
import { headerKey } from './columns.ts';
import { exportedColumns } from './exported.ts';
import type { ImportKind, RawRow } from '../import-types.ts';

const KEYS = REPORT_COLUMNS.map(headerKey);
const KIND = headerKey('import kind');

/** Reads a file that the product wrote, an export or a report of an import, with every text as it was; others as they are. */
export function readOwnFile(
  header: readonly string[],
  rows: readonly RawRow[],
  kind: ImportKind,
): { readonly header: readonly string[]; readonly rows: readonly RawRow[]; readonly isExport: boolean } {
  const isExport = header.join() === exportedColumns(kind).join();
  if (isExport) return { header, rows: rows.map((row) => ({ ...row, cells: row.cells.map(unguarded) })), isExport };
  return { ...(readReport(header, rows, kind) ?? { header, rows }), isExport };
}

/**
 * Reads a report of an import as the file that it is about: its rows of this kind, without the columns that say what became
 * of them. Returns null for any other file.
 */
function readReport(
  header: readonly string[],
  rows: readonly RawRow[],
  kind: ImportKind,
): { readonly header: readonly string[]; readonly rows: readonly RawRow[] } | null {
  const keys = header.map(headerKey);
  if (!KEYS.every((key) => keys.includes(key))) return null;
  const own = keys.flatMap((key, at) => (KEYS.includes(key) ? [] : [at]));
  const pick = (cells: readonly string[]): string[] => own.map((at) => unguarded(cells[at] ?? ''));
  const of = keys.indexOf(KIND);
  return {
    header: pick(header),
    rows: rows
      .filter(({ cells }) => (cells[of] ?? '').trim() === kind)
      .map((row) => ({
        ...row,
        cells: [...pick(row.cells), ...row.cells.slice(keys.length)],
        unknown: (row.unknown ?? []).map((at) => own.indexOf(at)),
        ...(row.shown && { shown: new Map([...row.shown].map(([at, text]) => [own.indexOf(at), text])) }),
      })),
  };
}
