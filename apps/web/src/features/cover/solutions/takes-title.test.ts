import { expect, test } from 'vitest';
import { takesTitle } from './takes-title.ts';

test('nothing is called impossible that the time for finding out cut off', () => {
  expect(takesTitle({ possible: true, certain: true })).toBe('What it would take.');
  expect(takesTitle({ possible: true, certain: false })).toBe('What it would take.');
  expect(takesTitle({ possible: false, certain: true })).toBe('Nothing would do it.');
  expect(takesTitle({ possible: false, certain: false })).toBe('Not found in time.');
});
