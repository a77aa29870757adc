import type { OwnCause } from '@clinic/contract';

/** Why a therapist cannot come, in words. */
export const CAUSE_WORDS: Readonly<Record<OwnCause, string>> = {
  sick: 'Sick',
  'family-reason': 'Family reason',
  leave: 'Leave',
  weather: 'Weather',
  other: 'Something else',
};
