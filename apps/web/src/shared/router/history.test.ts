import { expect, onTestFinished, test } from 'vitest';
import { learnServerNow } from '../server-clock.ts';
import { hrefOf, placeOf, settled } from './history.ts';

test('an address is read and written back unchanged', () => {
  const place = placeOf('/calendar?location=palm+beach&view=client');
  expect(place.search).toEqual({ location: 'palm beach', view: 'client' });
  expect(hrefOf(place.path, place.search)).toBe('/calendar?location=palm+beach&view=client');
});

test('given an address with a trailing slash, the page is the same as without the slash', () => {
  expect(placeOf('/calendar/?view=client')).toMatchObject({ path: '/calendar', href: '/calendar?view=client' });
  expect(placeOf('/').path).toBe('/');
});

test('search values that are missing or empty are left out of the address', () => {
  expect(hrefOf('/', { a: undefined, b: '' })).toBe('/');
});

test('today’s date at the location is left out of the address, and any other date stays', () => {
  onTestFinished(() => learnServerNow(Date.now()));
  learnServerNow(Date.parse('2026-11-21T04:59:00Z')); // 11:59 PM on November 20 at the clinics
  const on = (date: string): string => hrefOf('/calls', { date, location: 'tampa' });
  expect(on('2026-11-20')).toBe('/calls?location=tampa');
  expect(on('2026-11-21')).toBe('/calls?date=2026-11-21&location=tampa');
  learnServerNow(Date.parse('2026-11-21T05:01:00Z'));
  expect(on('2026-11-20')).toBe('/calls?date=2026-11-20&location=tampa');
  expect(on('2026-11-21')).toBe('/calls?location=tampa');
  // Without a location, no one can tell which day is today.
  expect(hrefOf('/calls', { date: '2026-11-21' })).toBe('/calls?date=2026-11-21');
});

test('redirects are followed one after another, but not forever', () => {
  const steps: Record<string, string> = { '/a': '/b?x=1', '/b': '/c' };
  expect(
    settled(placeOf('/a'), ({ path }) => {
      const to = steps[path];
      return to === undefined ? null : { to };
    }).href,
  ).toBe('/c');
  expect(settled(placeOf('/'), ({ path }) => ({ to: path === '/' ? '/x' : '/' })).path).toMatch(/^\/x?$/);
});

test('the page requested before a redirect is remembered outside the address, and forgotten once it is opened', () => {
  const login = settled(placeOf('/profiles?kind=clients'), ({ path, href }) =>
    path === '/login' ? null : { to: '/login', wanted: href },
  );
  expect(login).toMatchObject({ href: '/login', wanted: '/profiles?kind=clients' });
  expect(settled(login, ({ path, wanted }) => (path === '/login' ? { to: wanted ?? '/' } : null))).toMatchObject({
    href: '/profiles?kind=clients',
    wanted: null,
  });
});
