import { MINUTES_A_DAY, daysBetween, type IsoDate } from './time.ts';

/** Who can cause a loss of booked time. */
export const LOSS_SIDES = ['therapist', 'family', 'clinic', 'payer'] as const;
export type LossSide = (typeof LOSS_SIDES)[number];

/** A moment by the clinic's clock; `minutes` after midnight. */
export interface WallMoment {
  readonly date: IsoDate;
  readonly minutes: number;
}

/** Notice is late when a loss became known less than 24 hours, by the clinic's clock, before its first minute. */
export const isLateNotice = (known: WallMoment, first: WallMoment): boolean =>
  daysBetween(known.date, first.date) * MINUTES_A_DAY + first.minutes - known.minutes < MINUTES_A_DAY;
