import type { Employment, IsoDate } from '@clinic/domain';

/** A therapist's first and last day at the clinic, from a database row. */
export const employmentOf = (row: { readonly start_date: IsoDate; readonly end_date: IsoDate | null }): Employment => ({
  first: row.start_date,
  last: row.end_date,
});
