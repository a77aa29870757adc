import { beforeAll, expect, test } from 'vitest';
import { loadHighs } from '@clinic/cover-engine';
import { medianOf } from '@clinic/domain';
import { clinicQuarter } from '@clinic/testkit';
import { liveQuarter } from './quarter.ts';

type Highs = Awaited<ReturnType<typeof loadHighs>>;
let highs: Highs;
beforeAll(async () => {
  highs = await loadHighs();
});

test('given several weeks of a clinic, plans that use ledgers keep cover within the weekly limits and lose no more care, and a second run gives the same result', () => {
  const quarter = clinicQuarter({ seed: 11, therapists: 16, clients: 21, days: 15 });
  const [without, withLedgers] = [
    liveQuarter(highs, quarter, { ledgers: false }),
    liveQuarter(highs, quarter, { ledgers: true }),
  ];
  expect(without.aboveLimit).toBeGreaterThan(0);
  expect(withLedgers.aboveLimit).toBe(0);
  expect(withLedgers.booked).toBe(without.booked);
  expect(withLedgers.lost).toBeLessThanOrEqual(without.lost);
  expect([without.proven, withLedgers.proven]).toEqual([true, true]);
  expect(liveQuarter(highs, quarter, { ledgers: true })).toEqual(withLedgers);
});

test('given some weeks of a clinic with time between sessions, the most cover on one therapist above the median is at most half of what it is without ledgers', () => {
  const quarter = clinicQuarter({ seed: 11, therapists: 16, clients: 18, days: 30 });
  const [without, withLedgers] = [false, true].map((ledgers) => {
    const cover = [...liveQuarter(highs, quarter, { ledgers }).cover.values()];
    return Math.max(...cover) - medianOf(cover);
  });
  expect(without).toBeGreaterThan(0);
  expect(withLedgers).toBeLessThanOrEqual((without ?? 0) / 2);
});
