import type { Cause } from '@clinic/contract';
import type { LossSide } from '@clinic/domain';

/** The value of the select when no cause is chosen. */
export const NOT_SAID = '';

export const SIDE_WORDS: Readonly<Record<LossSide, string>> = {
  therapist: 'Therapist',
  family: 'Family',
  clinic: 'Clinic',
  payer: 'Payer',
};

/** The causes to choose from: those still offered, and the cause already chosen, if it is retired. */
export const offered = (causes: readonly Cause[], chosen: string): Cause[] =>
  causes.filter((cause) => !cause.retired || cause.id === chosen);
