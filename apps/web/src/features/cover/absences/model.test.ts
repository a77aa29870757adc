import { expect, test } from 'vitest';
import {
  isStored,
  problemOf,
  reduceAbsences,
  roundTime,
  storedByPerson,
  toQueries,
  windowOf,
  type AbsenceEntry,
} from './model.ts';

const ana = { name: 'Ana Ruiz', type: 'therapist' } as const;
const entry = (over: Partial<AbsenceEntry> = {}): AbsenceEntry => ({
  ...ana,
  startTime: '00:00',
  endTime: '23:59',
  ...over,
});

test('[DATA-07] an absence entry holds a name, a type and two HH:MM times, and nothing else', () => {
  const [made] = reduceAbsences([], { do: 'toggle', person: ana });
  expect(Object.keys(made ?? {}).sort()).toEqual(['endTime', 'name', 'startTime', 'type']);
  expect(made?.startTime).toMatch(/^\d\d:\d\d$/);
  expect(made?.endTime).toMatch(/^\d\d:\d\d$/);
});

test('[ABS-02] a click marks a person absent from 00:00 to 23:59; a second click unmarks them', () => {
  const once = reduceAbsences([], { do: 'toggle', person: ana });
  expect(once).toEqual([entry()]);
  expect(reduceAbsences(once, { do: 'toggle', person: { name: 'ana  ruiz', type: 'therapist' } })).toEqual([]);
});

test('a therapist and a client with the same name count as two people', () => {
  const both = reduceAbsences([entry()], { do: 'toggle', person: { name: 'Ana Ruiz', type: 'client' } });
  expect(both).toHaveLength(2);
});

test('given a person with a recorded absence, a click on their name selects the recorded times', () => {
  const [taken] = reduceAbsences([], { do: 'toggle', person: ana, stored: { startTime: '13:00', endTime: '15:00' } });
  expect(taken).toEqual(entry({ startTime: '13:00', endTime: '15:00' }));
});

test.each([
  ['07:07', '07:00', '07:00'],
  ['07:08', '07:15', '07:15'],
  ['23:59', '23:45', '23:59'],
  ['23:53', '23:45', '23:59'],
  ['23:52', '23:45', '23:45'],
  ['', '', ''],
])('[ABS-02] %s is rounded to %s as a start and %s as an end', (typed, start, end) => {
  expect(roundTime(typed, 'start')).toBe(start);
  expect(roundTime(typed, 'end')).toBe(end);
});

test('[ABS-02] a typed time is rounded only when its field loses the focus', () => {
  const typed = reduceAbsences([entry()], { do: 'start', person: ana, time: '07:01' });
  expect(typed[0]?.startTime).toBe('07:01');
  expect(reduceAbsences(typed, { do: 'round', person: ana })[0]?.startTime).toBe('07:00');
});

test('[ABS-01] Remove takes one person off the list, and Clear takes everyone off', () => {
  const two = [entry(), entry({ name: 'Kai Wood' })];
  expect(reduceAbsences(two, { do: 'remove', person: ana }).map((e) => e.name)).toEqual(['Kai Wood']);
  expect(reduceAbsences(two, { do: 'clear' })).toEqual([]);
});

test('[ABS-09] an end that is not after the start is reported beside its field', () => {
  expect(problemOf(entry({ startTime: '09:00', endTime: '09:00' }))).toEqual({
    field: 'end',
    text: 'Must be after 9:00 AM',
  });
  expect(problemOf(entry({ startTime: '09:00', endTime: '08:00' }))?.field).toBe('end');
  expect(problemOf(entry({ startTime: '', endTime: '08:00' }))?.field).toBe('start');
  expect(problemOf(entry())).toBeNull();
  expect(windowOf(entry({ startTime: '09:00', endTime: '09:05' }))).toBeNull();
});

test('[ABS-05] each query names the therapist or client, has rounded times and replaces the stored absences', () => {
  const list = [entry({ startTime: '07:04', endTime: '10:00' }), entry({ name: 'Mo Diaz', type: 'client' })];
  const shared = { date: '2026-11-20', location: 'altamonte', replaces: true };
  expect(toQueries(list, '2026-11-20', 'altamonte')).toEqual([
    { type: 'therapist_cancel', begin: '07:00', end: '10:00', therapist: 'Ana Ruiz', ...shared },
    { type: 'client_cancel', begin: '00:00', end: '23:59', client: 'Mo Diaz', ...shared },
  ]);
});

test.each([
  ['the same window', [['08:00', '11:00']], true],
  ['a start beside the quarter hour', [['08:05', '11:00']], false],
  ['another end', [['08:00', '12:00']], false],
  [
    'one window more',
    [
      ['08:00', '11:00'],
      ['13:00', '14:00'],
    ],
    false,
  ],
  ['nothing', [], false],
] as const)('given %s on record, the entry counts as stored only if the times are the same', (_, windows, answer) => {
  const stored = windows.map(([startTime, endTime], i) => ({ id: String(i), ...ana, startTime, endTime }));
  const others = { id: 'other', name: 'Bo Lee', type: 'client' as const, startTime: '00:00', endTime: '23:59' };
  expect(isStored(entry({ startTime: '08:03', endTime: '11:00' }), [others, ...stored])).toBe(answer);
});

test('given several stored windows for one person, the panel shows one line', () => {
  const stored = (id: string, startTime: string) => ({ id, ...ana, startTime, endTime: '23:59' });
  expect(storedByPerson([stored('1', '08:00'), stored('2', '12:00')]).map((g) => g.windows.length)).toEqual([2]);
});
