import { beforeAll, expect, test } from 'vitest';
import { loadHighs } from '@clinic/cover-engine';
import { clinicQuarter } from '@clinic/testkit';
import { liveQuarter } from './quarter.ts';

type Highs = Awaited<ReturnType<typeof loadHighs>>;
let highs: Highs;
beforeAll(async () => {
  highs = await loadHighs();
});

test('given several weeks of a clinic, plans that use ledgers keep cover within the weekly limits, and a second run gives the same result', () => {
  const quarter = clinicQuarter({ seed: 11, therapists: 16, clients: 21, days: 15 });
  const [without, withLedgers] = [liveQuarter(highs, quarter, false), liveQuarter(highs, quarter, true)];
  expect(without.aboveLimit).toBeGreaterThan(0);
  expect(withLedgers.aboveLimit).toBe(0);
  expect(withLedgers.booked).toBe(without.booked);
  expect([without.proven, withLedgers.proven]).toEqual([true, true]);
  expect(liveQuarter(highs, quarter, true)).toEqual(withLedgers);
});
