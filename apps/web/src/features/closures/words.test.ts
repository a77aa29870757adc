import { expect, test } from 'vitest';
import { whenWords } from './words.ts';

test.each([
  ['2026-11-26', '00:00', '2026-11-26', '24:00', 'Thu, Nov 26'],
  ['2026-12-24', '12:00', '2026-12-24', '24:00', 'Thu, Dec 24, from 12:00 PM'],
  ['2026-12-24', '00:00', '2026-12-24', '12:00', 'Thu, Dec 24, until 12:00 PM'],
  ['2026-12-24', '10:00', '2026-12-24', '12:00', 'Thu, Dec 24, 10:00 AM to 12:00 PM'],
  ['2026-11-25', '00:00', '2026-11-27', '12:00', 'Wed, Nov 25 to Fri, Nov 27, 12:00 PM'],
])('given %s %s to %s %s, then it is said as “%s”', (from_date, from_time, to_date, to_time, words) => {
  expect(whenWords({ from_date, from_time, to_date, to_time })).toBe(words);
});
