import { expect, test } from 'vitest';
import { safeNext } from './guard.ts';

test.each(['/profiles', '/calendar?date=2026-11-20', '/scheduler#x'])(
  '[ROUTE-02] %s is returned to after the login',
  (path) => {
    expect(safeNext(path)).toBe(path);
  },
);

test.each([
  '/',
  '/login',
  '/login.html?x=1',
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  undefined,
  7,
])('[ROUTE-02] %s is not', (path) => {
  expect(safeNext(path)).toBeNull();
});
