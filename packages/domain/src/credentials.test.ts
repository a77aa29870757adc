import { expect, test } from 'vitest';
import { credentialOn, type DatedCredential } from './credentials.ts';
import { isoDate } from './time.ts';

const until = (credential: DatedCredential['credential'], until_date: string): DatedCredential => ({
  credential,
  from_date: '2025-01-01',
  until_date,
});
const on = (of: DatedCredential['credential'], records: DatedCredential[], date = '2026-11-20') =>
  credentialOn(of, records, isoDate(date));

test('a therapist without recorded credentials has the credential given in the profile', () => {
  for (const each of ['BCBA', 'RBT', 'BT'] as const) expect(on(each, [])).toBe(each);
});

test.each([
  ['2024-12-31', 'BT', 'before it was issued'],
  ['2025-01-01', 'RBT', 'on its first day'],
  ['2026-11-20', 'RBT', 'on its last day'],
  ['2026-11-21', 'BT', 'once it has expired'],
])('on %s, an RBT certified until November 20 counts as %s: %s', (date, credential) => {
  expect(on('RBT', [until('RBT', '2026-11-20')], date)).toBe(credential);
});

test('an expired BCBA counts as an RBT only with a valid RBT record; a BCBA who renewed stays a BCBA', () => {
  const expired = until('BCBA', '2026-01-31');
  expect(on('BCBA', [expired])).toBe('BT');
  expect(on('BCBA', [expired, until('RBT', '2026-12-31')])).toBe('RBT');
  expect(on('BCBA', [expired, { ...expired, from_date: '2026-02-01', until_date: null }])).toBe('BCBA');
  // A record of another credential does not affect the credential in the profile.
  expect(on('RBT', [until('BT', '2025-12-31')])).toBe('RBT');
});
