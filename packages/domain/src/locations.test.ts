import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  clinicLocations,
  DEFAULT_LOCATIONS,
  defaultLocation,
  isLocation,
  locationLabel,
  locationOf,
  locationOn,
  locationToSend,
  locationValues,
  parseLocation,
  setLocations,
  successorOf,
  takeSentLocations,
  type ClinicLocation,
  type SentLocation,
} from './locations.ts';
import { isoDate } from './time.ts';

test('[CAL-04] there are five locations with labels, and Altamonte is the default', () => {
  expect(locationValues()).toEqual(['altamonte', 'deerfield', 'orlando', 'palm beach', 'tampa']);
  expect(locationValues().map(locationLabel)).toEqual(['Altamonte', 'Deerfield', 'Orlando', 'Palm Beach', 'Tampa']);
  expect(defaultLocation()).toBe('altamonte');
});

test('a location is recognized whatever its letter case and spacing; other names are not locations', () => {
  expect(parseLocation('  PALM   Beach ')).toBe('palm beach');
  for (const text of ['miami', '', 'palmbeach', 'toString', '__proto__']) {
    expect(parseLocation(text)).toBeNull();
    expect(isLocation(text)).toBe(false);
  }
});

const CLINICS: ClinicLocation[] = [
  { value: 'mesa', label: 'Mesa West', group: 'Arizona', zone: 'America/Phoenix', hours: [], closedFrom: null },
  {
    value: 'boulder',
    label: 'boulder',
    group: 'Colorado',
    zone: 'America/Denver',
    hours: [{ weekday: 1, start: 480, end: 1080 }],
    closedFrom: isoDate('2026-12-01'),
  },
];

describe('a clinic with locations of its own', () => {
  beforeEach(() => setLocations(CLINICS));
  afterEach(() => setLocations(DEFAULT_LOCATIONS));

  test('its locations are the only ones, by label whatever the letter case', () => {
    expect(locationValues()).toEqual(['boulder', 'mesa']);
    expect(isLocation('tampa')).toBe(false);
    expect(locationOf('mesa')).toMatchObject({ zone: 'America/Phoenix', group: 'Arizona' });
    expect(() => locationOf('tampa')).toThrow("no such location 'tampa'");
  });

  test('a location is found by its name and, once it was renamed, by its label', () => {
    expect(parseLocation('MESA')).toBe('mesa');
    expect(parseLocation('mesa  west')).toBe('mesa');
  });

  test('the default is one that is open', () => {
    expect(defaultLocation()).toBe('mesa');
  });

  test('a page that takes the list over the network has the same list', () => {
    const sent = JSON.parse(JSON.stringify(clinicLocations().map(locationToSend))) as SentLocation[];
    const before = clinicLocations();
    setLocations([]);
    takeSentLocations(sent);
    expect(clinicLocations()).toEqual(before);
  });

  test('after a merge, people are at the other location, and sessions from its date on', () => {
    const [mesa, boulder] = CLINICS;
    if (!mesa || !boulder) throw new Error('two locations are needed');
    setLocations([mesa, { ...boulder, mergedInto: 'mesa' }]);
    expect(successorOf('boulder')).toBe('mesa');
    expect(successorOf('mesa')).toBe('mesa');
    expect(locationOn('boulder', isoDate('2026-11-30'))).toBe('boulder');
    expect(locationOn('boulder', isoDate('2026-12-01'))).toBe('mesa');
    setLocations(CLINICS);
    expect(locationOn('boulder', isoDate('2026-12-01'))).toBeNull();
  });
});
