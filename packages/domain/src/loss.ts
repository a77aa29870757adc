import { MINUTES_A_DAY, daysBetween, type IsoDate } from './time.ts';

/** The parties that can cause a loss of booked time. */
export const LOSS_SIDES = ['therapist', 'family', 'clinic', 'payer'] as const;
export type LossSide = (typeof LOSS_SIDES)[number];

/** A date and time by the clinic's clock; `minutes` after midnight. */
export interface WallMoment {
  readonly date: IsoDate;
  readonly minutes: number;
}

/** Notice is late when the loss became known less than 24 hours before its first minute, by the clinic's clock. */
export const isLateNotice = (known: WallMoment, first: WallMoment): boolean =>
  daysBetween(known.date, first.date) * MINUTES_A_DAY + first.minutes - known.minutes < MINUTES_A_DAY;
