import { expect, test } from 'vitest';
import { groupBy, mapValues, pushTo } from './lists.ts';

test('grouped values keep their order under each key, and the keys come in the order of their first value', () => {
  const groups = groupBy([3, 1, 4, 1, 5], (n): string => (n % 2 === 0 ? 'even' : 'odd'));
  expect([...groups]).toEqual([
    ['odd', [3, 1, 1, 5]],
    ['even', [4]],
  ]);
  pushTo(groups, 'even', 6);
  pushTo(groups, 'none', 0);
  expect([groups.get('even'), groups.get('none')]).toEqual([[4, 6], [0]]);
});

test('a record with changed values keeps its keys', () => {
  expect(mapValues({ Bo: 1, Mo: 2 }, (n, name) => `${name}: ${n + 1}`)).toEqual({ Bo: 'Bo: 2', Mo: 'Mo: 3' });
});
