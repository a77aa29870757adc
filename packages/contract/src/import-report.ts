import { toCsv } from '@clinic/domain';
import { isTaken, type ImportFileSummary, type ImportRow } from './imports.ts';

/**
 * An import's results as a CSV table, one line for each row, with the row's original text last. `files`: the names of
 * imported files.
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
  return toCsv(all);
}
