import { expect, test } from 'vitest';
import type { HoursRow, LedgerSession } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { csvName, hoursCsv, sessionsOf } from './model.ts';

const row: HoursRow = {
  id: 'T-1',
  name: '=Ana, Ruiz',
  credential: 'RBT',
  booked: 2430,
  worked: 90,
  cover_7: 60,
  cover_28: 75,
  most: 2400,
  guaranteed: null,
  left: 0,
};
const session = (date: string, cover = false): LedgerSession => ({
  key: date,
  location: 'altamonte',
  date,
  start: '09:00',
  end: '10:00',
  client: 'Bo Lee',
  subject: 'S',
  cover,
});

test('the CSV gives hours, and names are escaped so that no spreadsheet reads a name as a formula', () => {
  const [, line] = hoursCsv({ from: '2026-11-16', until: '2026-11-22', rows: [row], off: [] }).split('\r\n');
  expect(line).toBe(`"'=Ana, Ruiz",RBT,40.5,1.5,1,1.25,40,,0,0.5,2026-11-16,2026-11-22`);
});

test('a figure’s sessions are those on the days that the figure covers', () => {
  const dates = ['2026-10-23', '2026-10-24', '2026-11-13', '2026-11-14', '2026-11-16', '2026-11-20', '2026-11-22'];
  const all = dates.flatMap((date) => [session(date), session(date, true)]);
  const now = { date: isoDate('2026-11-20'), time: '09:00' };
  const of = (figure: Parameters<typeof sessionsOf>[1]) =>
    sessionsOf(all, figure, isoDate('2026-11-20'), now).map(({ date, cover }) => (cover ? `${date}c` : date));
  expect(of('booked')).toEqual(['2026-11-16', '2026-11-16c', '2026-11-20', '2026-11-20c', '2026-11-22', '2026-11-22c']);
  expect(of('worked')).toEqual(['2026-11-16', '2026-11-16c']);
  expect(of('cover_7')).toEqual(['2026-11-14c', '2026-11-16c', '2026-11-20c']);
  expect(of('cover_28')).toEqual(['2026-10-24c', '2026-11-13c', '2026-11-14c', '2026-11-16c', '2026-11-20c']);
});

test('the name of a ledger’s file tells one location’s from another’s', () => {
  expect(csvName('care', 'palm beach', isoDate('2026-11-26'))).toBe('care-palm-beach-2026-11-26.csv');
});
