import { TEXTS } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { proposal } from './sample-proposal.ts';
import { cellView, datesOf, emptyMessage, parseSlot, rangeWords, tableOf } from './table.ts';

const date = isoDate('2026-11-20');
const table = () => tableOf(proposal().data, proposal().metadata.options[date] ?? {}, date);
const one = { branch_state: 'x' };

test('[SOL-03] rows are client and time slot, columns options; a slot an option does not have is a dash', () => {
  const t = table();
  expect(t.blocks.map((b) => b.client)).toEqual(['Bo Lee', 'Mo Diaz', 'Zoe Fox']);
  const bo = t.blocks[0];
  expect(bo?.rows.map((r) => r.slot)).toEqual(['8:30 AM - 11:30 AM', '8:30 AM - 10:00 AM', '10:00 AM - 11:30 AM']);
  expect(bo?.rows.map((r) => r.cells.map((c) => c?.therapist ?? '-'))).toEqual([
    ['Kai Wood', '-', '-'],
    ['-', 'Lin Park', '-'],
    ['-', 'Unassigned', '-'],
  ]);
});

test('[SOL-03] at least three option columns; those without an option are not real', () => {
  expect(table().columns.map((c) => [c.name, c.real])).toEqual([
    ['Option 1', true],
    ['Option 2', true],
    ['Option 3', false],
  ]);
});

test('[SOL-03] options come in counting order', () => {
  const options = Object.fromEntries([10, 2, 1, 3].map((n) => [`Option ${n}`, {}]));
  const t = tableOf({ [date]: { 'Bo Lee': options } }, {}, date);
  expect(t.columns.map((c) => c.name)).toEqual(['Option 1', 'Option 2', 'Option 3', 'Option 10']);
});

test('[SOL-04] Cancel and Unassigned are told by therapist or by status, Cancel first', () => {
  const kind = (therapist: string, status: string) => cellView('', { therapist, status, ...one }).kind;
  expect(kind('Ana Ruiz', 'Cancel')).toBe('cancel');
  expect(kind('Unassigned', 'Cancel')).toBe('cancel');
  expect(kind('Cancel', 'Scheduled')).toBe('cancel');
  expect(kind('Unassigned', 'Unassigned')).toBe('unassigned');
  expect(kind('Unassigned', 'Scheduled')).toBe('unassigned');
  expect(kind('Ana Ruiz', 'Cover')).toBe('cover');
  expect(kind('Ana Ruiz', 'Scheduled')).toBe('scheduled');
});

test('[SOL-03] a cell says status and how well the client knows the therapist; nobody says for how long', () => {
  const words = (status: string, more = {}) =>
    cellView('9:00 AM - 10:30 AM', { therapist: 'Ana Ruiz', status, ...one, ...more }).words;
  expect(words('Cover', { familiarity: 'team' })).toBe('Cover, on the team');
  expect(words('Swap', { familiarity: 'new' })).toBe('Swap, new face');
  expect(words('Scheduled')).toBe('Scheduled');
  expect(words('Unassigned')).toBe('Nobody, 90 min');
});

test('[SOL-06] says what is missing, in the words of the specification', () => {
  expect(emptyMessage({}, undefined)).toBe(TEXTS.noSolutions);
  expect(emptyMessage(null, '2026-11-20')).toBe(TEXTS.noSolutions);
  expect(emptyMessage({ 'no date': {} }, undefined)).toBe(TEXTS.noDate);
  expect(emptyMessage({ '2026-11-20': {} }, '2026-11-20')).toBe(TEXTS.noDataForDate);
  expect(emptyMessage(proposal().data, '2026-11-20')).toBeNull();
});

test('[SOL-08] dates are sorted and only dates', () => {
  expect(datesOf({ '2026-11-23': {}, 'no date': {}, '2026-11-20': {} })).toEqual(['2026-11-20', '2026-11-23']);
});

test('different cuts of one stretch stay together, the first option first; later stretches follow', () => {
  const cell = { therapist: 'Ana Ruiz', status: 'Cover', ...one };
  const t = tableOf(
    {
      [date]: {
        'Bo Lee': {
          'Option 1': { '12:30 PM - 2:30 PM': cell, '2:30 PM - 3:30 PM': cell, '8:00 AM - 9:00 AM': cell },
          'Option 2': { '12:30 PM - 3:30 PM': cell, '4:00 PM - 5:00 PM': cell },
        },
      },
    },
    {},
    date,
  );
  expect(t.blocks[0]?.rows.map((r) => r.slot)).toEqual([
    '8:00 AM - 9:00 AM',
    '12:30 PM - 2:30 PM',
    '2:30 PM - 3:30 PM',
    '12:30 PM - 3:30 PM',
    '4:00 PM - 5:00 PM',
  ]);
  expect(t.sessions).toBe(3);
  const booked = (from: string) => ({ ...cell, from });
  const halves = { '8:00 AM - 9:00 AM': booked('Bo Ray'), '9:00 AM - 11:00 AM': booked('Bo Ray') };
  const two = { '8:00 AM - 9:00 AM': booked('Bo Ray'), '9:00 AM - 11:00 AM': booked('Cy Orr') };
  const sessions = (slots: typeof two) => tableOf({ [date]: { 'Bo Lee': { 'Option 1': slots } } }, {}, date).sessions;
  expect(sessions(halves)).toBe(1);
  expect(sessions(two)).toBe(2);
});

test('the best figure of each kind is boxed, and none where all are the same', () => {
  expect(table().columns.map((c) => c.best)).toEqual([
    { kept: true, changes: false, faces: true },
    { kept: false, changes: false, faces: false },
    { kept: false, changes: false, faces: false },
  ]);
});

test('slots are read with a subject in brackets and up to midnight; other texts are not slots', () => {
  expect(parseSlot('8:30 AM - 11:30 AM')).toEqual({ start: 510, end: 690 });
  expect(parseSlot('8:30 AM - 11:30 AM (Direct Therapy (2))')).toEqual({ start: 510, end: 690 });
  expect(parseSlot('11:00 PM - 12:00 AM')).toEqual({ start: 1380, end: 1440 });
  expect(parseSlot('all day')).toBeNull();
});

test('a range says AM or PM once where both ends share it', () => {
  expect(rangeWords(750, 870)).toBe('12:30 to 2:30 PM');
  expect(rangeWords(690, 750)).toBe('11:30 AM to 12:30 PM');
});
