import type { OfferedOptions } from '@clinic/contract';
import { timeSlot } from '@clinic/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { briefRange, parseSlot, rangeWords, sessionsOf } from './slots.ts';

const cell = { therapist: 'Ana Ruiz', status: 'Cover', branch_state: 'x' };
const slots = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, cell]));
/** The sessions in order, each as its slot followed by the slots of its pieces. */
const found = (...options: OfferedOptions[string][string][string][]) => {
  const names = options.map((_, i) => `Option ${i + 1}`);
  const byName = Object.fromEntries(names.map((name, i) => [name, options[i] ?? {}]));
  return sessionsOf(byName, names).map((s) => [s.slot, ...s.slots]);
};
const named = (session: string, ...keys: string[]) =>
  Object.fromEntries(keys.map((key) => [key, { ...cell, session }]));

test('a session that options split differently is one row, named for the slot that covers all of it', () => {
  expect(
    found(
      slots('12:30 PM - 2:30 PM', '2:30 PM - 3:30 PM', '8:00 AM - 9:00 AM'),
      slots('12:30 PM - 3:30 PM', '4:00 PM - 5:00 PM'),
    ),
  ).toEqual([
    ['8:00 AM - 9:00 AM', '8:00 AM - 9:00 AM'],
    ['12:30 PM - 3:30 PM', '12:30 PM - 2:30 PM', '12:30 PM - 3:30 PM', '2:30 PM - 3:30 PM'],
    ['4:00 PM - 5:00 PM', '4:00 PM - 5:00 PM'],
  ]);
});

test('a session that every option splits at the same time is one row when the reply names the session', () => {
  const halves = ['8:00 AM - 9:00 AM', '9:00 AM - 11:00 AM'] as const;
  expect(found(named('s1', ...halves), named('s1', ...halves))).toEqual([['8:00 AM - 11:00 AM', ...halves]]);
  // If the reply does not name the session, two slots that only touch are two sessions.
  expect(found(slots(...halves))).toHaveLength(2);
});

test('when more options arrive, a row keeps its id, even if they split its session earlier', () => {
  const halves = named('s1', '8:00 AM - 9:00 AM', '9:00 AM - 11:00 AM');
  const first = { 'Option 1': named('s1', '8:00 AM - 11:00 AM') };
  const [before] = sessionsOf(first, ['Option 1']);
  const [after] = sessionsOf({ ...first, 'Option 2': halves }, ['Option 1', 'Option 2']);
  expect(after?.slots).not.toEqual(before?.slots);
  expect(after?.id).toBe(before?.id);
});

test('overlapping sessions have separate rows if their subjects or names differ, or if one option contains both sessions', () => {
  const two = ['8:30 AM - 11:30 AM', '9:00 AM - 10:00 AM'] as const;
  expect(found(slots(...two), slots(two[0]))).toHaveLength(2);
  const supervised = { [two[1]]: { ...cell, subject: 'Supervision' } };
  expect(found({ [two[0]]: { ...cell, subject: 'Direct Therapy' } }, supervised)).toHaveLength(2);
  expect(found(named('s1', two[0]), named('s2', two[1]))).toHaveLength(2);
});

test('every slot of every option is in exactly one row, and an option’s pieces in a row never overlap', () => {
  const slot = fc
    .tuple(fc.integer({ min: 28, max: 72 }), fc.integer({ min: 1, max: 12 }))
    .map(([at, long]) => timeSlot(at * 15, (at + long) * 15));
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(slot, { maxLength: 6 }), { minLength: 1, maxLength: 5 }), (keys) => {
      const names = keys.map((_, i) => `Option ${i + 1}`);
      const options = Object.fromEntries(names.map((name, i) => [name, slots(...(keys[i] ?? []))]));
      const rows = sessionsOf(options, names);
      expect(rows.flatMap((row) => row.slots).sort()).toEqual([...new Set(keys.flat())].sort());
      for (const row of rows)
        for (const name of names) {
          const pieces = row.slots.filter((key) => options[name]?.[key]).map((key) => parseSlot(key));
          pieces.forEach((piece, i) => expect(i === 0 || piece!.start >= pieces[i - 1]!.end).toBe(true));
        }
    }),
  );
});

test('a slot may have a subject in parentheses and may end at midnight; any other text is not a slot', () => {
  expect(parseSlot('8:30 AM - 11:30 AM')).toEqual({ start: 510, end: 690 });
  expect(parseSlot('8:30 AM - 11:30 AM (Direct Therapy (2))')).toEqual({ start: 510, end: 690 });
  expect(parseSlot('11:00 PM - 12:00 AM')).toEqual({ start: 1380, end: 1440 });
  expect(parseSlot('all day')).toBeNull();
});

test('a range shows AM or PM only once when both ends share it', () => {
  expect(rangeWords(750, 870)).toBe('12:30 to 2:30 PM');
  expect(rangeWords(690, 750)).toBe('11:30 AM to 12:30 PM');
});

test('a piece’s time is brief, and shows minutes only when they are not zero', () => {
  expect(briefRange(480, 600)).toBe('8–10');
  expect(briefRange(690, 780)).toBe('11:30–1');
});
