import { expect, test } from 'vitest';
import {
  effectInWords,
  isStored,
  problemOf,
  recordedInWords,
  reduceAbsences,
  roundTime,
  storedByPerson,
  toQueries,
  touchedBy,
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
const sessions = [
  { session: 'a', client: 'Bo Lee', therapist: 'Ana Ruiz', start: 510, end: 690, bookedWith: null },
  { session: 'b', client: 'Bo Lee', therapist: 'Ana Ruiz', start: 750, end: 900, bookedWith: null },
  { session: 'c', client: 'Mo Diaz', therapist: 'Kai Wood', start: 510, end: 690, bookedWith: null },
];

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

test('[ABS-02] a typed time is rounded only when its field is left', () => {
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

test('a lost minute counts once, even when both therapist and client are away', () => {
  const both = [
    entry({ endTime: '10:00' }),
    entry({ name: 'Bo Lee', type: 'client', startTime: '09:00', endTime: '11:00' }),
  ];
  expect(touchedBy(sessions, both)).toEqual({ sessions: 1, minutes: 150, families: 1 });
  expect(touchedBy(sessions, [entry()])).toEqual({ sessions: 2, minutes: 330, families: 1 });
  expect(touchedBy(sessions, [])).toEqual({ sessions: 0, minutes: 0, families: 0 });
});

test.each([
  [entry(), '2 sessions, 5 h 30 min, lose their therapist'],
  [entry({ endTime: '10:00' }), '1 session loses its first 1 h 30 min; the rest of the day stays'],
  [entry({ startTime: '14:00' }), '1 session loses its last 1 h; the rest of the day stays'],
  [entry({ startTime: '09:00', endTime: '10:00' }), '1 session loses its middle 1 h; the rest of the day stays'],
  [entry({ endTime: '12:00' }), '1 session, 3 h, loses its therapist; the rest of the day stays'],
  [entry({ endTime: '07:00' }), 'No sessions then'],
  [entry({ name: 'Mo Diaz', type: 'client' }), '1 session, 3 h, is cancelled'],
  [entry({ name: 'Nobody Known' }), 'No sessions on this day'],
])('the effect of %o is described as: %s', (each, words) => {
  expect(effectInWords(sessions, each)).toBe(words);
});

test('a recorded absence shows who covers its sessions, and how long no one does', () => {
  const piece = (session: string, client: string, therapist: string | null, start: number, end: number) => {
    return { session, client, therapist, start: start * 60, end: end * 60, bookedWith: 'Ana Ruiz' };
  };
  const kai = piece('d', 'Bo Lee', 'Kai Wood', 8, 10);
  const lin = piece('e', 'Mo Diaz', 'Lin Park', 13, 15);
  expect(recordedInWords([kai], entry({ endTime: '10:00' }))).toBe('1 session, covered by Kai Wood');
  expect(recordedInWords([kai, lin], entry())).toBe('2 sessions, covered by Kai Wood and Lin Park');
  expect(recordedInWords([kai, lin], entry({ endTime: '12:00' }))).toBe('1 session, covered by Kai Wood');
  expect(recordedInWords([kai, ...sessions], entry())).toBe('3 sessions, covered by Kai Wood, except 5 h 30 min');
  expect(recordedInWords([kai], entry({ name: 'Bo Lee', type: 'client' }))).toBe('1 session, 2 h, is cancelled');
  // The pieces of a session are one session, and a piece without a therapist counts too.
  const pieces = [kai, piece('d', 'Bo Lee', 'Lin Park', 10, 11), piece('d', 'Bo Lee', null, 11, 12), lin];
  expect(recordedInWords(pieces, entry())).toBe('2 sessions, covered by Kai Wood and Lin Park, except 1 h');
  expect(touchedBy(pieces, [entry()])).toEqual({ sessions: 2, minutes: 360, families: 2 });
  const open = [piece('d', 'Bo Lee', null, 8, 10), piece('d', 'Bo Lee', null, 10, 12)];
  expect(recordedInWords(open, entry())).toBe('1 session, 4 h, loses its therapist');
  expect(recordedInWords(open, entry({ endTime: '09:00' }))).toBe('1 session loses its first 1 h');
  expect(recordedInWords(open, entry({ startTime: '11:00' }))).toBe('1 session loses its last 1 h');
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
