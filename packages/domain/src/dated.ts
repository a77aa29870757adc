import type { IsoDate } from './time.ts';

/** Something that is valid from one date to another, both included. A null date means no limit at that end. */
export interface Dated {
  readonly from_date: string | null;
  readonly until_date: string | null;
}

export const holdsOn = ({ from_date, until_date }: Dated, date: IsoDate): boolean =>
  (from_date === null || from_date <= date) && (until_date === null || date <= until_date);

/** Whether `a` and `b` are both valid on some date. */
export const datesMeet = (a: Dated, b: Dated): boolean =>
  (a.from_date === null || b.until_date === null || a.from_date <= b.until_date) &&
  (b.from_date === null || a.until_date === null || b.from_date <= a.until_date);
