import { expect, test } from 'vitest';
import { planned, testDay } from './constraints/test-day.ts';
import { figuresOf, reserveOf } from './figures.ts';
import type { CoverModel, Plan } from './model.ts';

const model = testDay();
const planOf = (day: CoverModel, said: Record<string, string>): Plan =>
  planned(day, said).parts.map((p) =>
    p.pieces.map((x) => ({ therapist: x.therapist?.index ?? -1, from: x.from, to: x.to })),
  );

test('minutes, changes, swaps and new faces of a plan', () => {
  const plan = planOf(model, {
    a: 'D 09:00-11:00, - 11:00-12:00',
    b: 'E 09:00-10:00, B 10:00-12:00',
    d: 'B 13:00-15:00',
  });
  expect(figuresOf(model, plan)).toEqual({
    // Three hours each of a and b, one each of n and v.
    minutesNeeding: 8 * 60,
    minutesKept: 5 * 60,
    minutesUncovered: 3 * 60,
    // Dan and Eve come, and d moves to Ben.
    changes: 3,
    swaps: 1,
    newFaces: 1,
  });
});

test('with nothing given, everything is uncovered and nothing changes', () => {
  expect(figuresOf(model, planOf(model, {}))).toMatchObject({
    minutesKept: 0,
    minutesUncovered: 480,
    changes: 0,
    swaps: 0,
  });
});

test('the reserve is what is available, present and free under the plan', () => {
  const free = new Map(reserveOf(model, planOf(model, { a: 'D 09:00-12:00' })).map((r) => [r.therapist, r.free]));
  expect(free.get('A')).toBeUndefined();
  expect(free.get('B')).toEqual([{ start: '10:00', end: '17:00' }]);
  expect(free.get('C')).toEqual([
    { start: '08:00', end: '08:30' },
    { start: '09:30', end: '15:00' },
    { start: '16:00', end: '17:00' },
  ]);
  expect(free.get('D')).toEqual([
    { start: '08:00', end: '09:00' },
    { start: '12:00', end: '13:00' },
    { start: '15:00', end: '17:00' },
  ]);
});

test('today the reserve begins now', () => {
  const today = testDay((p) => (p.now = '15:50'));
  const free = reserveOf(today, planOf(today, {})).find((r) => r.therapist === 'D');
  expect(free?.free).toEqual([{ start: '16:00', end: '17:00' }]);
});
