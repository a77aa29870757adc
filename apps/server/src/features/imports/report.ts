import { importReportCsv, isTaken, type ImportFileSummary, type ImportRow, type ImportSummary } from '@clinic/contract';
import type { Outcome } from './import-types.ts';
import type { ImportResult } from './imports.service.ts';
import type { ImportNotes } from './plan.ts';

/** An import in figures, and row by row: `--json`, and the reply of the call. */
export function summarise(result: ImportResult): ImportSummary {
  const files = result.files.map(({ kind, file, rows }): ImportFileSummary => {
    const outcomes = result.outcomes.filter((o) => o.kind === kind);
    const count = (outcome: Outcome): number => outcomes.filter((o) => o.outcome === outcome).length;
    const counts = { new: count('new'), changed: count('changed'), unchanged: count('unchanged') };
    const reasons: Record<string, number> = {};
    for (const o of outcomes) if (o.outcome === 'refused' && o.reason) reasons[o.reason] = (reasons[o.reason] ?? 0) + 1;
    return {
      ...{ kind, file, rows, taken: counts.new + counts.changed + counts.unchanged, ...counts },
      ...{ merged: count('merged'), kept: count('kept'), refused: count('refused'), reasons },
    };
  });
  return { dry_run: result.dryRun, files, notes: notesOf(result.notes), rows: rowsOf(result) };
}

/** So many of a file's rows are told of each outcome; refused ones all. */
const MOST_ROWS = 1000;

function rowsOf(result: ImportResult): ImportRow[] {
  const told = new Map<string, number>();
  return result.outcomes.map(rowOf).filter(({ kind, outcome }) => {
    const before = told.get(`${kind} ${outcome}`) ?? 0;
    if (outcome !== 'refused' && before >= MOST_ROWS) return false;
    told.set(`${kind} ${outcome}`, before + 1);
    return true;
  });
}

const rowOf = ({ kind, line, outcome, reason, text, original }: ImportResult['outcomes'][number]): ImportRow => ({
  ...{ kind, line, outcome, original },
  ...{ reason: reason ?? '', explanation: text ?? '' },
});

const notesOf = (n: ImportNotes): ImportSummary['notes'] => ({
  ...{ nobody: n.nobody, off_grid: n.offGrid, deleted: n.deleted },
  ...{ decided_by_time: n.decidedByTime, double_booked: n.doubleBooked },
});

const number = (n: number): string => n.toLocaleString('en-US');

/** The summary for people, line by line. */
export function summaryText(summary: ImportSummary): string {
  const lines = [summary.dry_run ? 'Dry run: nothing was written.' : 'Imported.'];
  for (const f of summary.files) {
    const parts = [
      f.new > 0 ? `${number(f.new)} new` : '',
      f.changed > 0 ? `${number(f.changed)} changed` : '',
      f.unchanged > 0 ? `${number(f.unchanged)} unchanged` : '',
      f.merged > 0 ? `${number(f.merged)} merged into others` : '',
      f.kept > 0 ? `${number(f.kept)} kept as changed here` : '',
      f.refused > 0 ? `${number(f.refused)} refused` : '',
    ].filter(Boolean);
    lines.push(`${f.file}: ${number(f.rows)} rows: ${parts.join(', ') || 'nothing to do'}.`);
    const reasons = Object.entries(f.reasons).sort(([, a], [, b]) => b - a);
    if (reasons.length > 0)
      lines.push(`  refused: ${reasons.map(([reason, n]) => `${number(n)} ${reason}`).join(', ')}.`);
  }
  const { nobody, double_booked, off_grid, deleted, decided_by_time } = summary.notes;
  const notes = [
    nobody > 0 ? `${number(nobody)} sessions that nobody has` : '',
    double_booked > 0 ? `${number(double_booked)} that double-book a therapist or a client (flagged)` : '',
    decided_by_time > 0 ? `${number(decided_by_time)} whose name fits two people, of whom one works then` : '',
    off_grid > 0 ? `${number(off_grid)} off the quarter hour` : '',
    deleted > 0 ? `${number(deleted)} deleted (kept, not shown)` : '',
  ].filter(Boolean);
  if (notes.length > 0) lines.push(`Taken, and worth a look: ${notes.join('; ')}.`);
  return lines.join('\n');
}

/** The report: every row that was refused, merged or kept, and those taken with something to look at. */
export const reportCsv = (result: ImportResult): string =>
  importReportCsv(
    result.outcomes.map(rowOf).filter(({ outcome, explanation }) => !isTaken(outcome) || explanation !== ''),
    result.files,
  );
