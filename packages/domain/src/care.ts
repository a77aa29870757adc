import { duration } from './time.ts';

/** The number of past days over which a client's care is counted. */
export const CARE_DAYS = 28;

/** A client's care over some days, in minutes. */
export interface Care {
  readonly booked: number;
  /** The booked minutes that did not take place, and no longer can. */
  readonly lost: number;
}

export const NO_CARE: Care = { booked: 0, lost: 0 };
export const sumOfCare = (a: Care, b: Care): Care => ({ booked: a.booked + b.booked, lost: a.lost + b.lost });

/** The priority of a client without a history. A stored priority with this value counts as not set by a person. */
export const USUAL_PRIORITY = 100;
const LEAST = 60;
/** A client who loses at least this share has the highest priority. */
const THIRD = 1 / 3;
const MOST = 180;

/**
 * How much an hour without a therapist weighs for a client in a plan, in percent. It depends on the share of the care of
 * the last four weeks and of the plan's date that is lost if no one comes: 60 if nothing, 180 if a third or more, and
 * between them it grows with the fifth root of the share. So it grows fast at first: 120 at a hundredth, 154 at a tenth.
 * A priority set by a person wins; without booked care in the four weeks, the priority is 100.
 * @param before the care of the four weeks before the date
 * @param onDate the care of the date, with what still needs a therapist as lost
 */
export function priorityOf(set: number, before: Care, onDate: Care): number {
  if (set !== USUAL_PRIORITY || before.booked === 0) return set;
  const { booked, lost } = sumOfCare(before, onDate);
  return Math.round(LEAST + (MOST - LEAST) * Math.min(1, lost / booked / THIRD) ** (1 / 5));
}

/**
 * Says what decides a client's priority: `Bo Lee’s priority is 150%, set by hand.` or `Bo Lee lost 3 h of 9 h of care
 * in 28 days.`; null when no care was lost.
 */
export function prioritySentence(name: string, set: number, { booked, lost }: Care): string | null {
  if (set !== USUAL_PRIORITY) return `${name}’s priority is ${set}%, set by hand.`;
  return lost === 0 ? null : `${name} lost ${duration(lost)} of ${duration(booked)} of care in ${CARE_DAYS} days.`;
}
