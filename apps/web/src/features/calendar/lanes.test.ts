import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignLanes } from './lanes.ts';

const span = fc
  .tuple(fc.integer({ min: 0, max: 46 }), fc.integer({ min: 1, max: 12 }))
  .map(([from, width]) => ({ from, to: Math.min(48, from + width) }));

test('no two spans in the same lane overlap, so bars never hide each other', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 30 }), (spans) => {
      const { lanes, count } = assignLanes(spans);
      spans.forEach((a, i) =>
        spans.forEach((b, j) => {
          if (i < j && lanes[i] === lanes[j]) expect(a.to <= b.from || b.to <= a.from).toBe(true);
        }),
      );
      expect(count).toBe(Math.max(1, ...lanes.map((lane) => lane + 1)));
    }),
  );
});

test('given spans sorted by start, there are as many lanes as there are spans at the busiest time', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 30 }), (spans) => {
      const sorted = spans.toSorted((a, b) => a.from - b.from);
      const most = Math.max(1, ...sorted.map((s) => sorted.filter((o) => o.from <= s.from && s.from < o.to).length));
      expect(assignLanes(sorted).count).toBe(most);
    }),
  );
});

test('spans that only touch do not overlap, and share a lane', () => {
  expect(
    assignLanes([
      { from: 0, to: 4 },
      { from: 4, to: 8 },
    ]),
  ).toEqual({ lanes: [0, 0], count: 1 });
});
