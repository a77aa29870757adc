import { ABSENCE_REFUSALS } from './refusals/absences.ts';
import { ACCOUNT_REFUSALS } from './refusals/accounts.ts';
import { APPOINTMENT_REFUSALS } from './refusals/appointments.ts';
import { CALL_REFUSALS } from './refusals/calls.ts';
import { CAUSE_REFUSALS } from './refusals/causes.ts';
import { CLOSURE_REFUSALS } from './refusals/closures.ts';
import { COMMIT_REFUSALS } from './refusals/commits.ts';
import { DATABASE_REFUSALS } from './refusals/database.ts';
import { IMPORT_REFUSALS } from './refusals/imports.ts';
import { LOCATION_REFUSALS } from './refusals/locations.ts';
import { OPTION_REFUSALS } from './refusals/options.ts';
import { PEOPLE_REFUSALS } from './refusals/people.ts';
import { RECORD_REFUSALS } from './refusals/records.ts';
import { REQUEST_REFUSALS } from './refusals/requests.ts';

export type { ReturnedSessions } from './refusals/absences.ts';
export type { PasswordWeakness } from './refusals/accounts.ts';
export type { SentFor } from './refusals/options.ts';

/**
 * Refusals that say more than the general message of their code: what happened, what it means for the schedule and what
 * to do. The server takes their messages only from here.
 */
export const REFUSALS = {
  ...ABSENCE_REFUSALS,
  ...ACCOUNT_REFUSALS,
  ...APPOINTMENT_REFUSALS,
  ...CALL_REFUSALS,
  ...CAUSE_REFUSALS,
  ...CLOSURE_REFUSALS,
  ...COMMIT_REFUSALS,
  ...DATABASE_REFUSALS,
  ...IMPORT_REFUSALS,
  ...LOCATION_REFUSALS,
  ...OPTION_REFUSALS,
  ...PEOPLE_REFUSALS,
  ...RECORD_REFUSALS,
  ...REQUEST_REFUSALS,
};

export type RefusalName = keyof typeof REFUSALS;

/** The parameters of a refusal's sentence. */
export type RefusalParameters<N extends RefusalName> = Parameters<(typeof REFUSALS)[N]['words']>;
