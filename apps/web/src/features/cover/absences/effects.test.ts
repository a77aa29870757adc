import { expect, test } from 'vitest';
import { effectInWords, recordedInWords, touchedBy } from './effects.ts';
import type { AbsenceEntry } from './model.ts';

const entry = (over: Partial<AbsenceEntry> = {}): AbsenceEntry => ({
  name: 'Ana Ruiz',
  type: 'therapist',
  startTime: '00:00',
  endTime: '23:59',
  ...over,
});
const sessions = [
  { session: 'a', client: 'Bo Lee', therapist: 'Ana Ruiz', start: 510, end: 690, bookedWith: null },
  { session: 'b', client: 'Bo Lee', therapist: 'Ana Ruiz', start: 750, end: 900, bookedWith: null },
  { session: 'c', client: 'Mo Diaz', therapist: 'Kai Wood', start: 510, end: 690, bookedWith: null },
];

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
  [entry(), '2 sessions, 5 h 30 min, need cover'],
  [entry({ endTime: '10:00' }), '1 session loses its first 1 h 30 min; the rest of the day stays'],
  [entry({ startTime: '14:00' }), '1 session loses its last 1 h; the rest of the day stays'],
  [entry({ startTime: '09:00', endTime: '10:00' }), '1 session loses its middle 1 h; the rest of the day stays'],
  [entry({ endTime: '12:00' }), '1 session, 3 h, needs cover; the rest of the day stays'],
  [entry({ endTime: '07:00' }), 'No sessions then'],
  [entry({ name: 'Mo Diaz', type: 'client' }), '1 session, 3 h, is cancelled'],
  [entry({ name: 'Nobody Known' }), 'No sessions on this day'],
])('the effect of %o is described as: %s', (each, words) => {
  expect(effectInWords(sessions, each)).toBe(words);
});

test('a recorded absence shows who covers its sessions, and how much time no one covers', () => {
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
  expect(recordedInWords(open, entry())).toBe('1 session, 4 h, needs cover');
  expect(recordedInWords(open, entry({ endTime: '09:00' }))).toBe('1 session loses its first 1 h');
  expect(recordedInWords(open, entry({ startTime: '11:00' }))).toBe('1 session loses its last 1 h');
});
