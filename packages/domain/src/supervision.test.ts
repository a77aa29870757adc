import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isAtRisk,
  monthOf,
  supervisionOn,
  supervisionSentence,
  supervisionWeight,
  type SupervisedDay,
} from './supervision.ts';
import { isoDate } from './time.ts';

const RULES = { supervision_percent: 5, supervision_contacts: 2 };
const day = (date: string, direct: number, supervised = 0, contacts = supervised > 0 ? 1 : 0): SupervisedDay => ({
  date: isoDate(date),
  direct,
  supervised,
  contacts,
});
const DATE = isoDate('2026-11-18');
/** 40 h of direct sessions, which need 2 h of supervision. */
const MONTH = Array.from({ length: 10 }, (_, i) => day(`2026-11-${10 + i}`, 240));

test.each([
  ['no other supervision', [], 300],
  ['half of the minutes and one contact', [day('2026-11-03', 0, 60)], 200],
  ['all of the minutes, in one contact', [day('2026-11-03', 0, 120)], 200],
  ['both contacts, and half of the minutes', [day('2026-11-03', 0, 30), day('2026-11-25', 0, 30)], 200],
  ['all supervision before the date', [day('2026-11-03', 0, 60), day('2026-11-04', 0, 60)], 100],
  ['all supervision after the date', [day('2026-11-25', 0, 60), day('2026-11-26', 0, 60)], 100],
  ['all supervision in another month', [day('2026-10-30', 0, 120, 2), day('2026-12-01', 0, 120, 2)], 300],
  ['all supervision on the date itself', [day('2026-11-18', 0, 120, 2)], 300],
])(
  'a supervision session weighs more when the month is further behind on supervision: given %s',
  (_case, more, weight) => {
    expect(supervisionWeight(supervisionOn([...MONTH, ...more], DATE, RULES))).toBe(weight);
  },
);

test('an RBT without direct sessions in the month needs no supervision', () => {
  const supervision = supervisionOn([day('2026-10-30', 240)], DATE, RULES);
  expect([supervision.needed, isAtRisk(supervision), supervisionWeight(supervision)]).toEqual([
    { minutes: 0, contacts: 0 },
    false,
    100,
  ]);
});

test('supervision on the date counts in deciding whether the month is at risk, but not in the sentence “Without this session”', () => {
  const days = [...MONTH, day('2026-11-03', 0, 60), day('2026-11-18', 0, 60)];
  const supervision = supervisionOn(days, DATE, RULES);
  expect(isAtRisk(supervision)).toBe(false);
  expect(supervisionSentence('Ana Ruiz', DATE, supervision)).toBe(
    'Without this session, Ana Ruiz has 1 h of 2 h of supervision in November, and 1 of 2 contacts.',
  );
  expect(isAtRisk(supervisionOn(days.slice(0, -1), DATE, RULES))).toBe(true);
});

test('monthOf finds a month’s last date, in leap years too', () => {
  expect(['2026-02-14', '2028-02-29', '2026-12-31'].map((date) => monthOf(isoDate(date)).last)).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2026-12-31',
  ]);
});

test('the weight is between 100 and 300, and more supervision in the month never makes a session weigh more', () => {
  const some = fc.array(fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 90 })), { maxLength: 8 });
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 28 }), (held, at) => {
      const dateOf = (n: number) => `2026-11-${String(n).padStart(2, '0')}`;
      const days = [...MONTH, ...held.map(([n, minutes]) => day(dateOf(n), 0, minutes))];
      const weigh = (more: readonly SupervisedDay[]) =>
        supervisionWeight(supervisionOn([...days, ...more], DATE, RULES));
      expect(weigh([])).toBeGreaterThanOrEqual(100);
      expect(weigh([])).toBeLessThanOrEqual(300);
      expect(weigh([day(dateOf(at), 0, 30)])).toBeLessThanOrEqual(weigh([]));
    }),
  );
});
