import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idGiver } from './profile-names.ts';

test('given existing ids, new ids continue above the largest; imported ids in another format are ignored', () => {
  expect(idGiver('therapist', [])()).toBe('T-0001');
  const next = idGiver('client', ['C-0007', 'C-9', 'T-0500', 'C-x', 'c-80', 'C-999999999999999', 'C-1e9']);
  expect([next(), next()]).toEqual(['C-0010', 'C-0011']);
});

test('given an existing id with the highest possible number, new ids take the smallest free numbers', () => {
  const next = idGiver('client', ['C-0001', 'C-0003', 'C-999999999']);
  expect([next(), next(), next()]).toEqual(['C-0002', 'C-0004', 'C-0005']);
});

test('given any existing ids, a new id is never among them', () => {
  const id = fc.oneof(
    fc
      .tuple(fc.constantFrom('T-', 'C-', 't-', 'T'), fc.bigInt({ min: 0n, max: 10n ** 18n }))
      .map(([p, n]) => `${p}${n}`),
    fc.constantFrom('T-999999999', 'T-999999998', 'T-0001', 'T-1', 'T-00000000000001'),
  );
  fc.assert(
    fc.property(fc.array(id), fc.integer({ min: 1, max: 5 }), (taken, count) => {
      const next = idGiver('therapist', taken);
      const given = Array.from({ length: count }, next);
      expect(new Set([...given, ...taken]).size).toBe(count + new Set(taken).size);
    }),
  );
});
