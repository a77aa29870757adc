import { duration } from './time.ts';

/** The number of past days over which a client's care is counted. */
export const CARE_DAYS = 28;

/** A client's booked care over some days, in minutes. */
export interface Care {
  readonly booked: number;
  /** The minutes of booked care that took place. */
  readonly delivered: number;
}

/** The priority of a client without a history. A stored priority with this value counts as not set by a person. */
export const USUAL_PRIORITY = 100;
const LEAST = 60;
const MOST = 180;
/** A client who lost at least this share of their care has the highest priority. */
const THIRD = 1 / 3;

/**
 * How much an hour without a therapist weighs for a client, in percent: 60 when nothing was lost in the last four
 * weeks, 180 when a third or more was lost. In between, the weight grows with the square root of the loss, so the first
 * losses count most. A priority set by a person wins; without booked care, the priority is 100.
 */
export function priorityOf(set: number, { booked, delivered }: Care): number {
  if (set !== USUAL_PRIORITY || booked === 0) return set;
  const lost = Math.max(0, booked - delivered) / booked;
  return Math.round(LEAST + (MOST - LEAST) * Math.sqrt(Math.min(1, lost / THIRD)));
}

/** `Bo Lee lost 3 h of 9 h of care in 28 days.`; null when the loss does not decide the client's priority. */
export function lostCareSentence(name: string, set: number, { booked, delivered }: Care): string | null {
  if (set !== USUAL_PRIORITY || delivered >= booked) return null;
  return `${name} lost ${duration(booked - delivered)} of ${duration(booked)} of care in ${CARE_DAYS} days.`;
}
