import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorkClock, SLOWEST } from './work-clock.ts';

/** A thread that gets the processor for `worked` of `passed` milliseconds, one stretch after another. */
const stretches = fc.array(
  fc
    .integer({ min: 0, max: 1000 })
    .chain((passed) => fc.record({ passed: fc.constant(passed), worked: fc.integer({ min: 0, max: passed }) })),
  { minLength: 1, maxLength: 20 },
);

function runThrough(jobs: readonly (readonly { passed: number; worked: number }[])[]): number[] {
  const at = { worked: 7, clock: 1_000 };
  const clock = makeWorkClock({ worked: () => at.worked, clock: () => at.clock });
  let last = clock.now();
  return jobs.map((job) => {
    clock.begin();
    const began = clock.now();
    for (const { passed, worked } of job) {
      at.worked += worked;
      at.clock += passed;
      expect(clock.now()).toBeGreaterThanOrEqual(last);
      last = clock.now();
    }
    return last - began;
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('a job’s time is its work, however long others held the processor, and at least half of the clock’s', () => {
  fc.assert(
    fc.property(fc.array(stretches, { minLength: 1, maxLength: 5 }), (jobs) => {
      for (const [i, taken] of runThrough(jobs).entries()) {
        const worked = sum(jobs[i]!.map((each) => each.worked));
        const passed = sum(jobs[i]!.map((each) => each.passed));
        expect(taken).toBeCloseTo(Math.max(worked, passed / SLOWEST), 6);
      }
    }),
  );
});

test('this thread’s own work counts, and time in which it waits counts at least half', async () => {
  const clock = makeWorkClock();
  clock.begin();
  const started = clock.now();
  let steps = 0;
  while (clock.now() < started + 20) steps++;
  expect(steps).toBeGreaterThan(0);
  const from = clock.now();
  const waits = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 40));
  const waited = performance.now() - waits;
  clock.begin();
  expect(clock.now() - from).toBeGreaterThan(0);
  expect(clock.now() - started).toBeGreaterThanOrEqual((waited + 20) / SLOWEST);
});
