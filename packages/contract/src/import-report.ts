import { isTaken, type ImportFileSummary, type ImportRow } from './imports.ts';

/**
 * The results of an import's rows as CSV: UTF-8 with the byte order mark that spreadsheets need; each row ends with its
 * text as in the file. No spreadsheet reads a cell as a formula. `files`: the names of the imported files.
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

/** Rows as CSV: UTF-8 with the byte order mark that spreadsheets need; no cell is read as a formula. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

/** Quoted when necessary; text that a spreadsheet would read as a formula gets a leading apostrophe. */
function csvCell(text: string): string {
  const inert = /^\s*[=+\-@]/.test(text) || /^[\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
