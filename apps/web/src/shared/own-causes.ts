import type { OwnCause } from '@clinic/contract';

/** The causes that therapists can give for their own absences, in words. */
export const CAUSE_WORDS: Readonly<Record<OwnCause, string>> = {
  sick: 'Sick',
  'family-reason': 'Family reason',
  leave: 'Leave',
  weather: 'Weather',
  other: 'Something else',
};
