import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import {
  allChosen,
  chosenSessions,
  columns,
  keyOf,
  sessionTime,
  someChosen,
  summary,
  toggleDay,
  toggleSession,
  weekOf,
} from './model.ts';

const monday = isoDate('2026-11-16');
const day = (date: string, ...windows: [string, string][]) => ({
  date,
  slots: windows.map(([s]) => `${date}T${s}:00`),
  ends: windows.map(([, e]) => `${date}T${e}:00`),
});

test('[SLOT-01] a week has a column for each weekday, and for a weekend day only when it has bookings', () => {
  expect(columns(monday, [day('2026-11-16', ['08:30', '11:30'])]).map((d) => d.date)).toEqual([
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
  ]);
  expect(columns(monday, [day('2026-11-21', ['08:30', '11:30'])]).at(-1)?.date).toBe('2026-11-21');
});

test('[SLOT-01] Select All chooses a whole day, or clears the day when all of it was already chosen', () => {
  const [first] = columns(monday, [day('2026-11-16', ['08:30', '11:30'], ['12:30', '15:00'])]);
  if (!first?.sessions[0]) throw new Error('no day');
  const one = toggleSession(first.sessions[0], new Set());
  expect(someChosen(first, one)).toBe(true);
  expect(allChosen(first, one)).toBe(false);
  const all = toggleDay(first, one);
  expect(allChosen(first, all)).toBe(true);
  expect(toggleDay(first, all).size).toBe(0);
  expect(toggleSession(first.sessions[0], one).size).toBe(0);
});

test('[SLOT-02] given a reply with slots but without dates, each slot is shown on the day of its own date', () => {
  const days = columns(monday, [{ slots: ['2026-11-17T09:00:00', '2026-11-18T13:30:00'] }]);
  expect(days.map((d) => d.sessions.map(sessionTime))).toEqual([[], ['9:00 AM'], ['1:30 PM'], [], []]);
});

test('[SLOT-03] Confirm passes on exactly the chosen sessions, with their end times', () => {
  const days = columns(monday, [day('2026-11-16', ['08:30', '11:30']), day('2026-11-17', ['09:00', '10:00'])]);
  const second = days[1]?.sessions[0];
  if (!second) throw new Error('no session');
  expect(chosenSessions(days, new Set([keyOf(second)])).map(({ start, end }) => [start, end])).toEqual([
    ['2026-11-17T09:00:00', '2026-11-17T10:00:00'],
  ]);
});

test('two sessions that start at the same time and end at different times are chosen separately', () => {
  const [first] = columns(monday, [day('2026-11-16', ['09:00', '10:00'], ['09:00', '11:00'])]);
  if (!first?.sessions[0] || !first.sessions[1]) throw new Error('no day');
  expect(keyOf(first.sessions[0])).not.toBe(keyOf(first.sessions[1]));
});

test('the footer shows how many sessions, how much time and how many days are chosen', () => {
  const days = columns(monday, [
    day('2026-11-16', ['08:30', '12:00'], ['12:30', '15:00']),
    day('2026-11-17', ['08:30', '12:00']),
  ]);
  expect(summary(days.flatMap((d) => d.sessions))).toBe('3 sessions selected, 9 h 30 min on 2 days');
  expect(summary([])).toBe('No sessions selected');
});

test('[SLOT-01] a session that lasts until midnight counts with its length', () => {
  const late = { start: '2026-12-31T21:00:00', end: '2027-01-01T00:00:00' };
  expect(sessionTime(late)).toBe('9:00 PM - 12:00 AM');
  expect(summary([late])).toBe('1 session selected, 3 h on 1 day');
});

test('a date, with or without a time, opens the week that contains it, and any other text opens no week', () => {
  expect(weekOf('2026-11-20')).toBe(monday);
  expect(weekOf('2026-11-22')).toBe(monday);
  expect(weekOf('2026-11-20T09:00:00')).toBe(monday);
  expect(weekOf('2026-02-30')).toBeNull();
});
