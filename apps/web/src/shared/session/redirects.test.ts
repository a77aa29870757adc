import { expect, test } from 'vitest';
import { placeOf } from '../router/history.ts';
import { redirectFor, safeNext } from './redirects.ts';

test.each(['/profiles', '/calendar?date=2026-11-20', '/scheduler#x'])(
  '[ROUTE-02] given %s as the requested page, the login opens it',
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
])('[ROUTE-02] given %s as the requested page, the login does not open it', (path) => {
  expect(safeNext(path)).toBeNull();
});

const out = { signedIn: false, reason: 'none' } as const;
const inside = { signedIn: true, reason: 'none' } as const;

test.each([
  ['/calendar?view=client', '/calendar?view=client'],
  ['/no/such/page', '/no/such/page'],
  ['/', null],
])(
  '[ROUTE-02] given no login, %s redirects to /login without search values, and the requested page is remembered as %s',
  (href, wanted) => {
    expect(redirectFor(placeOf(href), out)).toEqual({ to: '/login', wanted });
  },
);

test('[ROUTE-02] after a logout, the login does not return to the last page', () => {
  expect(redirectFor(placeOf('/calendar'), { signedIn: false, reason: 'signed-out' })).toEqual({
    to: '/login',
    wanted: null,
  });
});

test.each([
  ['/login', null, '/calendar'],
  ['/login', '/profiles', '/profiles'],
  ['/login', '//evil.example', '/calendar'],
])('[ROUTE-02] given a user who is logged in, %s with the requested page %s redirects to %s', (href, wanted, to) => {
  expect(redirectFor(placeOf(href, wanted), inside)).toEqual({ to });
});

test('[ROUTE-02] [ROUTE-05] /login and unknown pages are not redirected, and /login.html redirects to /login', () => {
  expect(redirectFor(placeOf('/login'), out)).toBeNull();
  expect(redirectFor(placeOf('/no/such/page'), inside)).toBeNull();
  expect(redirectFor(placeOf('/ledgers?location=tampa'), inside)).toEqual({
    to: '/ledgers/hours?location=tampa',
    wanted: null,
  });
  expect(redirectFor(placeOf('/login.html'), out)).toEqual({ to: '/login', wanted: null });
  expect(redirectFor(placeOf('/login.html', '/profiles'), out)).toEqual({ to: '/login', wanted: '/profiles' });
});
