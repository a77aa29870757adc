import { loadHighs, solve, toAnswer, type CoverProblem, type KnownDay } from '@clinic/cover-engine';
import { coverDay } from '@clinic/testkit';
import { afterEach, expect, test } from 'vitest';
import { isWorthKeeping, makeKnownDays, pinnedDay } from './known-days.ts';
import { createSolverPool, type SolverPool } from './pool.ts';

/** A day on which a refresh has several plans of equal worth, and gives another one with what the first solve knows. */
const day: CoverProblem = {
  ...coverDay({ seed: 9, therapists: 20, clients: 24, absent: 0.2, hard: true }),
  pins: [],
};

const pinsOf = (count: number): NonNullable<CoverProblem['pins']> =>
  day.sessions.slice(0, count).map(({ id }) => ({ session: id, pieces: [] }));
const bytes = (count: number) => new SharedArrayBuffer(count);

let pool: SolverPool | undefined;
afterEach(async () => pool?.close());

test('what is known of a day is found for more pins and for a later minute of the same quarter hour, and for nothing else', () => {
  const days = makeKnownDays();
  const known = bytes(8);
  const at = (now: string, pins: number) => pinnedDay({ ...day, now, pins: pinsOf(pins) });
  days.keep(at('09:01', 1), known);
  expect(days.find(at('09:15', 2))).toBe(known);
  expect(days.find(at('09:15', 1))).toBeNull();
  expect(days.find(at('09:15', 0))).toBeNull();
  expect(days.find(at('09:16', 2))).toBeNull();
  expect(days.find(pinnedDay({ ...day, now: '09:15', location: 'elsewhere', pins: pinsOf(2) }))).toBeNull();
});

test('of one day, only what the solve with the fewest pins knows is kept', () => {
  const days = makeKnownDays();
  const at = (pins: number) => pinnedDay({ ...day, pins: pinsOf(pins) });
  const [more, less] = [bytes(8), bytes(8)];
  days.keep(at(2), more);
  expect(days.isNew(at(3))).toBe(false);
  days.keep(at(1), less);
  days.keep(at(2), more);
  expect(days.find(at(3))).toBe(less);
});

test('the day that was needed longest ago goes first when there are too many days, or too many bytes', () => {
  const at = (date: number, pins: number) => pinnedDay({ ...day, date: `2026-12-0${date}`, pins: pinsOf(pins) });
  for (const days of [makeKnownDays(2, 1000), makeKnownDays(100, 20)]) {
    for (const date of [1, 2]) days.keep(at(date, 0), bytes(8));
    days.find(at(1, 1));
    days.keep(at(3, 0), bytes(8));
    expect([1, 2, 3].map((date) => days.find(at(date, 1)) !== null)).toEqual([true, false, true]);
  }
});

test('a solve of few rounds, or one that looked for alternatives, is not kept', async () => {
  const some = toAnswer(solve(day, { highs: await loadHighs(), strategies: ['balanced'] })).options;
  const three = [some[0]!, some[0]!, some[0]!];
  expect(isWorthKeeping({ rounds: 25 }, three)).toBe(true);
  expect(isWorthKeeping({ rounds: 24 }, three)).toBe(false);
  expect(isWorthKeeping({ rounds: 25 }, three.slice(1))).toBe(false);
  expect(isWorthKeeping({ rounds: 25 }, [...three.slice(1), { ...three[0]!, strategy: 'alternative' }])).toBe(false);
});

test('after a first solve, a refresh begins with what that solve knows, whichever worker does it and however often', async () => {
  pool = createSolverPool({
    size: 2,
    seconds: 60,
    memoryLimitMb: 512,
    queueLimit: 9,
    queueLimitOfOne: 9,
    waitSeconds: 600,
    workerData: { warmUp: false },
  });
  const highs = await loadHighs();
  const known: KnownDay[] = [];
  const first = toAnswer(solve(day, { highs, onKnown: (each) => void known.push(each) })).options;
  const pins = first[0]!.sessions.slice(0, 1);
  const with1 = toAnswer(solve({ ...day, pins }, { highs, knownDay: () => known[0]! })).options;
  const without = toAnswer(solve({ ...day, pins }, { highs })).options;
  expect(with1).not.toEqual(without);
  expect((await pool.solve(day)).ok).toBe(true);
  for (let times = 0; times < 2; times++) {
    const answers = await Promise.all([pool.solve({ ...day, pins }), pool.solve({ ...day, pins })]);
    for (const answer of answers) expect(answer.ok && answer.options.map(({ option }) => option)).toEqual(with1);
  }
});
