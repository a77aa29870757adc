import { expect, test } from 'vitest';
import { COLUMNS } from '../columns/columns.ts';
import { isFigure } from '../columns/shown-columns.ts';
import { withFormatsText } from './shown-text.ts';

test.each([
  ['"K-"0', 17, 'K-17'],
  ['"K-"0000', 17, 'K-0017'],
  [String.raw`\K\-0`, 17, 'K-17'],
  ['"K-"General', 17, 'K-17'],
  ['0" h"', 8, '8 h'],
  ['000"-"00', 12345, '123-45'],
  ['[Blue]"A"0;[Red]"B"0', -3, 'B3'],
  ['"H"0000', 2019, 'H2019'],
  ['"K-"@', '17', 'K-17'],
])('given the format %s, then %s is shown as %s', (format, value, shown) =>
  expect(withFormatsText(value, format)).toBe(shown),
);

test.each([
  ['0', 17],
  ['General', 17],
  ['#,##0', 1234],
  ['0.00', 17],
  ['"$"#,##0.00', 17],
  ['_-* #,##0.00\\ [$€-407]_-', 17],
  ['0.00E+00', 1_234_567_890_123],
  ['0%', 0.5],
  ['0"%"', 82],
  ['yyyy-mm-dd', 46_000],
  ['h:mm" Uhr"', 0.5],
  ['[h]" h"', 0.5],
  [';;;', 17],
  ['"broken', 17],
  [`"${'K'.repeat(2000)}"0`, 17],
  ['@', '17'],
  ['General', '17'],
  ['"K-"0', 'K-17'],
])('given the format %s, then the value %s counts', (format, value) =>
  expect(withFormatsText(value, format)).toBeNull(),
);

test('every column is read as text, but those with days, times and figures', () => {
  const figures = Object.values(COLUMNS).flatMap((columns) => columns.map(({ name }) => name).filter(isFigure));
  expect([...new Set(figures)].sort()).toEqual([
    'Cancelled At',
    'Date',
    'Duration',
    'EndDateTime',
    'Hours',
    'Minutes',
    'StartDateTime',
    'Time',
    'Units',
    'consistency',
    'credential_from',
    'credential_until',
    'day_hours',
    'end_date',
    'from_date',
    'guaranteed_hours',
    'hours',
    'hours_month',
    'hours_week',
    'prior_units',
    'prior_until',
    'start_date',
    'units',
    'units_month',
    'units_week',
    'until_date',
    'week_hours',
  ]);
});
