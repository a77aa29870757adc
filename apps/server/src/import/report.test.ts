import { expect, test } from 'vitest';
import type { RowOutcome } from './import-types.ts';
import type { ImportResult } from './imports.service.ts';
import { summarize } from './report.ts';

const taken = (line: number, notes: RowOutcome['notes'] = []): RowOutcome => ({
  kind: 'appointments',
  line,
  outcome: 'new',
  reason: null,
  original: `row ${line}`,
  notes,
  text: notes.length > 0 ? 'look at it' : null,
});

const RESULT: Omit<ImportResult, 'outcomes'> = {
  dryRun: true,
  files: [{ kind: 'appointments', file: 'a.csv', rows: 2739, header: [], cells: new Map() }],
  columns: [],
  causes: { questions: [], choices: [] },
  statuses: { questions: [], choices: [] },
  locations: { questions: [], choices: [] },
  dates: { questions: [], choices: [] },
  questions: [],
  closed: new Map(),
  differences: [],
};

test('every row to review is listed, however many rows come before it', () => {
  const plain = Array.from({ length: 1500 }, (_, i) => taken(i + 2));
  const noted = Array.from({ length: 39 }, (_, i) => taken(i + 1600, ['double_booked']));
  const off = Array.from({ length: 1200 }, (_, i) => taken(i + 2000, ['off_grid', 'nobody']));
  const summary = summarize({ ...RESULT, outcomes: [...plain, ...noted, ...off] });
  expect(summary.notes).toEqual({
    double_booked: 39,
    off_grid: 1200,
    nobody: 1200,
    deleted: 0,
    decided_by_time: 0,
    off_series: 0,
    cancelled_at: 0,
  });
  for (const [note, count] of Object.entries(summary.notes))
    expect(summary.rows.filter((row) => row.notes?.some((each) => each === note))).toHaveLength(count ?? 0);
  // A row of a person may say what to review without a counted note.
  const people = Array.from({ length: 1100 }, (_, i) => ({ ...taken(i + 2), text: 'check the profile' }));
  expect(summarize({ ...RESULT, outcomes: people }).rows).toHaveLength(1100);
  // Of the rows with nothing to review, only the first thousand are shown.
  expect(summary.rows.filter((row) => !row.notes?.length)).toHaveLength(1000);
});
