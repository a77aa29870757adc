import { addDays, isoDate, type IsoDate } from '@clinic/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continuityOf, type MetDay } from './continuity.ts';

const DATE = isoDate('2026-11-20');
const day = (id: string, ago: number, minutes = 60, sessions = 1): MetDay => ({
  id,
  date: addDays(DATE, -ago),
  sessions,
  minutes,
});

test('hours count with the team from the fourth session in four weeks on', () => {
  const three = [1, 8, 15].map((ago) => day('ana', ago));
  expect(continuityOf([...three, day('kai', 2, 30)], DATE).continuity).toEqual({ people: 2, minutes: 210, team: 0 });
  const four = [...three, day('ana', 28), day('kai', 2, 30)];
  expect(continuityOf(four, DATE).continuity).toEqual({ people: 2, minutes: 270, team: 240 });
  const fiveWeeksAgo = [...three, day('ana', 29), day('kai', 2, 30)];
  expect(continuityOf(fiveWeeksAgo, DATE).continuity).toEqual({ people: 2, minutes: 210, team: 0 });
});

test('who was met before the four weeks is not new, and who was met only then is listed without hours', () => {
  const { met } = continuityOf([day('kai', 40), day('lin', 60), day('kai', 3), day('ana', 2, 90)], DATE);
  expect(met.map(({ id, isNew, minutes, last }) => [id, isNew, minutes, last])).toEqual([
    ['ana', true, 90, '2026-11-18'],
    ['kai', false, 60, '2026-11-17'],
    ['lin', false, 0, '2026-09-21'],
  ]);
});

const days = fc.array(
  fc.record({
    id: fc.constantFrom('ana', 'kai', 'lin', 'max'),
    date: fc.integer({ min: 1, max: 90 }).map((ago): IsoDate => addDays(DATE, -ago)),
    sessions: fc.integer({ min: 1, max: 3 }),
    minutes: fc.integer({ min: 1, max: 240 }),
  }),
  { maxLength: 40 },
);

test('the figure is the sum over people and dates, in any order, and the team’s part never exceeds it', () => {
  fc.assert(
    fc.property(days, fc.integer(), (all, seed) => {
      const { continuity, met } = continuityOf(all, DATE);
      const shuffled = all.map((each, i) => ({ each, at: Math.imul(i + 1, seed | 1) })).sort((a, b) => a.at - b.at);
      expect(
        continuityOf(
          shuffled.map(({ each }) => each),
          DATE,
        ).continuity,
      ).toEqual(continuity);
      const recent = all.filter(({ date }) => date >= addDays(DATE, -28));
      const countOf = (id: string) =>
        recent.filter((each) => each.id === id).reduce((n, { sessions }) => n + sessions, 0);
      expect(continuity).toEqual({
        people: new Set(recent.map(({ id }) => id)).size,
        minutes: recent.reduce((n, { minutes }) => n + minutes, 0),
        team: recent.filter(({ id }) => countOf(id) >= 4).reduce((n, { minutes }) => n + minutes, 0),
      });
      expect(continuity.team).toBeLessThanOrEqual(continuity.minutes);
      expect(new Set(met.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
      expect(met.filter(({ team }) => team).every(({ days: own }) => own.length > 0)).toBe(true);
    }),
  );
});
