import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRingDue, promiseToRing, ringAgainBy, ringDueAt, stillOpen } from './ring-again.ts';
import { day } from './testing/told-day.ts';
import type { ToldStretch } from './told-day.ts';

const open = (start: number, end: number, service: ToldStretch['service'] = 'direct'): ToldStretch => {
  return { start: start * 60, end: end * 60, with: null, service };
};

test('a promise is due from a quarter of an hour before its time, on its own day only', () => {
  const promise = { by: 9.5 * 60, about: [open(10.5, 12)] };
  expect([554, 555, 570, 900].map((clock) => isRingDue(promise, clock))).toEqual([false, true, true, true]);
  expect([null, 1440].map((clock) => isRingDue(promise, clock))).toEqual([false, false]);
});

test('a family is asked to wait until an hour before, unless that promise would be due at once', () => {
  expect([null, 0, 554].map((clock) => ringAgainBy(open(10.5, 12), clock))).toEqual([570, 570, 570]);
  expect([555, 570, 1440].map((clock) => ringAgainBy(open(10.5, 12), clock))).toEqual([null, null, null]);
  expect(ringAgainBy(open(0.5, 2), null)).toBeNull();
});

test('no offered promise is due at once, and each is about the time that it was offered for', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 1440 }), (stretches, clock) => {
      const times = stretches.filter((stretch) => ringAgainBy(stretch, clock) !== null);
      fc.pre(times.length > 0);
      const by = Math.min(...times.map((stretch) => ringAgainBy(stretch, clock) ?? 0));
      const promise = promiseToRing(stretches, by);
      expect(promise?.about).toEqual(times);
      expect(promise && isRingDue(promise, clock)).toBe(false);
      expect(promise && isRingDue(promise, ringDueAt(promise))).toBe(true);
    }),
  );
});

test('what is still open is the part of the promise’s time that has no therapist in the day', () => {
  const about = [open(10, 12)];
  const found = { ...open(10, 11), with: 'ana' };
  expect(stillOpen(about, [found, open(11, 13)])).toEqual([open(11, 12)]);
  expect(stillOpen(about, [open(10, 12, 'supervision')])).toEqual([]);
  expect(stillOpen(about, [])).toEqual([]);
  const isIn = (stretches: readonly ToldStretch[], service: string, m: number): boolean =>
    stretches.some((s) => s.with === null && s.service === service && s.start <= m && m < s.end);
  fc.assert(
    fc.property(day, day, fc.integer({ min: 480, max: 550 }), (a, b, m) => {
      const nobody = a.filter((stretch) => stretch.with === null);
      const left = stillOpen(nobody, b);
      for (const service of ['direct', 'supervision', 'admin'])
        expect(isIn(left, service, m)).toBe(isIn(nobody, service, m) && isIn(b, service, m));
    }),
  );
});
