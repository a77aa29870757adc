import { longDate, type IsoDate } from './time.ts';

/** A therapist's first and last day at the clinic, both included; `last` is null when no last day is known. */
export interface Employment {
  readonly first: IsoDate;
  readonly last: IsoDate | null;
}

export const isEmployed = ({ first, last }: Employment, date: IsoDate): boolean =>
  first <= date && (last === null || date <= last);

/** A sentence that says why a therapist does not work at the clinic on a date; null when they do. */
export function notEmployed(name: string, employment: Employment, date: IsoDate): string | null {
  if (isEmployed(employment, date)) return null;
  if (date < employment.first) return `${name} starts on ${longDate(employment.first)}.`;
  return `${name}’s last day is ${longDate(employment.last ?? employment.first)}.`;
}
