import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prioritySentence, priorityOf } from './care.ts';

test.each([
  ['everything took place', 1200, 0, 60],
  ['half a hundredth was lost', 1200, 6, 115],
  ['a hundredth was lost', 1200, 12, 170],
  ['a tenth was lost', 1200, 120, 173],
  ['a sixth was lost', 1200, 200, 175],
  ['a third was lost', 1200, 400, 180],
  ['all was lost', 1200, 1200, 180],
  ['nothing was booked', 0, 0, 100],
])('given that %s (%i minutes booked, %i lost), the priority is %i', (_case, booked, lost, priority) => {
  expect(priorityOf(100, { booked, lost })).toBe(priority);
});

test('a priority set by a person wins, and more lost care never lowers the priority', () => {
  expect(priorityOf(250, { booked: 100, lost: 0 })).toBe(250);
  const minutes = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(minutes, fc.integer({ min: 0, max: 5000 }), (booked, lost) => {
      const at = (n: number) => priorityOf(100, { booked, lost: Math.min(booked, n) });
      expect(at(lost + 1)).toBeGreaterThanOrEqual(at(lost));
      expect(at(lost)).toBeGreaterThanOrEqual(60);
      expect(at(lost)).toBeLessThanOrEqual(180);
    }),
  );
});

test.each([
  ['some was lost', 100, 540, 180, 'Bo Lee lost 3 h of 9 h of care in 28 days.'],
  ['nothing was lost', 100, 540, 0, null],
  ['nothing was booked', 100, 0, 0, null],
  ['a person set the priority', 250, 540, 180, 'Bo Lee’s priority is 250%, set by hand.'],
])(
  'given that %s, a sentence says what decides the priority, if anything does',
  (_case, set, booked, lost, sentence) => {
    expect(prioritySentence('Bo Lee', set, { booked, lost })).toBe(sentence);
  },
);
