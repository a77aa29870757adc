import { expect, test } from 'vitest';
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
