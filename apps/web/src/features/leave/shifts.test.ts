import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StandingPrice } from '@clinic/contract';
import { addDays, datesFrom, dayOfWeek, daysBetween, isoDate } from '@clinic/domain';
import { costsLess, shiftsOf } from './shifts.ts';

const DAY = isoDate('2030-01-07');

test('[WKS-03] every shifted range has as many days of absence, begins within two weeks, and none is left out', () => {
  const range = fc.record({
    start: fc.nat(30),
    days: fc.nat(60),
    weekdays: fc.uniqueArray(fc.nat(6), { minLength: 1 }),
    soonest: fc.nat(30),
  });
  fc.assert(
    fc.property(range, ({ start, days, weekdays, soonest }) => {
      const first = addDays(DAY, start);
      const last = addDays(first, days);
      const day = addDays(DAY, soonest);
      const on = (a: typeof first, b: typeof first) => datesFrom(a, b).filter((d) => weekdays.includes(dayOfWeek(d)));
      const own = on(first, last);
      const shifts = shiftsOf({ first, last }, { weekdays, soonest: day, filled: null });
      for (const shift of shifts) {
        expect(on(shift.first, shift.last).length).toBe(own.length);
        expect(Math.abs(daysBetween(first, shift.first))).toBeLessThanOrEqual(14);
      }
      const could = on(addDays(first, -14), addDays(first, 14)).filter((d) => d >= day && d !== own[0]);
      expect(shifts.map((each) => each.first).sort()).toEqual(own.length === 0 ? [] : could);
      const steps = shifts.map((each) => Math.abs(on(first, each.first).length - on(each.first, first).length));
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
      // Where the calendar ends within the absence, later ranges would cost less only because nothing is booked yet.
      const early = shiftsOf({ first, last }, { weekdays, soonest: day, filled: first });
      expect(early).toEqual(shifts.filter((each) => each.first < first));
    }),
  );
});

test('[WKS-03] dates cost less only where no figure is worse', () => {
  const price = (minutes: number, names: string[]): StandingPrice => ({
    from: DAY,
    until: DAY,
    sessions: 9,
    minutes: 900,
    open: { sessions: 1, minutes, authorized: 0 },
    faces: names.length > 0 ? [{ child: 'Bo', names }] : [],
    supervision: [],
    proven: true,
  });
  expect(costsLess(price(60, ['Kai']), price(120, ['Kai']))).toBe(true);
  expect(costsLess(price(60, ['Kai', 'Mia']), price(120, ['Kai']))).toBe(false);
  expect(costsLess(price(60, ['Kai']), price(60, ['Kai']))).toBe(false);
});
