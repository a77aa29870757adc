import { expect, test } from 'vitest';
import { orderSlots, parseSlot, rangeWords } from './slots.ts';

const cell = { therapist: 'Ana Ruiz', status: 'Cover', branch_state: 'x' };
const slots = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, cell]));
/** The slots in order, each part with a mark before it. */
const ordered = (...options: ReturnType<typeof slots>[]) => {
  const names = options.map((_, i) => `Option ${i + 1}`);
  const byName = Object.fromEntries(names.map((name, i) => [name, options[i] ?? {}]));
  return orderSlots(byName, names).map((s) => (s.part ? `> ${s.slot}` : s.slot));
};

test('a stretch that an option takes whole comes first, and below it the parts of the other options, cut by cut', () => {
  expect(
    ordered(
      slots('12:30 PM - 2:30 PM', '2:30 PM - 3:30 PM', '8:00 AM - 9:00 AM'),
      slots('12:30 PM - 3:30 PM', '4:00 PM - 5:00 PM'),
      slots('12:30 PM - 1:30 PM', '1:30 PM - 3:30 PM'),
    ),
  ).toEqual([
    '8:00 AM - 9:00 AM',
    '12:30 PM - 3:30 PM',
    '> 12:30 PM - 2:30 PM',
    '> 2:30 PM - 3:30 PM',
    '> 12:30 PM - 1:30 PM',
    '> 1:30 PM - 3:30 PM',
    '4:00 PM - 5:00 PM',
  ]);
});

test('when no option takes the stretch whole, the cuts follow each other, the first option’s first', () => {
  expect(
    ordered(slots('8:30 AM - 10:00 AM', '10:00 AM - 11:30 AM'), slots('8:30 AM - 10:30 AM', '10:30 AM - 11:30 AM')),
  ).toEqual(['8:30 AM - 10:00 AM', '10:00 AM - 11:30 AM', '8:30 AM - 10:30 AM', '10:30 AM - 11:30 AM']);
});

test('a session at the same time is not a part if it has another subject, or if one option has both', () => {
  expect(ordered(slots('8:30 AM - 11:30 AM', '9:00 AM - 10:00 AM'), slots('8:30 AM - 11:30 AM'))).toEqual([
    '8:30 AM - 11:30 AM',
    '9:00 AM - 10:00 AM',
  ]);
  const supervised = { '9:00 AM - 10:00 AM': { ...cell, subject: 'Supervision' } };
  const direct = { '8:30 AM - 11:30 AM': { ...cell, subject: 'Direct Therapy' } };
  const order = orderSlots({ 'Option 1': direct, 'Option 2': supervised }, ['Option 1', 'Option 2']);
  expect(order.map((s) => s.part)).toEqual([false, false]);
});

test('slots are read with a subject in brackets and up to midnight; other texts are not slots', () => {
  expect(parseSlot('8:30 AM - 11:30 AM')).toEqual({ start: 510, end: 690 });
  expect(parseSlot('8:30 AM - 11:30 AM (Direct Therapy (2))')).toEqual({ start: 510, end: 690 });
  expect(parseSlot('11:00 PM - 12:00 AM')).toEqual({ start: 1380, end: 1440 });
  expect(parseSlot('all day')).toBeNull();
});

test('a range says AM or PM only once when both ends share it', () => {
  expect(rangeWords(750, 870)).toBe('12:30 to 2:30 PM');
  expect(rangeWords(690, 750)).toBe('11:30 AM to 12:30 PM');
});
