import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  codeOf,
  countedFrom,
  drawUnits,
  unitsAdded,
  unitsLeft,
  unitsOf,
  unpaidSessions,
  usedUnits,
  type Granted,
  type UnitsLeft,
} from './authorizations.ts';
import { addDays, isoDate } from './time.ts';

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

test('rounding to units is off by less than half a unit, and longer times never give fewer units', () => {
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
  ['supervision', ' Initial  assessment', '97151'],
  ['supervision', 'Reassessment - home', '97151'],
  ['supervision', 'Assessments', '97155'],
  ['supervision', 'Supervision of an assessment', '97155'],
  ['parent-training', 'Parent Training', '97156'],
  ['parent-training', 'Parents 97157', '97157'],
  ['supervision', '97155 during 97153', '97155'],
  ['admin', '97153', null],
] as const)('given the service %s and the subject %s, the billing code is %s', (service, subject, code) => {
  expect(codeOf(service, subject)).toBe(code);
});

test('weekly units count from Monday and monthly units from the 1st, but not before the authorization begins', () => {
  const date = isoDate('2026-11-19'); // a Thursday
  const from = (from_date: string, period: 'total' | 'week' | 'month') =>
    countedFrom({ from_date: isoDate(from_date), period }, date);
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
const paid = (units: number, used = 0): UnitsLeft => ({ client: 'C1', code: '97153', units, used });
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

test('given two authorizations for one code, a session is unpaid only when both are used up', () => {
  const day = [session('early', 540, 60), session('late', 800, 60)];
  const known = new Set(['C1']);
  expect(unpaid(day, [paid(10, 8), paid(10, 7)], known)).toEqual([]); // 2 and 3 units are left: the fifth is for `late`
  expect(unpaid(day, [paid(10, 8), paid(10, 8)], known)).toEqual(['late']);
  // What was used beyond one authorization takes nothing from the other.
  expect(unpaid(day, [paid(10, 30), paid(10, 5)], known)).toEqual([]);
});

const granted = (from_date: string, until_date: string, units: number, more: Partial<Granted> = {}): Granted => ({
  ...{
    payer: 'Acme',
    number: '',
    period: 'total',
    prior_units: null,
    prior_until: null,
    from_date: isoDate(from_date),
    until_date: isoDate(until_date),
    units,
  },
  ...more,
});
const onDays = (...days: [date: string, units: number][]) =>
  days.map(([date, units]) => ({ date: isoDate(date), units }));

test('units are drawn from the authorization that ends first until it is used up, then from the next, and any excess counts against the last', () => {
  const older = granted('2026-01-01', '2026-06-30', 10);
  const newer = granted('2026-06-01', '2026-12-31', 12);
  const draws = drawUnits(
    [newer, older],
    onDays(['2026-05-29', 4], ['2026-06-02', 8], ['2026-06-03', 4], ['2026-06-04', 9]),
    isoDate('2026-06-05'),
  );
  expect(
    draws.map(({ authorization, by, units }) => [authorization === older ? 'older' : 'newer', by.date, units]),
  ).toEqual([
    ['older', '2026-05-29', 4],
    ['older', '2026-06-02', 6],
    ['newer', '2026-06-02', 2],
    ['newer', '2026-06-03', 4],
    ['newer', '2026-06-04', 9],
  ]);
  const on = isoDate('2026-06-05');
  const used = [older, newer].map((each) => usedUnits(draws, each, on));
  expect(used).toEqual([10, 15]);
  expect(
    unitsLeft([
      { ...older, used: 10 },
      { ...newer, used: 15 },
    ]),
  ).toBe(0);
});

test('given units for each week, an authorization has all of its units again on Monday', () => {
  const weekly = granted('2026-01-01', '2026-06-30', 6, { period: 'week' });
  const total = granted('2026-01-01', '2026-12-31', 100);
  // Thursday, Friday and Monday
  const days = onDays(['2026-06-04', 4], ['2026-06-05', 4], ['2026-06-08', 4]);
  const draws = drawUnits([weekly, total], days, isoDate('2026-06-09'));
  expect(draws.map(({ authorization, units }) => [authorization.units, units])).toEqual([
    [6, 4],
    [6, 2],
    [100, 2],
    [6, 4],
  ]);
  expect(usedUnits(draws, weekly, isoDate('2026-06-09'))).toBe(4);
});

test('units used through a date count at least as recorded, and what the calendar has through that date is never counted beside them', () => {
  const own = granted('2026-01-01', '2026-12-31', 100, { prior_units: 40, prior_until: isoDate('2026-06-10') });
  const usedOn = (date: string, ...days: Parameters<typeof onDays>) =>
    usedUnits(drawUnits([own], onDays(...days.filter(([day]) => day < date)), isoDate(date)), own, isoDate(date));
  const days: Parameters<typeof onDays> = [
    ['2026-06-08', 4],
    ['2026-06-10', 6],
    ['2026-06-11', 8],
  ];
  expect(usedOn('2026-06-09', ...days)).toBe(4); // the number says nothing about dates before its own
  expect(usedOn('2026-06-10', ...days)).toBe(40);
  expect(usedOn('2026-06-11', ...days)).toBe(40); // it contains the sessions of June 10
  expect(usedOn('2026-06-12', ...days)).toBe(48);
  // More is on the calendar than the payer has counted.
  expect(usedOn('2026-06-12', ['2026-06-08', 50], ['2026-06-11', 8])).toBe(58);
});

test('an authorization that its recorded units use up hands on later sessions, and units of one week do not count in the next', () => {
  const older = granted('2026-01-01', '2026-06-30', 10, { prior_units: 9, prior_until: isoDate('2026-06-01') });
  const newer = granted('2026-06-01', '2026-12-31', 12);
  const on = isoDate('2026-06-05');
  const draws = drawUnits([older, newer], onDays(['2026-06-01', 2], ['2026-06-02', 4]), on);
  expect([older, newer].map((each) => usedUnits(draws, each, on))).toEqual([10, 3]);
  const weekly = granted('2026-01-01', '2026-06-30', 10, {
    ...{ period: 'week', prior_units: 9, prior_until: isoDate('2026-06-04') },
  });
  expect(usedUnits([], weekly, on)).toBe(9);
  expect(usedUnits([], weekly, isoDate('2026-06-08'))).toBe(0);
});

test('given any authorizations, every unit used on a date with a valid authorization is drawn exactly once', () => {
  const first = isoDate('2026-06-01');
  const any = fc.record({
    payer: fc.constantFrom('Acme', 'Sunrise'),
    number: fc.constantFrom('', 'A'),
    from_date: fc.integer({ min: 0, max: 20 }).map((n) => addDays(first, n)),
    until_date: fc.integer({ min: 20, max: 40 }).map((n) => addDays(first, n)),
    units: fc.integer({ min: 1, max: 20 }),
    period: fc.constantFrom('total', 'week', 'month'),
    prior_units: fc.constantFrom(null, 5, 30),
    prior_until: fc.integer({ min: 20, max: 40 }).map((n) => addDays(first, n)),
  });
  const days = fc
    .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 })
    .map((list) => list.sort((a, b) => a - b).map((n) => ({ date: addDays(first, n), units: 1 + (n % 9) })));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 5 }), days, (authorizations, used) => {
      const draws = drawUnits(authorizations, used, addDays(first, 30));
      for (const by of used) {
        const isCovered = authorizations.some((own) => own.from_date <= by.date && by.date <= own.until_date);
        const drawn = draws.reduce((n, draw) => n + (draw.by === by ? draw.units : 0), 0);
        expect(drawn).toBe(isCovered ? by.units : 0);
      }
    }),
  );
});

test('a date’s units are computed from its total minutes, and each session gets the units that it adds to the total', () => {
  const [a, b] = [isoDate('2026-06-01'), isoDate('2026-06-02')];
  const minutes = [7, 1, 14, 8];
  expect(unitsAdded(minutes.map((each, i) => ({ date: i < 3 ? a : b, minutes: each })))).toEqual([0, 1, 0, 1]);
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
