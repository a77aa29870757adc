import { importSummarySchema, type ImportSummary } from '@clinic/contract';
import { expect, test } from 'vitest';
import {
  countsOf,
  firstFilter,
  notesInWords,
  problemOfFile,
  rowsFor,
  sizeInWords,
  toRemember,
  toWrite,
} from './model.ts';

const file = { kind: 'clients', file: 'clients.csv', rows: 5, taken: 3, new: 1, changed: 1, unchanged: 1 } as const;
const row = { kind: 'clients', line: 2, outcome: 'new', reason: '', explanation: '', original: 'C-1,Bo' } as const;
const summary: ImportSummary = {
  dry_run: true,
  files: [{ ...file, merged: 1, kept: 0, refused: 1, reasons: { 'bad value': 1 } }],
  notes: { nobody: 1, off_grid: 0, deleted: 2, decided_by_time: 0, double_booked: 0, off_series: 0, cancelled_at: 0 },
  columns: [],
  causes: { questions: [], choices: [] },
  statuses: { questions: [], choices: [] },
  locations: { questions: [], choices: [] },
  dates: { questions: [], choices: [] },
  tables: [],
  questions: [],
  rows: [
    row,
    { ...row, line: 3, outcome: 'changed', explanation: 'it has no therapist' },
    { ...row, line: 4, outcome: 'merged', reason: 'same as another' },
    { ...row, line: 5, outcome: 'refused', reason: 'bad value', explanation: 'no such location' },
  ],
};

test('each filter shows the number of rows with its result, and shows those rows when chosen', () => {
  expect(importSummarySchema.safeParse(summary).success).toBe(true);
  const lines = (filter: Parameters<typeof rowsFor>[1]) => rowsFor(summary.rows, filter).map((each) => each.line);
  expect([lines('refused'), lines('merged'), lines('kept')]).toEqual([[5], [4], []]);
  expect([lines('taken'), lines('look')]).toEqual([[2, 3], [3]]);
  expect(countsOf(summary)).toEqual({ refused: 1, look: 1, merged: 1, kept: 0, taken: 3 });
  expect(toWrite(summary)).toBe(2);
});

test('only new answers are still to be remembered, and none while a file lacks a column', () => {
  const answer = { key: 'k', kind: 'status' as const, text: 'Template', rows: 3, answer: '-', remembered: false };
  const statuses = { questions: [answer, { ...answer, remembered: true }, { ...answer, answer: null }], choices: [] };
  expect([toRemember(summary), toRemember({ ...summary, statuses })]).toEqual([0, 1]);
  const lacking = {
    kind: 'appointments' as const,
    file: 'week.csv',
    ours: [],
    missing: ['Id'],
    unsaid: [],
    questions: [],
  };
  expect(toRemember({ ...summary, statuses, columns: [lacking] })).toBe(0);
});

test('the first filter shows the rows that need the most attention, or the imported rows if none do', () => {
  expect(firstFilter(summary)).toBe('refused');
  const clean = { ...summary, files: [{ ...file, merged: 0, kept: 0, refused: 0, reasons: {} }], rows: [row] };
  expect(firstFilter(clean)).toBe('taken');
});

test('each note to review is shown in words, with its count', () => {
  expect(notesInWords(summary)).toEqual([
    { note: 'nobody', words: '1 session without a therapist' },
    { note: 'deleted', words: '2 deleted (kept, not shown)' },
  ]);
  const closed = Array.from({ length: 8 }, (_, i) => {
    return { place: 'Tampa', date: `2026-12-0${i + 1}`, name: 'Storm', sessions: 2 };
  });
  expect(notesInWords({ ...summary, notes: { ...summary.notes, closed: 16 }, closed })[2]?.words).toMatch(
    /^16 sessions while their location is closed \(Tampa on Tue, Dec 1 \(Storm\): 2; .*; 2 more dates\)$/,
  );
});

test.each([
  [{ size: 10 }, null],
  [{ size: 20 * 1024 * 1024 }, null],
  [{ size: 0 }, 'The file is empty'],
  [{ size: 20 * 1024 * 1024 + 1 }, 'the limit is 20 MB'],
])('given the file %o, its problem is: %s', (given, problem) => {
  if (problem === null) expect(problemOfFile(given)).toBeNull();
  else expect(problemOfFile(given)).toContain(problem);
});

test('file sizes are written in bytes, kB or MB', () => {
  expect([12, 2048, 3.5 * 1024 * 1024].map(sizeInWords)).toEqual(['12 bytes', '2 kB', '3.5 MB']);
});

test('given a note, only the rows with that note are shown', () => {
  const row = { kind: 'appointments', line: 2, outcome: 'new', reason: '', explanation: 'look', original: '' } as const;
  const rows = [
    { ...row, notes: ['nobody' as const, 'off_grid' as const] },
    { ...row, line: 3, notes: ['deleted' as const] },
    { ...row, line: 4, explanation: '' },
  ];
  expect(rowsFor(rows, 'look').map((each) => each.line)).toEqual([2, 3]);
  expect(rowsFor(rows, 'look', 'off_grid').map((each) => each.line)).toEqual([2]);
  expect(rowsFor(rows, 'look', 'double_booked')).toEqual([]);
});
