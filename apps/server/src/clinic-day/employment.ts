import type { Employment, IsoDate } from '@clinic/domain';

/** A therapist's employment as the database holds it. */
export const employmentOf = (row: { readonly start_date: IsoDate; readonly end_date: IsoDate | null }): Employment => ({
  first: row.start_date,
  last: row.end_date,
});
