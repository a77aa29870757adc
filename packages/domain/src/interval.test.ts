import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, intersect, minutesOf, overlaps, subtract, union, type Interval } from './interval.ts';

const MOST = 40;
// Includes empty and reversed intervals, which contain no point.
const interval = fc.record({ start: fc.nat(MOST), end: fc.nat(MOST) });
const intervals = fc.array(interval, { maxLength: 8 });
const real = interval.filter((i) => i.start < i.end);

/** The points that a list of intervals contains, found by checking every point, to compare the functions with. */
const points = (list: readonly Interval[]): number[] =>
  Array.from({ length: MOST + 1 }, (_, p) => p).filter((p) => list.some((i) => i.start <= p && p < i.end));

function isTidy(list: readonly Interval[]): boolean {
  return list.every((i, n) => i.start < i.end && (n === 0 || (list[n - 1]?.end ?? 0) < i.start));
}

test('two intervals overlap exactly when they share a point, in either order of arguments', () => {
  fc.assert(
    fc.property(real, real, (a, b) => {
      const shared = points([a]).filter((p) => points([b]).includes(p));
      expect(overlaps(a, b)).toBe(shared.length > 0);
      expect(overlaps(b, a)).toBe(overlaps(a, b));
      expect(points(intersect(a, b) ? [intersect(a, b) as Interval] : [])).toEqual(shared);
      expect(contains(a, b)).toBe(points([b]).every((p) => points([a]).includes(p)));
    }),
  );
});

test('windows that only touch do not overlap', () => {
  expect(overlaps({ start: 0, end: 15 }, { start: 15, end: 30 })).toBe(false);
  expect(intersect({ start: 0, end: 15 }, { start: 15, end: 30 })).toBeNull();
});

test('a union contains the same points in as few intervals as possible', () => {
  fc.assert(
    fc.property(intervals, (list) => {
      const joined = union(list);
      expect(points(joined)).toEqual(points(list));
      expect(isTidy(joined)).toBe(true);
      expect(minutesOf(joined)).toBe(points(list).length);
      expect(union(joined)).toEqual(joined);
    }),
  );
});

test('subtracting leaves exactly the points outside the subtracted intervals', () => {
  fc.assert(
    fc.property(intervals, intervals, (from, taken) => {
      const left = subtract(from, taken);
      expect(points(left)).toEqual(points(from).filter((p) => !points(taken).includes(p)));
      expect(isTidy(left)).toBe(true);
    }),
  );
});

test('joining and subtracting do not change the lists passed in', () => {
  fc.assert(
    fc.property(intervals, intervals, (a, b) => {
      const copies = structuredClone([a, b]);
      union(a);
      subtract(a, b);
      expect([a, b]).toEqual(copies);
    }),
  );
});

test('empty and reversed windows have no minutes', () => {
  expect(
    minutesOf([
      { start: 30, end: 10 },
      { start: 5, end: 5 },
      { start: 0, end: 15 },
    ]),
  ).toBe(15);
});
