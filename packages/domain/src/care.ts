import { duration } from './time.ts';

/** The number of past days over which a client's care is counted. */
export const CARE_DAYS = 28;

/** A client's care over some days, in minutes. */
export interface Care {
  readonly booked: number;
  /** The booked minutes that did not take place, and no longer can. */
  readonly lost: number;
}

/** The priority of a client without a history. A stored priority with this value counts as not set by a person. */
export const USUAL_PRIORITY = 100;
const LEAST = 60;
/** A client who lost this share of their care already has a high priority. */
const HUNDREDTH = 1 / 100;
const HIGH = 170;
/** A client who lost at least this share has the highest priority. */
const THIRD = 1 / 3;
const MOST = 180;

/**
 * How much an hour without a therapist weighs for a client, in percent: 60 when nothing was lost in the last four
 * weeks, 170 when a hundredth was lost (less than an hour for most clients), 180 when a third or more was lost. In between,
 * the weight grows in proportion, so the first losses count most. A priority set by a person wins; without booked care,
 * the priority is 100.
 */
export function priorityOf(set: number, { booked, lost }: Care): number {
  if (set !== USUAL_PRIORITY || booked === 0) return set;
  const share = lost / booked;
  if (share <= HUNDREDTH) return Math.round(LEAST + (HIGH - LEAST) * (share / HUNDREDTH));
  return Math.round(HIGH + (MOST - HIGH) * Math.min(1, (share - HUNDREDTH) / (THIRD - HUNDREDTH)));
}

/**
 * Says what decides a client's priority: `Bo Lee’s priority is 150%, set by hand.` or `Bo Lee lost 3 h of 9 h of care
 * in 28 days.`; null when no care was lost.
 */
export function prioritySentence(name: string, set: number, { booked, lost }: Care): string | null {
  if (set !== USUAL_PRIORITY) return `${name}’s priority is ${set}%, set by hand.`;
  return lost === 0 ? null : `${name} lost ${duration(lost)} of ${duration(booked)} of care in ${CARE_DAYS} days.`;
}
