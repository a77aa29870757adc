import { expect, test } from 'vitest';
import type { CareReply, CareSession } from '@clinic/contract';
import { careCsv, careSessionsOf, careWords } from './care.ts';

const lost = (cause: string | null, label: string | null, minutes: number) => ({ cause, label, minutes });
const session = (key: string, delivered: number, more: Partial<CareSession> = {}): CareSession => ({
  key,
  location: 'altamonte',
  date: '2026-11-09',
  start: '09:00',
  end: '10:00',
  subject: 'Direct Therapy',
  booked: 60,
  delivered,
  lost: 60 - delivered,
  lost_by: [],
  made_up: 0,
  billable: delivered,
  ...more,
});
const SESSIONS = [
  session('A', 60, { made_up: 60 }),
  session('B', 20, { billable: 15, lost_by: [lost('sick', 'Sick', 30), lost(null, null, 10)] }),
  session('C', 0, { lost_by: [lost(null, null, 60)] }),
];

test('a figure shows the sessions that count toward it; a cause shows the sessions that lost time to that cause', () => {
  const keys = (of: Parameters<typeof careSessionsOf>[1]) => careSessionsOf(SESSIONS, of).map(({ key }) => key);
  expect(keys('booked')).toEqual(['A', 'B', 'C']);
  expect(keys('delivered')).toEqual(['A', 'B']);
  expect(keys('lost')).toEqual(['B', 'C']);
  expect(keys('made_up')).toEqual(['A']);
  expect(keys({ cause: 'sick' })).toEqual(['B']);
  expect(keys({ cause: null })).toEqual(['B', 'C']);
});

test('a session shows how much of it was delivered, and why the rest was lost', () => {
  expect(SESSIONS.slice(1, 2).map(careWords)).toEqual([
    'Direct Therapy: 20 min of 1 h delivered, 15 min billable; 30 min lost: Sick; 10 min lost: Not said',
  ]);
});

test('the CSV has a column for each cause of lost time', () => {
  const row = { booked: 120, delivered: 60, billable: 45, lost: 60, made_up: 30, priority: 100, by_hand: false };
  const reply: CareReply = {
    from: '2026-10-23',
    until: '2026-11-19',
    off: [],
    rows: [
      { ...row, id: 'C1', name: 'Bo Lee', lost_by: [lost('sick', 'Sick', 60)], authorized: null, left: null },
      { ...row, id: 'C2', name: 'Mo Diaz', lost_by: [lost(null, null, 60)], authorized: 600, left: 60 },
    ],
  };
  const [head, first, second] = careCsv(reply).trim().split(/\r?\n/);
  expect(head).toContain('Lost,Lost: Not said,Lost: Sick,Made up,');
  expect(first).toContain('Bo Lee,2,1,0.75,1,0,1,0.5,50');
  expect(second).toContain('Mo Diaz,2,1,0.75,1,1,0,0.5,50');
});
