import { expect, test } from 'vitest';
import { placesFor } from './places.ts';

const labels = (...args: Parameters<typeof placesFor>): string[] => placesFor(...args).map(({ label }) => label);

test('[ROUTE-06] pages that concern every location are offered only to administrators with access to all of them', () => {
  expect(labels(undefined)).toEqual([
    'Hours & authorizations',
    'Reports',
    'Cancel a child’s week',
    'Find a time',
    'Close a location',
    'Plan a meeting',
    'Weekly series',
  ]);
  expect(labels({ role: 'scheduler', locations: null })).toEqual(labels(undefined));
  expect(labels({ role: 'admin', locations: ['tampa'] })).toEqual([...labels(undefined), 'Accounts', 'Who did what']);
  expect(labels({ role: 'admin', locations: null })).toEqual([
    ...labels(undefined),
    'Import',
    'Export',
    'Accounts',
    'Locations',
    'Reasons',
    'Other programs',
    'Who did what',
  ]);
});
