import { expect, test } from 'vitest';
import { SLOTS, overlaps, slotStart } from '@clinic/domain';
import { barsOf, piecesOf, spanOf, statusShown, type Away } from './bars.ts';
import { readAppointment, type CalendarAppointment } from './appointments.ts';
import { wireAppointment } from './testing/sample-day.ts';

const NOBODY: Away = { therapist: [], client: [], back: [] };
const session = (over = {}): CalendarAppointment => {
  const read = readAppointment(wireAppointment(over), 'Admin');
  if (!read) throw new Error('not readable');
  return read;
};
const at = (hours: number, minutes: number): number => hours * 60 + minutes;

test.each([
  // A slot shows sessions that start from 8 minutes before to 7 minutes after its own start. A session that fits two
  // slots is shown in the earlier one.
  [at(8, 30), 6],
  [at(8, 37), 6],
  [at(8, 38), 7],
  [at(8, 52), 7],
  [at(8, 53), 8],
])('[CAL-13] a session starting at minute %i is drawn from column %i', (start, column) => {
  expect(spanOf({ start, end: at(11, 0) })?.from).toBe(column);
});

test('[CAL-13] a bar extends to the end of the last slot its session overlaps', () => {
  expect(spanOf({ start: at(9, 0), end: at(10, 0) })?.to).toBe(12);
  expect(spanOf({ start: at(9, 0), end: at(10, 1) })?.to).toBe(13);
});

test('[CAL-13] for any start and end, a bar covers every slot its session overlaps and no later slot', () => {
  for (let start = at(6, 40); start < at(19, 10); start += 7)
    for (let end = start + 1; end < at(19, 20); end += 13) {
      const span = spanOf({ start, end });
      const overlapped = Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) =>
        overlaps({ start, end }, { start: slotStart(slot), end: slotStart(slot + 1) }),
      );
      expect(span?.to ?? null).toBe(overlapped.length === 0 ? null : (overlapped.at(-1) ?? 0) + 1);
    }
});

test('[CAL-05] bars are cut off at the day’s start and end; a session outside the day has no bar', () => {
  expect(spanOf({ start: at(5, 0), end: at(8, 0) })).toEqual({ from: 0, to: 4 });
  expect(spanOf({ start: at(18, 0), end: at(21, 0) })).toEqual({ from: 44, to: 48 });
  expect(spanOf({ start: at(5, 0), end: at(7, 0) })).toBeNull();
  expect(spanOf({ start: at(19, 0), end: at(20, 0) })).toBeNull();
});

test('a short session that lies between two slot starts still has a bar', () => {
  expect(spanOf({ start: at(8, 41), end: at(8, 44) })).toEqual({ from: 6, to: 7 });
});

test('[CAL-07] a session is drawn as administrative, supervision or booked', () => {
  expect(piecesOf(session({ 'Client Name': 'Admin' }), NOBODY)[0]?.kind).toBe('admin');
  expect(piecesOf(session({ Subject: 'BCBA Supervision' }), NOBODY)[0]?.kind).toBe('supervision');
  expect(piecesOf(session({ Subject: 'Assessment' }), NOBODY)[0]?.kind).toBe('booked');
});

test('given an absence that covers part of a session, the session is split where the absence ends', () => {
  const pieces = piecesOf(session(), { ...NOBODY, therapist: [{ start: at(7, 0), end: at(10, 0) }] });
  expect(pieces).toEqual([
    { kind: 'open', window: { start: at(8, 30), end: at(10, 0) } },
    { kind: 'booked', window: { start: at(10, 0), end: at(11, 30) } },
  ]);
});

test('given that the client is away too, the session does not happen and needs no cover', () => {
  const all = [{ start: 0, end: 1440 }];
  expect(piecesOf(session(), { ...NOBODY, therapist: all, client: all }).map((p) => p.kind)).toEqual(['gone']);
});

test('given a selection that shortens a stored absence, the rest of the session gets its therapist back', () => {
  const stored = session({ needs_cover: true, uncovered: [{ start: '08:30', end: '11:30' }] });
  const pieces = piecesOf(stored, {
    client: [],
    back: [{ start: 0, end: 1440 }],
    therapist: [{ start: at(8, 0), end: at(9, 0) }],
  });
  expect(pieces.map((p) => [p.kind, p.window.end])).toEqual([
    ['open', at(9, 0)],
    ['booked', at(11, 30)],
  ]);
});

test('time without a therapist is shown as needing cover; every other status is shown as it is', () => {
  const withStatus = (status: string): CalendarAppointment => session({ Appointment_Status: status });
  for (const status of ['Confirmed', 'Scheduled']) expect(statusShown('open', withStatus(status))).toBe('Needs cover');
  expect(statusShown('booked', withStatus('Confirmed'))).toBe('Confirmed');
  expect(statusShown('open', withStatus('Completed'))).toBe('Completed');
});

test('administrative time never needs cover', () => {
  const pieces = piecesOf(session({ 'Client Name': 'Admin' }), { ...NOBODY, therapist: [{ start: 0, end: 1440 }] });
  expect(pieces.map((p) => p.kind)).toEqual(['admin']);
});

test('a bar’s accessible name starts with its visible text and includes its status and time', () => {
  const [bar] = barsOf([session({ Subject: 'Supervision' })], 'therapist', NOBODY, [], 'r:0', 0);
  expect(bar?.name).toBe('Bo Lee Supervision, 8:30 AM - 11:30 AM');
  const [open] = barsOf([session({ needs_cover: true })], 'client', NOBODY, [], 'r:0', 0);
  expect(open?.name).toBe('Needs a therapist, 8:30 AM - 11:30 AM');
  const [away] = barsOf([session({ needs_cover: true })], 'therapist', NOBODY, [], 'r:0', 0);
  expect(away?.name).toBe('Bo Lee needs cover, 8:30 AM - 11:30 AM');
});

test('a group is one bar that shows one client’s name and how many more clients there are', () => {
  const [bar] = barsOf([session(), session({ 'Client Name': 'Mo Diaz' })], 'therapist', NOBODY, [], 'r:0', 0);
  expect(bar).toMatchObject({ label: 'Bo Lee + 1', short: 'B. Lee + 1', initials: 'BL' });
});
