import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsInView } from './windowing.ts';

const heights = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 60 });

test('given rows of any height, exactly the rows that overlap the visible area are drawn', () => {
  fc.assert(
    fc.property(
      heights,
      fc.integer({ min: -200, max: 4000 }),
      fc.integer({ min: 1, max: 900 }),
      (list, from, length) => {
        const tops = [0];
        for (const height of list) tops.push((tops.at(-1) ?? 0) + height);
        const { first, end } = rowsInView(tops, from, from + length);
        const touching = list.flatMap((height, row) => {
          const top = tops[row] ?? 0;
          return top < from + length && top + height > from ? [row] : [];
        });
        expect(Array.from({ length: end - first }, (_, i) => first + i)).toEqual(touching);
      },
    ),
  );
});
