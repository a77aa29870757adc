import { expect, test } from 'vitest';
import { DEFAULT_LOCATION, LOCATION_VALUES, isLocation, locationLabel, parseLocation } from './locations.ts';

test('[CAL-04] there are five locations with labels, and Altamonte is the default', () => {
  expect(LOCATION_VALUES).toEqual(['altamonte', 'deerfield', 'orlando', 'palm beach', 'tampa']);
  expect(LOCATION_VALUES.map(locationLabel)).toEqual(['Altamonte', 'Deerfield', 'Orlando', 'Palm Beach', 'Tampa']);
  expect(DEFAULT_LOCATION).toBe('altamonte');
});

test('a location is recognized whatever its letter case and spacing; other names are not locations', () => {
  expect(parseLocation('  PALM   Beach ')).toBe('palm beach');
  for (const text of ['miami', '', 'palmbeach', 'toString', '__proto__']) {
    expect(parseLocation(text)).toBeNull();
    expect(isLocation(text)).toBe(false);
  }
});
