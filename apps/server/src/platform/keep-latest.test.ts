import { expect, test } from 'vitest';
import { keepLatest } from './keep-latest.ts';

test('the values used least recently are forgotten first', () => {
  const kept = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c']) keepLatest(kept, key, 1, 2);
  expect([...kept.keys()]).toEqual(['a', 'c']);
});
