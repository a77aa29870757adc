import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps } from '../interval.ts';
import { sayFree } from './day-words.ts';
import { freeTime, type CoverNeed, type FreeTimeFacts } from './free-time.ts';
import { netChanges, type ToldStretch } from './told-day.ts';

const s = (start: number, end: number, other = 'bo'): ToldStretch => ({
  start: start * 60,
  end: end * 60,
  with: other,
  service: 'direct',
});
const need = (start: number, end: number, asked = true): CoverNeed => ({ start: start * 60, end: end * 60, asked });
const free = (told: ToldStretch[], now: ToldStretch[], more: Partial<FreeTimeFacts> = {}): string[] =>
  freeTime({ changes: netChanges(told, now), day: now, away: [], needs: [], clock: null, ...more }).map(
    ({ how, start, end, until }) => [how, start / 60, end / 60, until / 60].join(' '),
  );

test('given someone who may be needed for what another is asked for, then they are not released for the time until that is known', () => {
  expect(free([s(8, 12)], [])).toEqual(['released 8 24 24']);
  expect(free([s(8, 12)], [], { needs: [need(8.5, 11.5)] })).toEqual(['near 8 24 8.5']);
  // Also for a session that begins after the time that they lost, while they would be on their way home.
  expect(free([s(8, 12)], [], { needs: [need(13, 15), need(8.5, 11.5)] })).toEqual(['near 8 24 13']);
  // Not beyond their next own session, and not while they are away.
  expect(free([s(8, 9), s(10, 12)], [s(10, 12)], { needs: [need(13, 15)] })).toEqual(['released 8 10 10']);
  expect(free([s(8, 9)], [], { needs: [need(13, 15)], away: [{ start: 720, end: 1440 }] })).toEqual([
    'released 8 24 24',
  ]);
  // Of a session under way, until its end.
  expect(free([s(8, 12)], [], { needs: [need(8.5, 11.5)], clock: 9 * 60 })).toEqual(['near 8 24 11.5']);
  expect(free([s(8, 12)], [], { needs: [need(9, 10, false)] })).toEqual(['stand-by 8 12 12']);
});

test('whoever may be needed for what someone is asked for is never released for that time', () => {
  const time = fc.integer({ min: 16, max: 40 }).map((n) => n / 2);
  const windows = fc.array(fc.tuple(time, time), { maxLength: 4 }).map((all) => all.filter(([a, b]) => a < b));
  fc.assert(
    fc.property(windows, windows, windows, (told, now, asked) => {
      const needs = asked.map(([a, b]) => need(a, b));
      const day = now.map(([a, b]) => s(a, b, 'mo'));
      const changes = netChanges(
        told.map(([a, b]) => s(a, b)),
        day,
      );
      for (const each of freeTime({ changes, day, away: [], needs, clock: null })) {
        expect(each.how === 'released' && needs.some((n) => overlaps(n, each))).toBe(false);
        if (each.how === 'near') expect(needs.some((n) => overlaps(n, each))).toBe(true);
      }
    }),
  );
});

test('what someone was told about their free time is said as they were told it', () => {
  const told = (more: Partial<FreeTimeFacts> = {}) =>
    freeTime({ changes: netChanges([s(8, 12)], []), day: [], away: [], needs: [], clock: null, ...more });
  const window = [{ start: 510, end: 690 }];
  expect([
    sayFree(told(), window, true, true),
    sayFree(told(), window, true, false),
    sayFree(told(), window, false, true),
    sayFree(told({ needs: [need(8.5, 11.5)] }), window, true, true),
    sayFree([], window, true, true),
  ]).toEqual(['free today', 'free that day', 'free 8:30 to 11:30', 'stand by until 8:30', 'free today']);
});
