import { expect, test } from 'vitest';
import { authorizationsCsv, usingSessions } from './authorizations.ts';

test('the CSV has one line for each authorization, with its amounts in hours and its period in words', () => {
  const row = {
    id: 'A',
    client_id: 'C-1',
    name: 'Bo Lee',
    payer: 'Acme',
    code: '97153',
    number: 'A-1',
    from_date: '2026-11-01',
    until_date: '2026-12-31',
    period: 'week' as const,
    authorized: 600,
    delivered: 90,
    prior: { used: 60, until: '2026-11-10' },
    left: 510,
  };
  const [head, line] = authorizationsCsv({ rows: [row], lapsed: [], off: [] }).split('\r\n');
  expect(head).toBe('\uFEFFClient,Payer,Code,Number,From,Until,Period,Authorized,Used,Left,Used at least,Through');
  expect(line).toBe('Bo Lee,Acme,97153,A-1,2026-11-01,2026-12-31,each week,10,1.5,8.5,1,2026-11-10');
});

test('a session shows how much of its time an authorization pays for, if that differs from the time it took', () => {
  const session = {
    key: 'S',
    location: 'altamonte' as const,
    ...{ date: '2026-11-02', start: '09:00', end: '11:00', subject: 'Direct Therapy', authorization: 'A', booked: 120 },
  };
  const sessions = [
    { ...session, delivered: 120, used: 120 },
    { ...session, delivered: 120, used: 45 },
    { ...session, delivered: 120, used: 75, authorization: 'B' },
  ];
  expect(usingSessions(sessions, 'A').map(({ words }) => words)).toEqual([
    'Direct Therapy: 2 h',
    'Direct Therapy: 2 h, 45 min used',
  ]);
});
