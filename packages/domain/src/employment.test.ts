import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEmployed, notEmployed } from './employment.ts';
import { addDays, daysBetween, isoDate } from './time.ts';

test('a therapist works on their first and last day but not on the days before and after, even around leap days', () => {
  const ana = { first: isoDate('2028-02-29'), last: isoDate('2032-02-29') };
  const worked = ['2028-02-28', '2028-02-29', '2030-02-28', '2032-02-29', '2032-03-01'].map((date) =>
    isEmployed(ana, isoDate(date)),
  );
  expect(worked).toEqual([false, true, true, true, false]);
  expect(notEmployed('Ana Ruiz', ana, isoDate('2028-02-28'))).toBe('Ana Ruiz starts on Tuesday, February 29, 2028.');
  expect(notEmployed('Ana Ruiz', ana, isoDate('2032-03-01'))).toBe('Ana Ruiz’s last day is Sunday, February 29, 2032.');
  expect(notEmployed('Ana Ruiz', { ...ana, last: null }, isoDate('2099-01-01'))).toBeNull();
});

test('given any first day and length of employment, the therapist works exactly that many days in a row', () => {
  const day = fc.integer({ min: 0, max: 60_000 }).map((n) => addDays(isoDate('1990-01-01'), n));
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 800 }), fc.integer({ min: -40, max: 840 }), (first, more, offset) => {
      const employment = { first, last: addDays(first, more) };
      const date = addDays(first, offset);
      expect(isEmployed(employment, date)).toBe(offset >= 0 && offset <= more);
      expect(isEmployed({ first, last: null }, date)).toBe(daysBetween(first, date) >= 0);
      expect(notEmployed('A', employment, date) === null).toBe(isEmployed(employment, date));
    }),
  );
});
