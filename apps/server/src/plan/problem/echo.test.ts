import { expect, test } from 'vitest';
import { slotsDiffer } from './echo.ts';

test('slots that are sent back differ if one is missing, added or changed, but may leave out fields', () => {
  const cell = { therapist: 'Kai Wood', status: 'Cover', minutes: 60 };
  const offered = { '9:00 AM - 10:00 AM': cell, '1:00 PM - 2:00 PM': cell };
  const [first] = Object.keys(offered);
  const { minutes: _left, ...brief } = cell;
  expect(slotsDiffer(offered, offered)).toBe(false);
  expect(slotsDiffer({ ...offered, [first ?? '']: brief }, offered)).toBe(false);
  expect(slotsDiffer({ ...offered, [first ?? '']: { ...cell, own: 'note' } }, offered)).toBe(false);
  for (const sent of [
    null,
    [],
    { [first ?? '']: cell },
    { ...offered, '3:00 PM - 4:00 PM': cell },
    { ...offered, [first ?? '']: null },
    { ...offered, [first ?? '']: { status: 'Cover' } },
    { ...offered, [first ?? '']: { ...cell, therapist: 'Ana Ruiz' } },
    { ...offered, [first ?? '']: { ...cell, status: 'Swap' } },
    { ...offered, [first ?? '']: { ...cell, minutes: 30 } },
  ])
    expect(slotsDiffer(sent, offered), JSON.stringify(sent)).toBe(true);
});
