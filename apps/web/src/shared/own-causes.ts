import type { OwnCause } from '@clinic/contract';

/** The reasons that a therapist can give, in words. */
export const CAUSE_WORDS: Readonly<Record<OwnCause, string>> = {
  sick: 'Sick',
  'family-reason': 'Family reason',
  leave: 'Leave',
  weather: 'Weather',
  other: 'Something else',
};
