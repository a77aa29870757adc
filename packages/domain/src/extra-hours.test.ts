import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extraWords } from './calls/therapist-words.ts';
import { extraTime, MOST_EXTRA, type Reach } from './extra-hours.ts';
import type { Interval } from './interval.ts';

const minute = fc.integer({ min: 400, max: 720 });
const reach: fc.Arbitrary<Reach> = fc.record({ begins: fc.option(minute), ends: fc.option(minute) });
const stretch: fc.Arbitrary<Interval> = fc
  .tuple(minute, fc.integer({ min: 1, max: 90 }))
  .map(([start, length]) => ({ start, end: start + length }));

/** Every minute that the intervals contain, without duplicates. */
const minutesOf = (stretches: readonly Interval[]): number[] => [
  ...new Set(stretches.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i))),
];

test('a therapist can be asked to come early or stay late, but not both, and by at most an hour', () => {
  const seen = { late: 0, early: 0, none: 0 };
  fc.assert(
    fc.property(
      reach.filter(({ begins, ends }) => begins === null || ends === null || begins < ends),
      fc.array(stretch, { minLength: 1, maxLength: 3 }),
      ({ begins, ends }, stretches) => {
        const minutes = minutesOf(stretches);
        const after = ends === null ? [] : minutes.filter((m) => m >= ends);
        const before = begins === null ? [] : minutes.filter((m) => m < begins);
        const found = extraTime({ begins, ends }, stretches);
        seen[found?.kind ?? 'none']++;
        const lateBy = after.length === 0 ? 0 : Math.max(...after) + 1 - (ends ?? 0);
        const earlyBy = before.length === 0 ? 0 : (begins ?? 0) - Math.min(...before);
        const one = lateBy > 0 !== earlyBy > 0;
        const beyond = lateBy > 0 ? after : before;
        expect(found).toEqual(
          !one || lateBy > MOST_EXTRA || earlyBy > MOST_EXTRA
            ? null
            : { kind: lateBy > 0 ? 'late' : 'early', start: Math.min(...beyond), end: Math.max(...beyond) + 1 },
        );
      },
    ),
    { numRuns: 2000 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test.each([
  ['that ends exactly an hour after their day', 960, 1080, 'stay late until 6:00'],
  ['that ends 61 minutes after their day', 960, 1081, null],
  ['that lies wholly in the hour after their day', 1050, 1065, 'stay late until 5:45'],
  ['that begins exactly an hour before their day', 420, 540, 'come early at 7:00'],
  ['that begins 61 minutes before their day', 419, 540, null],
  ['that lies within their day', 600, 700, null],
  ['that begins before and ends after their day', 450, 1050, null],
])(
  'given a session %s, the therapist is asked for extra time only if that time is at most an hour, at one end of the day',
  (_, start, end, words) => {
    // The therapist is available from 8:00 to 5:00.
    const found = extraTime({ begins: 480, ends: 1020 }, [{ start, end }]);
    expect(found && extraWords([found])).toBe(words);
  },
);
