import { expect, test } from 'vitest';
import { evidenceWords, whenWords } from './repeat-words.ts';

const recognised = {
  key: 'k',
  client: 'Bo Lee',
  therapist: 'Ana Ruiz',
  subject: 'Direct Therapy',
  weekday: 2,
  start: '09:00',
  end: '11:00',
  first: '2026-10-06',
  last: '2026-12-29',
  weeks: 13,
  held: 12,
  cancelled: 0,
  covered: [{ therapist: 'Kai Wood', dates: 1 }],
};

test('a recognised series says when it is, and what speaks for it', () => {
  expect(whenWords(recognised)).toBe('Tuesdays, 9:00 AM – 11:00 AM');
  expect(evidenceWords(recognised)).toBe('12 of 13 Tuesdays, one covered by Kai Wood');
  expect(evidenceWords({ ...recognised, held: 10, cancelled: 2, covered: [] })).toBe(
    '10 of 13 Tuesdays, two cancelled',
  );
});
