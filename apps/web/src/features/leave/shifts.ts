import type { StandingPrice } from '@clinic/contract';
import { addDays, datesFrom, dayOfWeek, type IsoDate } from '@clinic/domain';

/** The dates of an absence. */
export interface Dates {
  readonly first: IsoDate;
  readonly last: IsoDate;
}

/** How far other dates may begin before or after those that were asked for. */
const FARTHEST = 14;

/**
 * The ranges with as many days of absence that begin at most two weeks earlier or later, the nearest first, and none that
 * begins before `soonest`. If the calendar is filled only until `filled`, before the end of the absence, later ranges have
 * fewer sessions only because these are not booked yet: then only earlier ones are returned.
 */
export function shiftsOf(
  { first, last }: Dates,
  {
    weekdays,
    soonest,
    filled,
  }: { readonly weekdays: readonly number[]; readonly soonest: IsoDate; readonly filled: IsoDate | null },
): Dates[] {
  const isOn = (date: IsoDate): boolean => weekdays.includes(dayOfWeek(date));
  const count = datesFrom(first, last).filter(isOn).length;
  if (count === 0) return [];
  const on = datesFrom(addDays(first, -FARTHEST), addDays(last, FARTHEST + 7)).filter(isOn);
  const own = on.findIndex((date) => date >= first);
  const distance = (at: number): number => Math.abs(at - own);
  return [...on.keys()]
    .filter((at) => at !== own)
    .sort((a, b) => distance(a) - distance(b) || a - b)
    .flatMap((at) => {
      const [from, until] = [on[at], on[at + count - 1]];
      return from && until && from >= soonest && from <= addDays(first, FARTHEST) && (filled === null || from < first)
        ? [{ first: from, last: until }]
        : [];
    });
}

const figuresOf = ({ open, faces, supervision }: StandingPrice): number[] => [
  open.minutes,
  faces.reduce((sum, { names }) => sum + names.length, 0),
  supervision.length,
];

/** Whether a price is lower: nothing in it is worse, and something is better. */
export function costsLess(price: StandingPrice, than: StandingPrice): boolean {
  const [own, other] = [figuresOf(price), figuresOf(than)];
  return own.every((each, i) => each <= (other[i] ?? 0)) && own.some((each, i) => each < (other[i] ?? 0));
}
