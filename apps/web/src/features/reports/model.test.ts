import { amount } from '../../shared/amount.ts';
import { coveredBy, MOST_REPORT_DAYS } from '@clinic/contract';
import { addDays, isoDate, longDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { barsOf, figuresOf, rangeFault, rangeOf, rangesFor, readReportSearch, searchOf, utilization } from './model.ts';

const group = (more: object) => ({
  key: '',
  label: '',
  sessions: 1,
  booked: 0,
  kept: 0,
  billable: 0,
  lost: 0,
  open: 0,
  covered: 0,
  made_up: 0,
  late: 0,
  ...more,
});

test('bar lengths are shares of the longest bar, and a group without hours has an empty bar', () => {
  expect(barsOf([group({ kept: 60, lost: 40 }), group({ kept: 25, open: 25 })])).toEqual([
    { kept: 0.6, lost: 0.4, open: 0 },
    { kept: 0.25, lost: 0, open: 0.25 },
  ]);
  expect(barsOf([group({})])).toEqual([{ kept: 0, lost: 0, open: 0 }]);
});

test('amounts and shares are shown in words, and as – when there is nothing to show', () => {
  expect([amount(0), amount(90)]).toEqual(['–', '1 h 30 min']);
  expect(utilization({ worked: 60, available: 120 })).toBe('50%');
  expect(utilization({ worked: 60 })).toBe('–');
  expect(utilization({ worked: 0, available: 0 })).toBe('–');
  expect(figuresOf('side')).toEqual(['lost', 'late']);
  const load = { therapist: 'Ana Ruiz', minutes: 0 };
  expect([0, 1, 12].map((others) => coveredBy({ ...load, others }))).toEqual([
    'Ana Ruiz',
    'Ana Ruiz and 1 other',
    'Ana Ruiz and 12 others',
  ]);
  expect(coveredBy(null)).toBe('');
});

test('no offered range is longer than a report may cover', () => {
  for (const range of rangesFor(isoDate('2026-11-30'))) expect(rangeFault(range)).toBeNull();
});

test('given dates that no report can cover, then the page says so in words, and to the day as the server decides', () => {
  const from = '2026-11-10';
  expect(rangeFault({ from, to: from })).toBeNull();
  expect(rangeFault({ from, to: '2026-11-09' })).toEqual({
    title: 'The end is before the start.',
    text: 'Choose an end date on or after Tuesday, November 10, 2026.',
  });
  const last = addDays(isoDate(from), MOST_REPORT_DAYS - 1);
  expect(rangeFault({ from, to: last })).toBeNull();
  expect(rangeFault({ from, to: addDays(last, 1) })).toEqual({
    title: 'A report covers at most 93 days, and these are 94.',
    text: `Choose an end date up to ${longDate(last)}.`,
  });
});

test('a report’s location, dates and grouping are in the address, apart from this week', () => {
  const today = isoDate('2026-11-26');
  const week = { from: '2026-11-23', to: '2026-11-29' };
  const december = { from: '2026-12-01', to: '2026-12-31' };
  for (const range of [{ location: 'tampa', ...december } as const, december, week]) {
    const search = searchOf(range, 'client', today);
    expect(readReportSearch(search).by).toBe('client');
    expect(rangeOf(readReportSearch(search), 'tampa', today)).toEqual(range);
  }
  const left = searchOf({ location: 'tampa', ...week }, 'cause', today);
  expect(left).toEqual({ location: 'tampa' });
  // Left open until the next week, the page shows that week.
  expect(rangeOf(readReportSearch(left), 'tampa', isoDate('2026-11-30'))).toMatchObject({ from: '2026-11-30' });
});

test('given an address with unknown values, or none, then the report is on this week, by cause', () => {
  const today = isoDate('2026-11-26');
  const unknown = { location: 'nowhere', from: '2026-02-30', to: '2026-03-01', by: 'color' };
  for (const search of [unknown, { from: '2026-11-01' }, {}]) {
    expect(readReportSearch(search)).toEqual({ by: 'cause' });
    expect(rangeOf(readReportSearch(search), 'tampa', today)).toMatchObject({ location: 'tampa', from: '2026-11-23' });
    expect(rangeOf(readReportSearch(search), 'tampa', null)).toBeNull();
  }
});
