import { TEXTS } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { proposal } from './testing/sample-proposal.ts';
import { cellView, datesOf, emptyMessage, piecesOf, tableOf } from './table.ts';

const date = isoDate('2026-11-20');
const NO_FIGURES = { options: {}, client_figures: {} };
const table = () => tableOf(proposal().data, proposal().metadata, date);
const one = { branch_state: 'x' };

test('the children of a group count one by one; an older server’s reply has a client for each row', () => {
  const { data, metadata } = proposal();
  expect(tableOf(data, { ...metadata, clients: { [date]: 4 } }, date).clients).toBe(4);
  expect(tableOf(data, NO_FIGURES, date).clients).toBe(3);
});

test('[SOL-03] a client’s session is a row, an option a column, and a split session’s pieces share a cell', () => {
  const t = table();
  expect(t.blocks.map((b) => b.client)).toEqual(['Bo Lee', 'Mo Diaz', 'Zoe Fox']);
  const bo = t.blocks[0];
  expect(bo?.rows.map((r) => r.slot)).toEqual(['8:30 AM - 11:30 AM']);
  expect(bo?.rows[0]?.cells.map((pieces) => pieces.map((p) => [p.slot, p.therapist]))).toEqual([
    [['8:30 AM - 11:30 AM', 'Kai Wood']],
    [
      ['8:30 AM - 10:00 AM', 'Lin Park'],
      ['10:00 AM - 11:30 AM', 'Unassigned'],
    ],
    [],
  ]);
});

test('a client’s pieces in an option are sorted by time, and none are found for an unknown option', () => {
  expect(piecesOf(table(), 'Bo Lee', 'Option 2').map((p) => [p.start, p.end])).toEqual([
    [510, 600],
    [600, 690],
  ]);
  expect(piecesOf(table(), 'Bo Lee', 'Option 9')).toEqual([]);
});

test('[SOL-03] there are at least three option columns; the extra columns are not real options', () => {
  expect(table().columns.map((c) => [c.name, c.real])).toEqual([
    ['Option 1', true],
    ['Option 2', true],
    ['Option 3', false],
  ]);
});

test('[SOL-03] when time ran out, the next column says so; while options are being found, there is room for all', () => {
  const of = (count: number) => ({
    [date]: { 'Bo Lee': Object.fromEntries(Array.from({ length: count }, (_, i) => [`Option ${i + 1}`, {}])) },
  });
  const width = (count: number, room: 'all' | 'next' | 'found') =>
    tableOf(of(count), NO_FIGURES, date, room).columns.length;
  expect([1, 2, 3, 4, 5, 6].map((count) => width(count, 'next'))).toEqual([3, 3, 4, 5, 5, 6]);
  expect([1, 3, 5].map((count) => width(count, 'found'))).toEqual([3, 3, 5]);
  expect([1, 3, 5].map((count) => width(count, 'all'))).toEqual([5, 5, 5]);
});

test('[SOL-03] options come in numeric order', () => {
  const options = Object.fromEntries([10, 2, 1, 3].map((n) => [`Option ${n}`, {}]));
  const t = tableOf({ [date]: { 'Bo Lee': options } }, NO_FIGURES, date);
  expect(t.columns.map((c) => c.name)).toEqual(['Option 1', 'Option 2', 'Option 3', 'Option 10']);
});

test('[SOL-04] Cancel and Unassigned are recognized in the therapist and in the status field, and Cancel takes precedence', () => {
  const kind = (therapist: string, status: string) => cellView('', { therapist, status, ...one }).kind;
  expect(kind('Ana Ruiz', 'Cancel')).toBe('cancel');
  expect(kind('Unassigned', 'Cancel')).toBe('cancel');
  expect(kind('Cancel', 'Scheduled')).toBe('cancel');
  expect(kind('Unassigned', 'Unassigned')).toBe('unassigned');
  expect(kind('Unassigned', 'Scheduled')).toBe('unassigned');
  expect(kind('Ana Ruiz', 'Cover')).toBe('cover');
  expect(kind('Ana Ruiz', 'Scheduled')).toBe('scheduled');
});

test('[SOL-03] a cell shows the status and how well the client knows the therapist; without a therapist, it shows the piece’s length', () => {
  const words = (status: string, more = {}) =>
    cellView('9:00 AM - 10:30 AM', { therapist: 'Ana Ruiz', status, ...one, ...more }).words;
  expect(words('Cover', { familiarity: 'team' })).toBe('Cover, team');
  expect(words('Swap', { familiarity: 'new' })).toBe('Swap, new face');
  expect(words('Scheduled')).toBe('Scheduled');
  expect(words('Unassigned', { therapist: 'Unassigned' })).toBe('1 h 30 min');
  expect(words('Cover', { familiarity: 'new', note: 'has not met Bo Lee' })).toBe('Cover, has not met Bo Lee');
  expect(words('Unassigned', { therapist: 'Unassigned', note: 'starts 15 min late' })).toBe('starts 15 min late');
});

test('[SOL-06] missing data is reported in the words of the specification', () => {
  expect(emptyMessage({}, undefined)).toBe(TEXTS.noOptions);
  expect(emptyMessage(null, '2026-11-20')).toBe(TEXTS.noOptions);
  expect(emptyMessage({ 'no date': {} }, undefined)).toBe(TEXTS.noDate);
  expect(emptyMessage({ '2026-11-20': {} }, '2026-11-20')).toBe(TEXTS.noDataForDate);
  expect(emptyMessage(proposal().data, '2026-11-20')).toBeNull();
});

test('[SOL-08] dates are sorted, and keys that are not dates are left out', () => {
  expect(datesOf({ '2026-11-23': {}, 'no date': {}, '2026-11-20': {} })).toEqual(['2026-11-20', '2026-11-23']);
});

test('given a client with two therapists at the same time, each row names the booked therapist; other rows do not', () => {
  const seat = (session: string, from: string | null) => ({
    ...one,
    therapist: 'Kai Wood',
    status: 'Cover',
    session,
    from,
  });
  const cells = {
    '9:00 AM - 11:00 AM': seat('s1', 'Ana Ruiz'),
    '9:00 AM - 11:00 AM (Direct Therapy)': seat('s2', null),
    '1:00 PM - 2:00 PM': seat('s3', 'Ana Ruiz'),
  };
  const t = tableOf({ [date]: { 'Bo Lee': { 'Option 1': cells } } }, NO_FIGURES, date);
  expect(t.blocks[0]?.rows.map((row) => row.whose)).toEqual(['with Ana Ruiz', 'with no therapist', null]);
  const supervised = {
    '9:00 AM - 11:00 AM': { ...seat('s1', null), subject: 'Direct Therapy' },
    '10:00 AM - 11:00 AM': { ...seat('s2', 'Lin Park'), subject: 'Supervision' },
  };
  const beside = tableOf({ [date]: { 'Bo Lee': { 'Option 1': supervised } } }, NO_FIGURES, date);
  expect(beside.blocks[0]?.rows.map((row) => row.whose)).toEqual([
    'Direct Therapy, with no therapist',
    'Supervision, with Lin Park',
  ]);
});
