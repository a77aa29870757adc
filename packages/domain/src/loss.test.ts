import { expect, test } from 'vitest';
import { isLateNotice } from './loss.ts';
import { isoDate } from './time.ts';

const at = (date: string, minutes: number) => ({ date: isoDate(date), minutes });
const FIRST = at('2026-11-20', 540);

test.each([
  ['24 hours before the first minute', at('2026-11-19', 540), false],
  ['a minute less than 24 hours before the first minute', at('2026-11-19', 541), true],
  ['a week before the first minute', at('2026-11-13', 1439), false],
  ['on the morning of the session', at('2026-11-20', 420), true],
  ['after the first minute', at('2026-11-21', 420), true],
])('given notice %s, isLateNotice returns %s', (_, known, late) => {
  expect(isLateNotice(known, FIRST)).toBe(late);
});

test('given a night when the clocks change, notice at the same time on the day before is not late', () => {
  expect(isLateNotice(at('2026-10-31', 540), at('2026-11-01', 540))).toBe(false);
});
