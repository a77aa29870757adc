import { expect, test } from 'vitest';
import { hrefOf, placeOf, settled } from './history.ts';

test('an address is read and written again', () => {
  const place = placeOf('/calendar?location=palm+beach&view=client');
  expect(place.search).toEqual({ location: 'palm beach', view: 'client' });
  expect(hrefOf(place.path, place.search)).toBe('/calendar?location=palm+beach&view=client');
});

test('values that are left out or empty are not written', () => {
  expect(hrefOf('/', { a: undefined, b: '' })).toBe('/');
});

test('redirects follow one another, but not forever', () => {
  const steps: Record<string, string> = { '/a': '/b?x=1', '/b': '/c' };
  expect(settled(placeOf('/a'), ({ path }) => steps[path] ?? null).href).toBe('/c');
  expect(settled(placeOf('/'), ({ path }) => (path === '/' ? '/x' : '/')).path).toMatch(/^\/x?$/);
});
