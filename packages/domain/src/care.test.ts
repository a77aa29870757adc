import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prioritySentence, priorityOf } from './care.ts';

test.each([
  ['everything took place', 1200, 1200, 60],
  ['half a hundredth was lost', 1200, 1194, 115],
  ['a hundredth was lost', 1200, 1188, 170],
  ['a tenth was lost', 1200, 1080, 173],
  ['a sixth was lost', 1200, 1000, 175],
  ['a third was lost', 1200, 800, 180],
  ['all was lost', 1200, 0, 180],
  ['nothing was booked', 0, 0, 100],
])('given that %s (%i minutes booked, %i delivered), the priority is %i', (_case, booked, delivered, priority) => {
  expect(priorityOf(100, { booked, delivered })).toBe(priority);
});

test('a priority set by a person wins, and more lost care never lowers the priority', () => {
  expect(priorityOf(250, { booked: 100, delivered: 100 })).toBe(250);
  const minutes = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(minutes, fc.integer({ min: 0, max: 5000 }), (booked, lost) => {
      const at = (n: number) => priorityOf(100, { booked, delivered: Math.max(0, booked - n) });
      expect(at(lost + 1)).toBeGreaterThanOrEqual(at(lost));
      expect(at(lost)).toBeGreaterThanOrEqual(60);
      expect(at(lost)).toBeLessThanOrEqual(180);
    }),
  );
});

test.each([
  ['some was lost', 100, 540, 360, 'Bo Lee lost 3 h of 9 h of care in 28 days.'],
  ['nothing was lost', 100, 540, 540, null],
  ['nothing was booked', 100, 0, 0, null],
  ['a person set the priority', 250, 540, 360, 'Bo Lee’s priority is 250%, set by hand.'],
])(
  'given that %s, a sentence says what decides the priority, if anything does',
  (_case, set, booked, delivered, sentence) => {
    expect(prioritySentence('Bo Lee', set, { booked, delivered })).toBe(sentence);
  },
);
