import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_CARE, prioritySentence, priorityOf, type Care, type RecentCare } from './care.ts';

const on = (booked: number, lost: number): Care => ({ booked, lost });
/** Care of which nothing was booked in the last week. */
const before = (booked: number, lost: number, week = on(0, 0)): RecentCare => ({ booked, lost, week });

test.each([
  ['everything took place and nothing is open', before(1080, 0), on(120, 0), 60],
  ['half a hundredth is lost if no one comes', before(1100, 6, on(300, 0)), on(100, 0), 105],
  ['a hundredth was lost before', before(1100, 12, on(1100, 12)), on(100, 0), 150],
  ['a hundredth is lost if no one comes', before(1100, 0, on(1100, 0)), on(100, 12), 150],
  ['a tenth is lost if no one comes', before(1080, 0, on(1080, 0)), on(120, 120), 158],
  ['as much was lost before', before(1080, 120, on(1080, 120)), on(120, 120), 168],
  ['a tenth of the last week is lost if no one comes', before(5000, 0, on(1080, 0)), on(120, 120), 158],
  ['a tenth was lost, but nothing in the last week', before(1080, 120, on(300, 0)), on(120, 0), 158],
  ['a third is lost if no one comes', before(1080, 280, on(300, 0)), on(120, 120), 180],
  ['all is lost if no one comes', before(1080, 1080, on(300, 300)), on(120, 120), 180],
  ['nothing was booked before, and the first session is open', NO_CARE, on(120, 60), 150],
  ['nothing was booked before, and nothing is open', NO_CARE, on(120, 0), 100],
])('given that %s, the priority is as documented', (_case, care, onDate, priority) => {
  expect(priorityOf(100, care, onDate)).toBe(priority);
});

test('a priority set by a person wins, and more lost or open care never lowers the priority', () => {
  expect(priorityOf(250, before(100, 0), on(100, 100))).toBe(250);
  const minutes = fc.integer({ min: 1, max: 5000 });
  const some = fc.integer({ min: 0, max: 5000 });
  fc.assert(
    fc.property(minutes, some, some, some, (booked, lost, today, open) => {
      const at = (n: number, m: number) =>
        priorityOf(100, before(booked, Math.min(booked, n)), on(today, Math.min(today, m)));
      expect(at(lost + 1, open)).toBeGreaterThanOrEqual(at(lost, open));
      expect(at(lost, open + 1)).toBeGreaterThanOrEqual(at(lost, open));
      expect(at(lost, open)).toBeGreaterThanOrEqual(60);
      expect(at(lost, open)).toBeLessThanOrEqual(180);
    }),
  );
});

test.each([
  ['some was lost', 100, before(540, 180), 'Bo Lee lost 3 h of 9 h of care in 28 days.'],
  ['more of the last week was lost', 100, before(540, 180, on(120, 60)), 'Bo Lee lost 1 h of 2 h of care in 7 days.'],
  ['less of the last week was lost', 100, before(540, 180, on(240, 60)), 'Bo Lee lost 3 h of 9 h of care in 28 days.'],
  ['nothing was lost', 100, before(540, 0, on(120, 0)), null],
  ['nothing was booked', 100, NO_CARE, null],
  ['a person set the priority', 250, before(540, 180), 'Bo Lee’s priority is 250%, set by hand.'],
])('given that %s, a sentence says what decides the priority, if anything does', (_case, set, care, sentence) => {
  expect(prioritySentence('Bo Lee', set, care)).toBe(sentence);
});
