import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeOf, countedFrom, unitsOf, unpaidSessions, type UnitsLeft } from './authorizations.ts';
import { isoDate } from './time.ts';

test.each([
  [0, 0],
  [7, 0],
  [8, 1],
  [22, 1],
  [23, 2],
  [37, 2],
  [38, 3],
  [52, 3],
  [53, 4],
])('%i minutes count as %i units', (minutes, units) => {
  expect(unitsOf(minutes)).toBe(units);
});

test('rounding to units is off by less than half a unit, a minute more never lowers the units, and 15 minutes more add one unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), (minutes) => {
      expect(Math.abs(unitsOf(minutes) - minutes / 15)).toBeLessThan(0.5);
      expect(unitsOf(minutes + 1)).toBeGreaterThanOrEqual(unitsOf(minutes));
      expect(unitsOf(minutes + 15)).toBe(unitsOf(minutes) + 1);
    }),
  );
});

test.each([
  ['direct', 'Direct Therapy', '97153'],
  ['direct', 'Social Group', '97154'],
  ['direct', '97158 Group', '97158'],
  ['direct', 'Room 197158', '97153'],
  ['supervision', 'Supervision', '97155'],
  ['supervision', 'Assessment', '97151'],
  ['parent-training', 'Parent Training', '97156'],
  ['parent-training', 'Parents 97157', '97157'],
  ['supervision', '97155 during 97153', '97155'],
  ['admin', '97153', null],
] as const)('given the service %s and the subject %s, the billing code is %s', (service, subject, code) => {
  expect(codeOf(service, subject)).toBe(code);
});

test('weekly units count from Monday and monthly units from the 1st, but not before the authorization begins', () => {
  const date = isoDate('2026-11-19'); // a Thursday
  const from = (from_date: string, period: 'total' | 'week' | 'month') => countedFrom({ from_date, period }, date);
  expect([from('2026-01-05', 'total'), from('2026-01-05', 'week'), from('2026-01-05', 'month')]).toEqual([
    '2026-01-05',
    '2026-11-16',
    '2026-11-01',
  ]);
  expect([from('2026-11-18', 'week'), from('2026-11-18', 'month')]).toEqual(['2026-11-18', '2026-11-18']);
});

const session = (key: string, start: number, minutes: number, client = 'C1') => ({
  key,
  client,
  start,
  minutes,
  code: '97153' as const,
});
const paid = (left: number): UnitsLeft => ({ client: 'C1', code: '97153', left });
const unpaid = (...args: Parameters<typeof unpaidSessions>) => [...unpaidSessions(...args)].sort();

test('given units for only the first session of the day, the later session is unpaid, in whatever order the sessions are listed', () => {
  const day = [session('late', 800, 60), session('early', 540, 60)];
  const known = new Set(['C1']);
  expect(unpaid(day, [paid(4)], known)).toEqual(['late']);
  expect(unpaid(day, [paid(5)], known)).toEqual([]); // one unit is left when the later session begins
  expect(unpaid(day, [paid(0)], known)).toEqual(['early', 'late']);
  expect(unpaid(day, [], known)).toEqual(['early', 'late']);
  // If the client is away during the early session, that session uses up no units.
  const away = [session('late', 800, 60), session('early', 540, 0)];
  expect(unpaid(away, [paid(4)], known)).toEqual([]);
  expect(unpaid(away, [paid(0)], known)).toEqual(['late']);
});

test('a client without authorizations is exempt from the rule, and units for another code or client do not pay for a session', () => {
  const day = [session('a', 540, 60), session('b', 540, 60, 'C2')];
  expect(unpaid(day, [paid(99)], new Set(['C1']))).toEqual([]);
  expect(unpaid(day, [{ ...paid(99), code: '97155' }], new Set(['C1']))).toEqual(['a']);
  expect(unpaid(day, [paid(99)], new Set(['C1', 'C2']))).toEqual(['b']);
});

test('more units never leave more sessions unpaid', () => {
  const sessions = fc.array(fc.tuple(fc.integer({ min: 420, max: 1000 }), fc.integer({ min: 1, max: 180 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(sessions, fc.integer({ min: 0, max: 60 }), (times, left) => {
      const day = times.map(([start, minutes], i) => session(String(i), start, minutes));
      const more = unpaidSessions(day, [paid(left + 1)], new Set(['C1']));
      const less = unpaidSessions(day, [paid(left)], new Set(['C1']));
      expect([...more].every((key) => less.has(key))).toBe(true);
    }),
  );
});
