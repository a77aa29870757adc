import type { Employment, IsoDate } from '@clinic/domain';

/** The first and last day of a therapist, from a row of the database. */
export const employmentOf = (row: { readonly start_date: IsoDate; readonly end_date: IsoDate | null }): Employment => ({
  first: row.start_date,
  last: row.end_date,
});
