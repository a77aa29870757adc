import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps, subtract, timeAtWork, type FreeTime, type Interval, type ToldStretch } from '@clinic/domain';
import type { Answer } from '../tell/memory/call-day.ts';
import { freeTold } from './free-told.ts';

const HOURS = Array.from({ length: 10 }, (_, i) => i + 8);
const window = fc
  .tuple(fc.constantFrom(...HOURS), fc.integer({ min: 1, max: 4 }))
  .map(([start, hours]): Interval => ({ start: start * 60, end: (start + hours) * 60 }));
const free = fc
  .record({ window, how: fc.constantFrom<FreeTime['how']>('released', 'stand-by', 'near') })
  .map(({ window: { start, end }, how }): FreeTime => ({ start, end, how, until: end }));
const said = fc.record({
  answer: fc.constantFrom<Answer['answer']>('told', 'left-message', 'not-told', 'no-answer'),
  day: fc.array(window, { maxLength: 2 }),
  free: fc.array(free, { maxLength: 2 }),
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

const asAnswer = ({ answer, day, free: times }: Said) => {
  const hears = answer === 'told' || answer === 'left-message';
  const sessions = day.map((s): ToldStretch => ({ ...s, with: 'bo', service: 'direct' }));
  return { person: 'therapist:kai' as const, answer, day: hears ? sessions : null, free: hears ? times : [] };
};

/** What the last call that counts said of one hour: where the therapist is then. */
function lastSaid(calls: readonly Said[], at: number): 'released' | 'stand-by' | undefined {
  const counts: Said[] = [];
  for (const call of calls) {
    const taken = call.answer === 'not-told' ? counts.findLastIndex(({ answer }) => answer === 'told') : -1;
    if (taken >= 0) counts.splice(taken, 1);
    if (call.answer === 'told' || call.answer === 'left-message') counts.push(call);
  }
  const is = (w: Interval): boolean => overlaps(w, { start: at, end: at + 1 });
  let how: 'released' | 'stand-by' | undefined;
  for (const { day, free: times } of counts) {
    const own = new Set(times.filter(is).map((time) => time.how));
    if (own.has('near') && how === 'stand-by') how = undefined;
    if (own.has('stand-by')) how = 'stand-by';
    if (own.has('released')) how = 'released';
    if (day.some(is)) how = undefined;
  }
  return how;
}

test('whatever calls said, and took back, someone is released or stands by exactly when the last call that counts says so', () => {
  // The page offers no two ways to be free at one time.
  const call = said.filter(({ free: [a, b] }) => !a || !b || !overlaps(a, b));
  fc.assert(
    fc.property(fc.array(call, { maxLength: 6 }), (calls) => {
      const { released, standBy } = freeTold(calls.map(asAnswer));
      for (const hour of HOURS) {
        const at = { start: hour * 60, end: hour * 60 + 1 };
        const how = lastSaid(calls, at.start);
        expect([released.some((w) => overlaps(w, at)), standBy.some((w) => overlaps(w, at))]).toEqual([
          how === 'released',
          how === 'stand-by',
        ]);
      }
    }),
    { numRuns: 300 },
  );
});

test('nobody counts as at work in time from which they were released', () => {
  fc.assert(
    fc.property(fc.array(window, { maxLength: 4 }), fc.array(window, { maxLength: 3 }), (sessions, released) => {
      const there = timeAtWork(sessions, released);
      expect(there.filter((time) => released.some((w) => overlaps(w, time)))).toEqual([]);
      expect(subtract(subtract(sessions, released), there)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
