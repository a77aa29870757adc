import { expect, test } from 'vitest';
import { lengthWords, rangeWords, weekdaysFrom, weekdayWords } from './words.ts';

test('given weekdays, then rows are said from first to last, and others one by one', () => {
  expect(weekdayWords([0, 1, 2, 3, 4, 5, 6])).toBe('');
  expect(weekdayWords([1, 2, 3, 4, 5])).toBe('Mon to Fri');
  expect(weekdayWords([0, 5, 6])).toBe('Fri to Sun');
  expect(weekdayWords([1, 3])).toBe('Mon and Wed');
  expect(weekdayWords([1, 3, 5])).toBe('Mon, Wed and Fri');
});

test('given a range, then its dates, its open end and its weekdays are said', () => {
  expect(rangeWords({ first_date: '2026-12-07', last_date: '2027-01-29', weekdays: [1, 2, 3, 4, 5] })).toBe(
    'Dec 7 to Jan 29, Mon to Fri',
  );
  expect(rangeWords({ first_date: '2026-12-07', last_date: null, weekdays: [1] })).toBe(
    'from Dec 7 until further notice, Mon',
  );
  expect([lengthWords('2026-12-07', '2026-12-11'), lengthWords('2026-12-07', '2027-01-29')]).toEqual([
    '5 days',
    '8 weeks',
  ]);
  expect(weekdaysFrom('2026-12-12')).toEqual([1, 2, 3, 4, 5, 6]);
});
