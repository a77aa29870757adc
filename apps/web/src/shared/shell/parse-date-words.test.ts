import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { parseDateWords } from './parse-date-words.ts';

const friday = isoDate('2026-11-20');

test.each([
  ['today', '2026-11-20'],
  ['tomorrow', '2026-11-21'],
  ['yes', '2026-11-19'],
  ['mon', '2026-11-23'],
  ['friday', '2026-11-27'],
  ['11/23', '2026-11-23'],
  ['1/5', '2027-01-05'],
  ['nov 23', '2026-11-23'],
  ['23 november', '2026-11-23'],
  ['12/31/2025', '2025-12-31'],
  ['2026-02-28', '2026-02-28'],
])('given Friday, November 20, 2026 as today, %s means %s', (typed, date) => {
  expect(parseDateWords(typed, friday)).toBe(date);
});

test.each(['t', 'to', 'ye', '2/30', 'maria', '2026-02-30', ''])('“%s” is not read as a date', (typed) => {
  expect(parseDateWords(typed, friday)).toBeNull();
});
