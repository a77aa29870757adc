import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hoursSentence, loadOf, medianOf, minutesLeft, parseHours, type HourLimits, type Hours } from './hours.ts';

const hours = (more: Partial<Hours> = {}): Hours => ({ week: 1200, day: 240, cover7: 0, cover28: 0, ...more });
const limits = (more: Partial<HourLimits> = {}): HourLimits => ({ week: 2400, day: null, guaranteed: null, ...more });

test.each([
  ['well below the limit', hours(), limits(), { cap: 80, load: [[8, 4]] }],
  [
    'an hour left in the week',
    hours({ week: 2340 }),
    limits(),
    {
      cap: 4,
      load: [
        [0, 4],
        [8, 4],
      ],
    },
  ],
  [
    'ten minutes left',
    hours({ week: 2390 }),
    limits(),
    {
      cap: 0,
      load: [
        [0, 4],
        [8, 4],
      ],
    },
  ],
  [
    'over the limit',
    hours({ week: 2500 }),
    limits(),
    {
      cap: 0,
      load: [
        [0, 4],
        [8, 4],
      ],
    },
  ],
  ['a daily limit', hours(), limits({ day: 480 }), { cap: 16, load: [[8, 4]] }],
  ['fifteen minutes of cover above the median', hours({ cover28: 115 }), limits(), { cap: 80, load: [[8, 4]] }],
  [
    'an hour of cover above the median',
    hours({ cover28: 160 }),
    limits(),
    {
      cap: 80,
      load: [
        [0, 6],
        [8, 4],
      ],
    },
  ],
  [
    'three hours of cover above the median',
    hours({ cover28: 280 }),
    limits(),
    {
      cap: 80,
      load: [
        [0, 54],
        [8, 4],
      ],
    },
  ],
  [
    'as much cover as anyone can have',
    hours({ cover28: 9999 }),
    limits(),
    {
      cap: 80,
      load: [
        [0, 200],
        [8, 4],
      ],
    },
  ],
  ['below the guarantee', hours({ cover28: 9999 }), limits({ guaranteed: 1201 }), { cap: 80, load: [] }],
  ['at the guarantee', hours(), limits({ guaranteed: 1200 }), { cap: 80, load: [[8, 4]] }],
])(
  'given the case %s, the cap and load are computed from the therapist’s hours, limits and past cover',
  (_case, now, most, wanted) => {
    expect(loadOf(now, most, 100)).toEqual(wanted);
  },
);

test('a therapist who covers up to their cap stays within the weekly and daily limits, and more past cover never makes a slot cheaper', () => {
  const minutes = fc.integer({ min: 0, max: 4000 });
  fc.assert(
    fc.property(
      minutes,
      minutes,
      minutes,
      fc.option(minutes, { nil: null }),
      minutes,
      (week, day, most, dayMost, cover) => {
        const [now, set] = [hours({ week, day, cover28: cover }), limits({ week: most, day: dayMost })];
        const { cap, load } = loadOf(now, set, 60);
        expect(cap * 15).toBeLessThanOrEqual(minutesLeft(now, set));
        const cost = (of: readonly (readonly [number, number])[]) =>
          of.reduce((n, [from, points]) => n + (from === 0 ? points : 0), 0);
        expect(cost(loadOf({ ...now, cover28: cover + 60 }, set, 60).load)).toBeGreaterThanOrEqual(cost(load));
      },
    ),
  );
});

test('the median of an even number of values is the lower of the middle two, and the median of no values is 0', () => {
  expect([medianOf([]), medianOf([3]), medianOf([4, 1]), medianOf([9, 1, 5])]).toEqual([0, 3, 1, 5]);
});

test('the sentence about a therapist’s hours names guaranteed hours only if there are any', () => {
  const own = hours({ cover28: 90 });
  expect(hoursSentence(own, limits())).toBe('Booked 20 h of 40 h that week; covered 1 h 30 min in 28 days.');
  expect(hoursSentence(own, limits({ guaranteed: 1500 }))).toBe(
    'Booked 20 h of 40 h (25 h guaranteed) that week; covered 1 h 30 min in 28 days.',
  );
});

test('hours are read in quarters, with a decimal point or comma; any other text is refused', () => {
  const read = (text: string) => parseHours(text, 1, 80);
  expect(['1', '37', '37.5', '37,5', '37.25', '37,75', '40.00', '40.000', '80'].map(read)).toEqual([
    1, 37, 37.5, 37.5, 37.25, 37.75, 40, 40, 80,
  ]);
  for (const text of ['', '0.75', '80.25', '37.3', '1,000', '37.5 h', '37:30', '-8', '1e1', '.5', 'x'])
    expect(read(text), text).toBeNull();
});
