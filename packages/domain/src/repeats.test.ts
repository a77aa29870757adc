import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recogniseRepeats, type Repeating } from './repeats.ts';
import { addDays, dayOfWeek, isoDate, type IsoDate } from './time.ts';

const MONDAY = isoDate('2026-09-07');

const session = (week: number, more: Partial<Repeating> = {}): Repeating => ({
  date: addDays(MONDAY, 7 * week),
  client: 'C1',
  therapist: 'T1',
  coveredFor: null,
  subject: 'Direct Therapy',
  start: 510,
  end: 690,
  held: true,
  ...more,
});
const weeks = (n: number, more: (week: number) => Partial<Repeating> = () => ({})): Repeating[] =>
  Array.from({ length: n }, (_, week) => session(week, more(week)));

test('given 13 Mondays, one of them covered, the series has 12 of 13 and names who covered it', () => {
  const [repeat, ...others] = recogniseRepeats(weeks(13, (week) => (week === 4 ? { therapist: 'T9' } : {})));
  expect(others).toEqual([]);
  expect(repeat).toMatchObject({ therapist: 'T1', weekday: 1, weeks: 13, held: 12, cancelled: 0 });
  expect([...(repeat?.covered ?? [])]).toEqual([['T9', 1]]);
  expect(repeat?.sessions).toHaveLength(13);
});

test('a cover that was committed here counts for whoever was booked before', () => {
  const covered = weeks(4, (week) => (week > 0 ? { therapist: 'T9', coveredFor: 'T1' } : {}));
  expect(recogniseRepeats(covered)).toMatchObject([{ therapist: 'T1', held: 1, weeks: 4 }]);
});

test('two weeks are no series, three are; every second week is none', () => {
  expect(recogniseRepeats(weeks(2))).toEqual([]);
  expect(recogniseRepeats(weeks(3))).toHaveLength(1);
  expect(recogniseRepeats(weeks(13).filter((_, week) => week % 2 === 0))).toEqual([]);
  expect(recogniseRepeats(weeks(5).filter((_, week) => week % 2 === 0))).toEqual([]);
});

test('someone who stood in for weeks has no series; someone who took over has', () => {
  const stoodIn = recogniseRepeats(weeks(13, (week) => (week >= 4 && week < 8 ? { therapist: 'T9' } : {})));
  expect(stoodIn.map((each) => each.therapist)).toEqual(['T1']);
  const tookOver = recogniseRepeats(weeks(13, (week) => (week >= 6 ? { therapist: 'T9' } : {})));
  expect(tookOver.map((each) => each.therapist).sort()).toEqual(['T1', 'T9']);
});

test('both therapists of a client with two have a series', () => {
  const both = [...weeks(6), ...weeks(6, () => ({ therapist: 'T2' }))];
  expect(
    recogniseRepeats(both)
      .map((each) => each.therapist)
      .sort(),
  ).toEqual(['T1', 'T2']);
});

test('sessions cancelled at the end do not make the series longer', () => {
  const [repeat] = recogniseRepeats(weeks(10, (week) => (week >= 7 || week === 2 ? { held: false } : {})));
  expect(repeat).toMatchObject({ weeks: 7, held: 6, cancelled: 1 });
});

/** A clinic's history: true series, with covers, cancellations and moves, and sessions that belong to none. */
const historyOf = (seed: number): { rows: Repeating[]; truth: Set<string> } => {
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = (n: number): number => Math.floor(random() * n);
  const rows: Repeating[] = [];
  const truth = new Set<string>();
  for (let c = 0; c < 12; c++) {
    const client = `C${c}`;
    const days = [1, 2, 3, 4, 5].sort(() => random() - 0.5).slice(0, 1 + pick(4));
    for (const day of days) {
      const therapist = `T${pick(20)}`;
      const start = 480 + 30 * pick(16);
      const [end, from] = [start + 60 + 30 * pick(5), pick(12)];
      const count = 6 + pick(14);
      const leave = count >= 10 && random() < 0.2 ? 2 + pick(count - 8) : -9;
      const standIn = `T${20 + pick(20)}`;
      truth.add([client, day, start, end, therapist].join(' '));
      for (let week = 0; week < count; week++) {
        const date: IsoDate = addDays(MONDAY, 7 * (from + week) + day - 1);
        const row = session(0, { date, client, therapist, start, end });
        const chance = random();
        if (week >= leave && week < leave + 4) rows.push({ ...row, therapist: standIn });
        else if (chance < 0.08) rows.push({ ...row, therapist: `T${20 + pick(20)}` });
        else if (chance < 0.16) rows.push({ ...row, held: false });
        else if (chance < 0.22) rows.push({ ...row, date: addDays(date, 1), start: start + 60, end: end + 60 });
        else if (chance < 0.25) continue;
        else rows.push(row);
      }
    }
    for (let i = pick(6); i > 0; i--)
      rows.push(
        session(0, {
          date: addDays(MONDAY, pick(180)),
          client,
          therapist: `T${pick(40)}`,
          start: 480 + 30 * pick(16),
          end: 990,
        }),
      );
  }
  return { rows, truth };
};

test('of generated histories, 99 % of what is recognised is true and 95 % of what is true is recognised', () => {
  let [found, right, wanted] = [0, 0, 0];
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const { rows, truth } = historyOf(seed);
      const repeats = recogniseRepeats(rows);
      found += repeats.length;
      wanted += truth.size;
      for (const { therapist, weekday, sessions } of repeats) {
        const [one] = sessions;
        if (one && truth.has([one.client, weekday, one.start, one.end, therapist].join(' '))) right++;
        expect(sessions.every((each) => dayOfWeek(each.date) === weekday)).toBe(true);
      }
    }),
    { seed: 42, numRuns: 300 },
  );
  expect(right / found).toBeGreaterThanOrEqual(0.99);
  expect(right / wanted).toBeGreaterThanOrEqual(0.95);
});
