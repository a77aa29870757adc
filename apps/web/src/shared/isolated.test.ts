import { expect, test } from 'vitest';
import { isolated } from './isolated.ts';

test('a name that is written from right to left is isolated as a whole from the words and times around it', () => {
  expect(isolated('cover דוד בן-לוי 9:00 AM, then ليلى.')).toBe(
    'cover \u2068דוד בן-לוי\u2069 9:00 AM, then \u2068ليلى\u2069.',
  );
});

test('text without a name written from right to left stays as it is', () => {
  expect(isolated('Zoë Ńguyễ̃n 🦊 9:00 AM')).toBe('Zoë Ńguyễ̃n 🦊 9:00 AM');
});
