import { isTaken, type ImportFileSummary, type ImportRow } from './imports.ts';

/**
 * An import's results as a CSV table, one line for each row, with the row's original text last. The file is UTF-8 with
 * the byte order mark that spreadsheets need, and no cell can become a formula. `files`: the names of imported files.
 */
export function importReportCsv(
  rows: readonly ImportRow[],
  files: readonly Pick<ImportFileSummary, 'kind' | 'file'>[],
): string {
  const nameOf = new Map(files.map(({ kind, file }) => [kind, file]));
  const lines = rows.map(({ kind, line, outcome, reason, explanation, original }) => {
    const result = isTaken(outcome) ? `imported (${outcome})` : outcome;
    return [result, nameOf.get(kind) ?? kind, String(line), reason, explanation, original];
  });
  const all = [['outcome', 'file', 'line', 'reason', 'explanation', 'original'], ...lines];
  return csvText(all);
}

/** Rows as a CSV file: UTF-8 with the byte order mark that spreadsheets need; no cell can become a formula. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

/** Quotes a cell where CSV needs it, and puts an apostrophe before text that a spreadsheet would read as a formula. */
function csvCell(text: string): string {
  const inert = /^\s*[=+\-@]/.test(text) || /^[\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
