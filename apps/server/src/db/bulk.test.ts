import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonArrays } from './bulk.ts';

test('rows are divided in order into JSON arrays of limited size; a row above that size gets its own array', () => {
  const row = fc.record({ id: fc.nat(), text: fc.string({ unit: 'binary', maxLength: 40 }) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), fc.integer({ min: 1, max: 500 }), (rows, most) => {
      const arrays = [...jsonArrays(rows, most)].map((json) => ({ json, rows: JSON.parse(json) as unknown[] }));
      expect(arrays.flatMap((array) => array.rows)).toEqual(rows);
      for (const array of arrays)
        expect(array.rows.length === 1 || array.json.length <= most + 1 + array.rows.length).toBe(true);
    }),
  );
});
