import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { weekKey, windowsToStore } from './availability.ts';

const entry = (day: number, start: string, end: string, id?: string | null) => ({
  day_of_week: day,
  start_time: start,
  end_time: end,
  ...(id === undefined ? {} : { id }),
});
const stored = [{ id: 'w1', day_of_week: 1, start_minute: 540, end_minute: 1020, from_date: null, until_date: null }];

test('the first entry with a stored window’s id keeps that id; any other entry is a new window', () => {
  const windows = windowsToStore(
    [
      entry(1, '09:00', '12:00', 'w1'),
      entry(1, '13:00', '17:00', 'w1'),
      entry(2, '09:00', '17:00', 'other'),
      entry(3, '00:00', '24:00', null),
    ],
    stored,
  );
  expect(windows.map((window) => window.id)).toEqual(['w1', null, null, null]);
  expect(windows[3]).toMatchObject({ start_minute: 0, end_minute: 1440 });
});

test('overlapping windows on one day are refused, naming both; touching windows and windows on different days are allowed', () => {
  expect(() => windowsToStore([entry(1, '09:00', '12:00'), entry(1, '11:45', '17:00')], [])).toThrow(
    'availability.1: Monday 11:45 AM - 5:00 PM overlaps Monday 9:00 AM - 12:00 PM.',
  );
  expect(
    windowsToStore([entry(1, '09:00', '12:00'), entry(1, '12:00', '17:00'), entry(2, '11:00', '13:00')], []),
  ).toHaveLength(3);
});

test('two weeks with the same windows in a different order are equal', () => {
  const [a, b] = windowsToStore([entry(1, '09:00', '12:00'), entry(2, '09:00', '12:00')], []);
  if (!a || !b) throw new Error('two windows were sent');
  expect(weekKey([a, b])).toBe(weekKey([b, a]));
  expect(weekKey([a])).not.toBe(weekKey([{ ...a, end_minute: 1 }]));
});

test('given two windows with the same hours but different dates, they are allowed, and their weeks are not equal', () => {
  const term = (from: string | null, until: string | null) => ({
    ...entry(1, '09:00', '12:00'),
    from_date: from === null ? null : isoDate(from),
    until_date: until === null ? null : isoDate(until),
  });
  const [spring, summer] = windowsToStore([term(null, '2026-06-30'), term('2026-07-01', null)], []);
  if (!spring || !summer) throw new Error('two windows were sent');
  expect(weekKey([spring])).not.toBe(weekKey([summer]));
  expect(() => windowsToStore([term(null, '2026-07-01'), term('2026-07-01', null)], [])).toThrow('overlaps Monday');
});
