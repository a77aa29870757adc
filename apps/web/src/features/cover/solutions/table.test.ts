import { TEXTS } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { proposal } from './sample-proposal.ts';
import { cellView, datesOf, emptyMessage, isCell, tableOf } from './table.ts';

const date = isoDate('2026-11-20');
const NO_FIGURES = { options: {}, client_figures: {} };
const table = () => tableOf(proposal().data, proposal().metadata, date);
const one = { branch_state: 'x' };

test('[SOL-03] rows are client and time slot, columns are options; an option without the slot has a dash', () => {
  const t = table();
  expect(t.blocks.map((b) => b.client)).toEqual(['Bo Lee', 'Mo Diaz', 'Zoe Fox']);
  const bo = t.blocks[0];
  expect(bo?.rows.map((r) => r.slot)).toEqual(['8:30 AM - 11:30 AM', '8:30 AM - 10:00 AM', '10:00 AM - 11:30 AM']);
  const shown = bo?.rows.map((r) => r.cells.map((c) => (isCell(c) ? c.therapist : `- ${c.dash}`)));
  expect(shown).toEqual([
    ['Kai Wood', '- parts', '- nothing'],
    ['- whole', 'Lin Park', '- nothing'],
    ['- whole', 'Unassigned', '- nothing'],
  ]);
  expect(bo?.rows.map((r) => r.part)).toEqual([false, true, true]);
  // An option that takes the whole stretch continues in the rows of its parts.
  const over = bo?.rows.map((r) => r.cells.map((c) => (isCell(c) ? 'cell' : c.over)));
  expect(over).toEqual([
    ['cell', null, null],
    ['cover', 'cell', null],
    ['cover', 'cell', null],
  ]);
});

test('[SOL-03] there are at least three option columns; the surplus ones are not real', () => {
  expect(table().columns.map((c) => [c.name, c.real])).toEqual([
    ['Option 1', true],
    ['Option 2', true],
    ['Option 3', false],
  ]);
});

test('[SOL-03] options come in numeric order', () => {
  const options = Object.fromEntries([10, 2, 1, 3].map((n) => [`Option ${n}`, {}]));
  const t = tableOf({ [date]: { 'Bo Lee': options } }, NO_FIGURES, date);
  expect(t.columns.map((c) => c.name)).toEqual(['Option 1', 'Option 2', 'Option 3', 'Option 10']);
});

test('[SOL-04] Cancel and Unassigned are recognized by therapist or status, Cancel first', () => {
  const kind = (therapist: string, status: string) => cellView('', { therapist, status, ...one }).kind;
  expect(kind('Ana Ruiz', 'Cancel')).toBe('cancel');
  expect(kind('Unassigned', 'Cancel')).toBe('cancel');
  expect(kind('Cancel', 'Scheduled')).toBe('cancel');
  expect(kind('Unassigned', 'Unassigned')).toBe('unassigned');
  expect(kind('Unassigned', 'Scheduled')).toBe('unassigned');
  expect(kind('Ana Ruiz', 'Cover')).toBe('cover');
  expect(kind('Ana Ruiz', 'Scheduled')).toBe('scheduled');
});

test('[SOL-03] a cell shows the status and how well the client knows the therapist, or how long there is no therapist', () => {
  const words = (status: string, more = {}) =>
    cellView('9:00 AM - 10:30 AM', { therapist: 'Ana Ruiz', status, ...one, ...more }).words;
  expect(words('Cover', { familiarity: 'team' })).toBe('Cover, on the team');
  expect(words('Swap', { familiarity: 'new' })).toBe('Swap, new face');
  expect(words('Scheduled')).toBe('Scheduled');
  expect(words('Unassigned')).toBe('No therapist, 1 h 30 min');
});

test('[SOL-06] missing data is reported in the words of the specification', () => {
  expect(emptyMessage({}, undefined)).toBe(TEXTS.noSolutions);
  expect(emptyMessage(null, '2026-11-20')).toBe(TEXTS.noSolutions);
  expect(emptyMessage({ 'no date': {} }, undefined)).toBe(TEXTS.noDate);
  expect(emptyMessage({ '2026-11-20': {} }, '2026-11-20')).toBe(TEXTS.noDataForDate);
  expect(emptyMessage(proposal().data, '2026-11-20')).toBeNull();
});

test('[SOL-08] dates are sorted, and other keys are left out', () => {
  expect(datesOf({ '2026-11-23': {}, 'no date': {}, '2026-11-20': {} })).toEqual(['2026-11-20', '2026-11-23']);
});

test('[SOL-03] each dash has its reason: the session is kept whole, split otherwise, or not there', () => {
  const cell = { therapist: 'Ana Ruiz', status: 'Cover', ...one };
  const options = {
    'Option 1': { '8:00 AM - 12:00 PM': cell },
    'Option 2': { '8:00 AM - 10:00 AM': cell, '10:00 AM - 12:00 PM': cell },
    'Option 3': { '8:00 AM - 9:00 AM': cell, '9:00 AM - 12:00 PM': cell },
    'Option 4': { '9:30 AM - 10:30 AM': { ...cell, subject: 'Supervision' } },
  };
  const rows = tableOf({ [date]: { 'Bo Lee': options } }, NO_FIGURES, date).blocks[0]?.rows ?? [];
  expect(rows.map((r) => [r.slot, ...r.cells.map((c) => (isCell(c) ? 'cell' : c.dash))])).toEqual([
    ['8:00 AM - 12:00 PM', 'cell', 'parts', 'parts', 'nothing'],
    ['8:00 AM - 10:00 AM', 'whole', 'cell', 'parts', 'nothing'],
    ['10:00 AM - 12:00 PM', 'whole', 'cell', 'whole', 'nothing'],
    ['8:00 AM - 9:00 AM', 'whole', 'whole', 'cell', 'nothing'],
    ['9:00 AM - 12:00 PM', 'whole', 'parts', 'cell', 'nothing'],
    ['9:30 AM - 10:30 AM', 'nothing', 'nothing', 'nothing', 'cell'],
  ]);
});

test('when no option keeps a session whole, each split of it starts a new group of rows', () => {
  const cell = { therapist: 'Kai Wood', status: 'Cover', ...one };
  const options = {
    'Option 1': { '12:00 PM - 1:00 PM': cell, '1:00 PM - 3:30 PM': cell },
    'Option 2': { '12:00 PM - 2:30 PM': cell, '2:30 PM - 3:30 PM': cell },
    'Option 3': { '12:00 PM - 2:30 PM': cell, '2:30 PM - 3:00 PM': cell },
  };
  const rows = tableOf({ [date]: { 'Bo Lee': options } }, NO_FIGURES, date).blocks[0]?.rows;
  expect(rows?.map((r) => [r.slot, r.cut])).toEqual([
    ['12:00 PM - 1:00 PM', false],
    ['1:00 PM - 3:30 PM', false],
    ['12:00 PM - 2:30 PM', true],
    ['2:30 PM - 3:30 PM', false],
    ['2:30 PM - 3:00 PM', true],
  ]);
});

test('the best figure of each kind is boxed, unless all are equal', () => {
  expect(table().columns.map((c) => c.best)).toEqual([
    { kept: true, changes: false, faces: true },
    { kept: false, changes: false, faces: false },
    { kept: false, changes: false, faces: false },
  ]);
});
