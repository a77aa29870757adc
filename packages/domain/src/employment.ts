import { longDate, type IsoDate } from './time.ts';

/** When someone is with the clinic: from the first day to the last, both included. `last` null: no last day is known. */
export interface Employment {
  readonly first: IsoDate;
  readonly last: IsoDate | null;
}

export const isEmployed = ({ first, last }: Employment, date: IsoDate): boolean =>
  first <= date && (last === null || date <= last);

/** Why someone cannot work on a date, as a sentence; null when they can. */
export function notEmployed(name: string, employment: Employment, date: IsoDate): string | null {
  if (isEmployed(employment, date)) return null;
  if (date < employment.first) return `${name} starts on ${longDate(employment.first)}.`;
  return `${name}’s last day is ${longDate(employment.last ?? employment.first)}.`;
}
