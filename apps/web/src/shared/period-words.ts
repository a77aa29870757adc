import type { AuthorizationPeriod } from '@clinic/domain';

/** The period of an authorization's units, as the end of a phrase: `40 h each week`. */
export const PERIOD_WORDS: Readonly<Record<AuthorizationPeriod, string>> = {
  total: 'in total',
  week: 'each week',
  month: 'each month',
};
