import { expect, test } from 'vitest';
import type { DifferenceSide } from '@clinic/contract';
import { noticeWords, sessionWords, sideWords } from './model.ts';

const OURS: DifferenceSide = {
  date: '2026-11-20',
  start: '09:00',
  end: '10:00',
  location: 'altamonte',
  client: 'Bo Lee',
  therapist: 'Ana Ruiz',
  subject: 'Direct Therapy',
  status: 'Confirmed',
};

test('each side says only what it has otherwise, and a missing person in words', () => {
  const theirs = { ...OURS, status: 'Cancelled', start: '09:15', therapist: null };
  expect(sideWords(theirs, OURS)).toBe('Cancelled · 9:15 AM – 10:00 AM · No therapist');
  expect(sideWords(OURS, theirs)).toBe('Confirmed · 9:00 AM – 10:00 AM · Ana Ruiz');
  expect(sideWords({ ...OURS, location: 'tampa', date: '2026-11-21' }, OURS)).toBe('Sat, Nov 21 · Tampa');
  expect(sessionWords(OURS)).toBe('Fri, Nov 20, 9:00 AM, Altamonte');
});

test('Today says what the last export needs, and nothing when it needs nothing', () => {
  const last = { state: 'imported', questions: 0, newly_refused: 0 } as const;
  expect(noticeWords(last, 'November 29', 12)).toBe('The billing system’s export of November 29 differs in 12 rows');
  expect(noticeWords(last, 'November 29', 1)).toMatch(/in 1 row$/);
  expect(noticeWords(last, 'November 29', 0)).toBe(null);
  expect(noticeWords({ ...last, state: 'waiting', questions: 2 }, 'May 1', 0)).toMatch(/waits for 2 answers$/);
  expect(noticeWords({ ...last, state: 'waiting', newly_refused: 1 }, 'May 1', 3)).toMatch(/1 row would be left out$/);
  expect(noticeWords({ ...last, state: 'failed' }, 'May 1', 0)).toMatch(/could not be read$/);
});
