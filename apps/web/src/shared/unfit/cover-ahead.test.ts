import { expect, test } from 'vitest';
import { coverAhead } from './cover-ahead.ts';

test('given a save that leaves sessions without a therapist, the first day’s options open and a message names the next day', () => {
  const at = (date: string, location: 'tampa' | 'orlando' = 'tampa') => ({
    date,
    location,
    time: '9:00 AM - 10:00 AM',
    therapist: 'Ana Ruíz',
  });
  const first = { date: '2026-11-23', location: 'tampa' };
  expect(coverAhead({ total: 0, sessions: [] })).toEqual({ first: null, words: '' });
  expect(coverAhead({ total: 1, sessions: [at('2026-11-23')] })).toEqual({
    first,
    words: '1 session needs cover. These are the options for Mon, Nov 23.',
  });
  expect(coverAhead({ total: 3, sessions: [at('2026-11-23'), at('2026-11-23'), at('2026-11-30')] })).toEqual({
    first,
    words:
      '3 sessions need cover. These are the options for Mon, Nov 23. The next day that needs cover is Mon, Nov 30.',
  });
});
