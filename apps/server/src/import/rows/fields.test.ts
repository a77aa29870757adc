import { expect, test } from 'vitest';
import {
  parseDateTime,
  parseDay,
  parseExportedStatus,
  parseGender,
  parseLine,
  parseName,
  parseSpecialization,
} from './fields.ts';

test.each([
  ['10/5/2026, 8:30 AM', '2026-10-05 510'],
  ['10/5/26 8:30 AM', '2026-10-05 510'],
  ['10/5/26, 20:30', '2026-10-05 1230'],
  ['2026-10-05T08:30:00', '2026-10-05 510'],
  ['2026-10-05 12:30:00', '2026-10-05 750'],
  ['10/5/2026 8:30:00 PM', '2026-10-05 1230'],
  ['2026/10/5 08:30', '2026-10-05 510'],
  ['Oct 5, 2026, 8:30 AM', '2026-10-05 510'],
  ['5-Oct-2026 20:30', '2026-10-05 1230'],
  ['46300.354166666664', '2026-10-05 510'],
  ['46300.3541666667', '2026-10-05 510'],
  ['46300', '2026-10-05 0'],
  ['46300.99999', '2026-10-05 1439'],
  ['46300.9999999999', '2026-10-06 0'],
])('the time %s is %s', (text, expected) => {
  const at = parseDateTime(text);
  expect(`${at?.date} ${at?.minutes}`).toBe(expected);
});

test.each([
  '10/5/126 8:30 AM',
  '2/30/26 8:30',
  '4630',
  '463001',
  '46300.',
  '-46300',
  '0x463',
  '26-10-05 8:30',
  '2026-10-05T08:30:00Z',
  '2026-10-05T08:30:00-05:00',
  'Oct 5, 2026 13:30 PM',
  '10/5/2026 13:30:00 PM',
  '10/5/2026, 13:30:00 AM',
  '2026-10-05 0:30:00 PM',
  '1e400',
])('%s is not a time', (text) => {
  expect(parseDateTime(text)).toBeNull();
});

test.each([
  ['10/5/26', '2026-10-05'],
  ['1/2/49', '2049-01-02'],
  ['1/2/50', '1950-01-02'],
  ['46300', '2026-10-05'],
  ['12/31/26 11:59 PM', '2026-12-31'],
  ['2026-12-31T23:59:59', '2026-12-31'],
  ['2026-12-31 23:59:59.999', '2026-12-31'],
  ['12/31/2026 0:00', '2026-12-31'],
  ['2026-12-31T00:00:00Z', '2026-12-31'],
  ['2026-12-31T00:00:00.000+00:00', '2026-12-31'],
  ['2026-12-31T05:00:00Z', null],
  ['46300.99998843', '2026-10-05'],
  ['12/31/26 11:58 PM', null],
  ['2026/11/26', '2026-11-26'],
  ['Nov 26, 2026', '2026-11-26'],
  ['NOVEMBER 6 2026', '2026-11-06'],
  ['Sept. 6, 2026', '2026-09-06'],
  ['26-Nov-2026', '2026-11-26'],
  ['6 May 26', '2026-05-06'],
  ['26-Nov-2026 00:00:00', '2026-11-26'],
  ['2026/13/26', null],
  ['2026/2/30', null],
  ['Nov 31, 2026', null],
  ['Nov 26, 26', null],
  ['Nob 26, 2026', null],
  ['26/11/2026', null],
  ['26.11.2026', null],
  ['26-11-2026', null],
  ['46300.5', null],
  ['2/30/26', null],
])('the day %s is %s', (text, expected) => {
  expect(parseDay(text)).toBe(expected);
});

test('statuses are known in the spellings of exports', () => {
  expect(['Complete', 'cancel', 'Cancellation', 'Delete'].map(parseExportedStatus)).toEqual([
    'fulfilled',
    'cancelled',
    'cancelled',
    'entered-in-error',
  ]);
  expect(['Canceled', 'CANCELED', 'Cancelled'].map(parseExportedStatus)).toEqual(Array(3).fill('cancelled'));
  expect(['No-Show', 'noshow', 'no_show', 'No  Show'].map(parseExportedStatus)).toEqual(Array(4).fill('noshow'));
  expect(['Canceled by Client', 'Cancelled - late notice'].map(parseExportedStatus)).toEqual(
    Array(2).fill('cancelled'),
  );
  expect(['show', 'Cancel?', 'Not cancelled'].map(parseExportedStatus)).toEqual([null, null, null]);
});

test('genders and credentials are known in the spellings of exports', () => {
  expect(['F', 'f', 'Female', 'M', 'male'].map(parseGender)).toEqual(['Female', 'Female', 'Female', 'Male', 'Male']);
  expect(['FM', 'X', 'Mo'].map(parseGender)).toEqual([null, null, null]);
  expect(
    ['RBT®', 'Registered Behavior Technician', 'BCBA-D', 'bcba™', 'Behavior Technician'].map(parseSpecialization),
  ).toEqual(['RBT', 'RBT', 'BCBA', 'BCBA', 'BT']);
  // An assistant behavior analyst is neither a BCBA nor an RBT.
  expect(['BCaBA', 'RBT or BT', 'Technician'].map(parseSpecialization)).toEqual([null, null, null]);
});

test('a name takes what a profile takes, and a line leaves out what cannot be read', () => {
  expect(['An\ue000a', 'An\u0378a', 'An\u0001a', ' '].map((text) => parseName(text))).toEqual(Array(4).fill(null));
  expect(['An\ufffca', ' José  陳 '].map((text) => parseName(text))).toEqual(['Ana', 'José 陳']);
  expect(parseLine('late\uf0b7call\u0001 back\u{e0fff}', 80)).toBe('late call back');
});
