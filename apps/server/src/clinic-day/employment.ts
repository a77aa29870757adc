import type { Employment, IsoDate } from '@clinic/domain';

/** A therapist's employment as the database holds it. */
export const employmentOf = (row: { readonly start_date: string; readonly end_date: string | null }): Employment => ({
  first: row.start_date as IsoDate,
  last: row.end_date as IsoDate | null,
});
