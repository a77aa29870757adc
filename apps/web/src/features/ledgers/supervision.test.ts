import { expect, test } from 'vitest';
import type { SupervisedSession, SupervisionRow } from '@clinic/contract';
import { contactWords, supervisedSessionsOf, supervisedShare, supervisionCsv } from './supervision.ts';

const row: SupervisionRow = {
  id: 'T-1',
  name: 'Ana Ruiz',
  direct: 6000,
  needed: 300,
  done: 120,
  ahead: 90,
  contacts: 1,
  contacts_ahead: 2,
  contacts_needed: 2,
  at_risk: true,
};

test('the supervised share includes booked supervision, and contacts are shown as contacts so far plus contacts booked', () => {
  expect(supervisedShare(row)).toBe(3.5);
  expect(supervisedShare({ ...row, direct: 0 })).toBe(0);
  expect(contactWords(row)).toBe('1 + 2 of 2');
});

test('the CSV has a line for each RBT, in hours', () => {
  const [, line] = supervisionCsv({ from: '2026-11-01', until: '2026-11-30', rows: [row], off: [] }).split('\r\n');
  expect(line).toBe('Ana Ruiz,100,5,2,1.5,3.5,1,2,2,yes,2026-11-01,2026-11-30');
});

test('direct time shows all sessions, supervision so far shows sessions before the date, and booked supervision shows the rest', () => {
  const session = (date: string, supervised: number): SupervisedSession => ({
    key: `${date} ${supervised}`,
    location: 'altamonte',
    date,
    start: '09:00',
    end: '10:00',
    subject: 'Direct Therapy',
    client: 'Bo Lee',
    direct: 60,
    supervised,
  });
  const all = ['2026-11-19', '2026-11-20', '2026-11-21'].flatMap((date) => [session(date, 0), session(date, 30)]);
  const keys = (figure: 'direct' | 'done' | 'ahead') =>
    supervisedSessionsOf(all, figure, '2026-11-20').map(({ key }) => key);
  expect(keys('direct')).toHaveLength(6);
  expect(keys('done')).toEqual(['2026-11-19 30']);
  expect(keys('ahead')).toEqual(['2026-11-20 30', '2026-11-21 30']);
});
