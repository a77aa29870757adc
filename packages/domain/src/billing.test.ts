import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BILLING_CODES, type BillingCode } from './billing-codes.ts';
import { billableMinutes, codePair, codePairOf, type KeptTime } from './billing.ts';

const session = (code: BillingCode, ...kept: [start: number, end: number][]): KeptTime => ({
  code,
  kept: kept.map(([start, end]) => ({ start, end })),
});
const apart = () => false;
const together = () => true;

test.each<[string, KeptTime[], () => boolean, number[]]>([
  ['7 minutes are not a unit', [session('97153', [540, 547])], apart, [0]],
  ['8 minutes are a unit', [session('97153', [540, 548])], apart, [15]],
  [
    'two sessions of one code add up first',
    [session('97153', [540, 547]), session('97153', [600, 601])],
    apart,
    [0, 15],
  ],
  ['sessions of two codes do not add up', [session('97153', [540, 547]), session('97155', [600, 607])], apart, [0, 0]],
  [
    'codes that may be billed together',
    [session('97153', [540, 720]), session('97155', [600, 660])],
    together,
    [180, 60],
  ],
  [
    'codes that may not be billed together',
    [session('97153', [540, 720]), session('97155', [600, 780])],
    apart,
    [180, 60],
  ],
  [
    'two sessions of one code at the same time',
    [session('97153', [540, 600]), session('97153', [540, 600])],
    apart,
    [60, 0],
  ],
  [
    'time that was itself not billed takes nothing from a third session',
    [session('97151', [540, 600]), session('97153', [540, 660]), session('97155', [540, 600], [660, 690])],
    apart,
    [60, 60, 30],
  ],
])('billable minutes are counted in whole units for each code: %s', (_, sessions, may, minutes) => {
  expect(billableMinutes(sessions, may)).toEqual(minutes);
});

test('a pair of codes is the same in either order, and any other text is not a pair', () => {
  expect([codePairOf('97155+97153'), codePair('97155', '97153')]).toEqual(['97153+97155', '97153+97155']);
  expect([codePairOf('97153+97159'), codePairOf('97153'), codePairOf('97153+97155+97156')]).toEqual([null, null, null]);
});

const code = fc.constantFrom(...BILLING_CODES.slice(2, 6));
const sessions = fc
  .array(fc.record({ code, start: fc.integer({ min: 0, max: 60 }), minutes: fc.integer({ min: 1, max: 40 }) }), {
    maxLength: 6,
  })
  .map((list) => list.toSorted((a, b) => a.start - b.start));

test('the billable minutes for each code equal the whole units found by counting minute by minute', () => {
  fc.assert(
    fc.property(sessions, fc.array(fc.tuple(code, code)), (list, pairs) => {
      const allowed = new Set(pairs.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
      const got = billableMinutes(
        list.map((each) => session(each.code, [each.start, each.start + each.minutes])),
        (a, b) => allowed.has(`${a} ${b}`),
      );
      // At each minute, a session is billed unless a session already billed at that minute excludes it.
      const minutes = new Map<BillingCode, number>();
      for (let at = 0; at < 100; at++) {
        const billing: BillingCode[] = [];
        for (const each of list)
          if (
            each.start <= at &&
            at < each.start + each.minutes &&
            billing.every((b) => allowed.has(`${b} ${each.code}`))
          )
            billing.push(each.code);
        for (const each of billing) minutes.set(each, (minutes.get(each) ?? 0) + 1);
      }
      for (const each of BILLING_CODES) {
        const sum = got.reduce((n, of, i) => n + (list[i]?.code === each ? of : 0), 0);
        const own = minutes.get(each) ?? 0;
        expect(sum).toBe((Math.floor(own / 15) + (own % 15 >= 8 ? 1 : 0)) * 15);
      }
    }),
  );
});
