import { expect, test } from 'vitest';
import { DAY_START, SLOTS, slotLabel, slotStart, startSlot, startsInSlot } from './grid.ts';

test('[CAL-05] the grid has 48 columns of 15 minutes; the first starts at 7:00 AM and the last at 6:45 PM', () => {
  expect(SLOTS).toBe(48);
  expect(slotLabel(0)).toBe('7:00 AM');
  expect(slotLabel(47)).toBe('6:45 PM');
  expect(slotStart(47) + 15).toBe(19 * 60);
});

test('[CAL-13] a slot holds sessions that start from 8 minutes before to 7 minutes after it, both included', () => {
  const at = slotStart(4);
  const counted = Array.from({ length: 31 }, (_, i) => i - 15).filter((off) => startsInSlot(at + off, 4));
  expect(counted).toEqual(Array.from({ length: 16 }, (_, i) => i - 8));
});

test('[CAL-13] a session whose start fits two slots is drawn in the earlier one, and every start on the grid has a slot', () => {
  expect(startSlot(slotStart(1) - 8)).toBe(0); // 7 minutes after the first slot, 8 before the second
  expect(startSlot(slotStart(1) - 7)).toBe(1);
  for (let start = 5 * 60; start < 21 * 60; start++) {
    const fits = Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => startsInSlot(start, slot));
    expect(startSlot(start), `a start at minute ${start}`).toBe(fits[0] ?? null);
  }
  expect(startSlot(DAY_START - 9)).toBeNull();
  expect(startSlot(DAY_START - 8)).toBe(0);
  expect(startSlot(slotStart(47) + 8)).toBeNull();
});
