import { expect, test } from 'vitest';
import { placeOf } from '../shared/router/history.ts';
import { leadsTo, safeNext } from './guard.ts';

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

const out = { signedIn: false, reason: 'none' } as const;
const inside = { signedIn: true, reason: 'none' } as const;

test.each([
  ['/calendar?view=client', out, '/login?next=%2Fcalendar%3Fview%3Dclient'],
  ['/no/such/page', out, '/login?next=%2Fno%2Fsuch%2Fpage'],
  ['/', out, '/login'],
  ['/calendar', { signedIn: false, reason: 'signed-out' } as const, '/login'],
  ['/login', out, null],
  ['/login.html', out, '/login'],
  ['/login', inside, '/calendar'],
  ['/login?next=%2Fprofiles', inside, '/profiles'],
  ['/login?next=%2F%2Fevil.example', inside, '/calendar'],
  ['/no/such/page', inside, null],
])('[ROUTE-02] [ROUTE-05] %s, %o leads to %s', (href, session, wanted) => {
  expect(leadsTo(placeOf(href), session)).toBe(wanted);
});
