import { expect, test } from 'vitest';
import type { AuthorizedCode, CareReply, CareSession } from '@clinic/contract';
import { careCsv, careSessionsOf, careWords, isNearlyUsed, isUsed, leftWords } from './care.ts';

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
    'Direct Therapy: 20 min of 1 h delivered, 15 min billable; 30 min lost: Sick; 10 min lost: No reason yet',
  ]);
});

test('the CSV has a column for each cause of lost time', () => {
  const row = { booked: 120, delivered: 60, billable: 45, lost: 60, made_up: 30, priority: 100, by_hand: false };
  const reply: CareReply = {
    from: '2026-10-23',
    until: '2026-11-19',
    off: [],
    rows: [
      { ...row, id: 'C1', name: 'Bo Lee', lost_by: [lost('sick', 'Sick', 60)], authorized: null },
      { ...row, id: 'C2', name: 'Mo Diaz', lost_by: [lost(null, null, 60)], authorized: [] },
    ],
  };
  const [head, first, second] = careCsv(reply).trim().split(/\r?\n/);
  expect(head).toContain('Lost,Lost: No reason yet,Lost: Sick,Made up,');
  expect(first).toContain('Bo Lee,2,1,0.75,1,0,1,0.5,50');
  expect(second).toContain('Mo Diaz,2,1,0.75,1,1,0,0.5,50');
});

const authorized = (
  code: AuthorizedCode['code'],
  period: 'week' | 'total',
  hours: readonly [authorized: number, left: number],
  until = '2026-12-31',
): AuthorizedCode => ({
  code,
  authorization: {
    id: `${code} ${until}`,
    period,
    until_date: until,
    authorized: hours[0] * 60,
    left: hours[1] * 60,
  },
});

test('authorized hours are shown for each code, and marked when less than a tenth is left or no authorization is valid', () => {
  const codes = [
    authorized('97153', 'week', [40, 4]),
    authorized('97155', 'total', [20, 1.75]),
    { code: '97156', authorization: null } as const,
  ];
  expect(codes.map(leftWords)).toEqual([
    '97153: 4 h of 40 h each week',
    '97155: 1 h 45 min of 20 h in total',
    '97156: no valid authorization',
  ]);
  expect(codes.map(isNearlyUsed)).toEqual([false, true, true]);
  expect([...codes, authorized('97151', 'total', [8, 8])].map(isUsed)).toEqual([true, true, false, false]);
});

test('given authorizations for several codes and periods, then the CSV adds up only those with the same code and period', () => {
  const row = { booked: 0, delivered: 0, billable: 0, lost: 0, lost_by: [], made_up: 0, priority: 100, by_hand: false };
  const week = authorized('97153', 'week', [40, 4]);
  const both = [authorized('97155', 'total', [20, 5]), authorized('97155', 'total', [30, 30], '2027-03-31')];
  const lines = careCsv({
    from: '2026-10-23',
    until: '2026-11-19',
    off: [],
    rows: [
      { ...row, id: 'C1', name: 'Bo Lee', authorized: [week, ...both, { code: '97156', authorization: null }] },
      { ...row, id: 'C2', name: 'Mo Diaz', authorized: [authorized('97153', 'total', [100, 90])] },
      { ...row, id: 'C3', name: 'Zoe Kim', authorized: null },
    ],
  })
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').slice(8));
  expect(lines).toEqual([
    [
      ...['Authorized: 97153 each week', 'Left: 97153 each week', 'Authorized: 97153 in total', 'Left: 97153 in total'],
      ...['Authorized: 97155 in total', 'Left: 97155 in total', 'No valid authorization', 'From', 'Until'],
    ],
    ['40', '4', '', '', '50', '35', '97156', '2026-10-23', '2026-11-19'],
    ['', '', '100', '90', '', '', '', '2026-10-23', '2026-11-19'],
    ['', '', '', '', '', '', '', '2026-10-23', '2026-11-19'],
  ]);
});
