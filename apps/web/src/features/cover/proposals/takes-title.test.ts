import { expect, test } from 'vitest';
import { takesTitle } from './takes-title.ts';

test('a session is called impossible to cover only after a complete search', () => {
  expect(takesTitle({ possible: true, certain: true })).toBe('What it would take.');
  expect(takesTitle({ possible: true, certain: false })).toBe('What it would take.');
  expect(takesTitle({ possible: false, certain: true })).toBe('No one can take this.');
  expect(takesTitle({ possible: false, certain: false })).toBe('No solution found yet.');
});
