import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findClashes, type Claim, type ClaimsByClient, type Choice } from './mix.ts';

const CLIENTS = ['Bo Lee', 'Mo Diaz', 'Ivy Cole', 'constructor'];
const OPTIONS = ['Option 1', 'Option 2', 'Option 3'];

const claim: fc.Arbitrary<Claim> = fc
  .record({
    therapist: fc.constantFrom('T1', 'T2'),
    from: fc.nat(20),
    length: fc.integer({ min: 1, max: 8 }),
    changed: fc.boolean(),
  })
  .map(({ length, ...c }) => ({ ...c, to: c.from + length }));
const claims: fc.Arbitrary<ClaimsByClient> = fc
  .array(fc.array(fc.array(claim, { maxLength: 2 }), { minLength: 3, maxLength: 3 }), { minLength: 4, maxLength: 4 })
  .map((byClient) =>
    Object.fromEntries(
      byClient.map((byOption, c) => [
        CLIENTS[c] ?? '',
        Object.fromEntries(byOption.map((list, o) => [OPTIONS[o] ?? '', list])),
      ]),
    ),
  );
const choice: fc.Arbitrary<Choice> = fc
  .array(fc.constantFrom(...OPTIONS), { minLength: 4, maxLength: 4 })
  .map((list) => Object.fromEntries(list.map((option, c) => [CLIENTS[c] ?? '', option])));

/**
 * Finds clashes by checking every minute: pairs of clients who have the same therapist at once, where at least one of
 * the two pieces is changed.
 */
function clashingMinutes(all: ClaimsByClient, chosen: Choice): string[] {
  const found = new Set<string>();
  for (let minute = 0; minute < 30; minute++) {
    for (const [i, a] of CLIENTS.entries()) {
      for (const b of CLIENTS.slice(i + 1)) {
        for (const x of all[a]?.[chosen[a] ?? ''] ?? []) {
          for (const y of all[b]?.[chosen[b] ?? ''] ?? []) {
            const both = x.from <= minute && minute < x.to && y.from <= minute && minute < y.to;
            if (both && x.therapist === y.therapist && (x.changed || y.changed)) {
              found.add(`${x.therapist} ${minute} ${[a, b].sort().join(' & ')}`);
            }
          }
        }
      }
    }
  }
  return [...found].sort();
}

test('the clashes of a mix are exactly those found by checking every minute', () => {
  fc.assert(
    fc.property(claims, choice, (all, chosen) => {
      const found = new Set<string>();
      for (const clash of findClashes(all, chosen)) {
        expect(clash.from).toBeLessThan(clash.to);
        expect(clash.options).toEqual(clash.clients.map((client) => chosen[client]));
        for (let m = clash.from; m < clash.to; m++)
          found.add(`${clash.therapist} ${m} ${clash.clients.toSorted().join(' & ')}`);
      }
      expect([...found].sort()).toEqual(clashingMinutes(all, chosen));
    }),
    { numRuns: 500 },
  );
});

test('two unchanged pieces may overlap, since they already did', () => {
  const stays = { therapist: 'T1', from: 0, to: 60, changed: false };
  const all = {
    'Bo Lee': { 'Option 1': [stays] },
    'Mo Diaz': { 'Option 1': [stays], 'Option 2': [{ ...stays, changed: true }] },
  };
  expect(findClashes(all, { 'Bo Lee': 'Option 1', 'Mo Diaz': 'Option 1' })).toEqual([]);
  expect(findClashes(all, { 'Bo Lee': 'Option 1', 'Mo Diaz': 'Option 2' })).toHaveLength(1);
});
