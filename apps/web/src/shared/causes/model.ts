import type { Cause } from '@clinic/contract';
import type { LossSide } from '@clinic/domain';

/** What the select holds when no cause is said. */
export const NOT_SAID = '';

export const SIDE_WORDS: Readonly<Record<LossSide, string>> = {
  therapist: 'Therapist',
  family: 'Family',
  clinic: 'Clinic',
  payer: 'Payer',
};

/** The causes to offer: those in use, and the chosen one even when it is retired. */
export const offered = (causes: readonly Cause[], chosen: string): Cause[] =>
  causes.filter((cause) => !cause.retired || cause.id === chosen);
