import { duration } from './time.ts';

/** The number of past days over which a client's care is counted. */
export const CARE_DAYS = 28;
/** Of these days, those that count as the last week. */
export const CARE_WEEK = 7;

/** A client's care over some days, in minutes. */
export interface Care {
  readonly booked: number;
  /** The booked minutes that did not take place, and no longer can. */
  readonly lost: number;
}

/** A client's care over the last `CARE_DAYS`, and over the last week of them. */
export interface RecentCare extends Care {
  readonly week: Care;
}

export const NO_CARE: RecentCare = { booked: 0, lost: 0, week: { booked: 0, lost: 0 } };
export const sumOfCare = (a: Care, b: Care): Care => ({ booked: a.booked + b.booked, lost: a.lost + b.lost });

/** The priority of a client without a history. A stored priority with this value counts as not set by a person. */
export const USUAL_PRIORITY = 100;
const LEAST = 60;
/** A client who loses this share of their care already has a high priority; so has one whose first session is open. */
const HUNDREDTH = 1 / 100;
const HIGH = 150;
/** A client who loses at least this share has the highest priority. */
const THIRD = 1 / 3;
const MOST = 180;

/**
 * How much an hour without a therapist weighs for a client in a plan, in percent. It depends on the share of the care of
 * the last four weeks and of the plan's date that is lost if no one comes, or of the last week and the date if that
 * share is larger: 60 if nothing is lost, 150 at a hundredth, 180 at a third or more, and in proportion between. Without
 * booked care in the four weeks, no share is known: it is 150 if any care of the date is open or lost, else 100. A
 * priority set by a person wins.
 * @param before the care before the date
 * @param onDate the care of the date, with what still needs a therapist as lost
 */
export function priorityOf(set: number, before: RecentCare, onDate: Care): number {
  if (set !== USUAL_PRIORITY) return set;
  if (before.booked === 0) return onDate.lost > 0 ? HIGH : USUAL_PRIORITY;
  const share = Math.max(lostShareOf(sumOfCare(before, onDate)), lostShareOf(sumOfCare(before.week, onDate)));
  if (share <= HUNDREDTH) return Math.round(LEAST + (HIGH - LEAST) * (share / HUNDREDTH));
  return Math.round(HIGH + (MOST - HIGH) * Math.min(1, (share - HUNDREDTH) / (THIRD - HUNDREDTH)));
}

const lostShareOf = ({ booked, lost }: Care): number => (booked === 0 ? 0 : lost / booked);

/**
 * Says what decides a client's priority: `Bo Lee’s priority is 150%, set by hand.` or `Bo Lee lost 3 h of 9 h of care
 * in 28 days.`, or what was lost in the last 7 days if that is a larger share; null when no care was lost.
 */
export function prioritySentence(name: string, set: number, care: RecentCare): string | null {
  if (set !== USUAL_PRIORITY) return `${name}’s priority is ${set}%, set by hand.`;
  if (care.lost === 0) return null;
  const isWeek = lostShareOf(care.week) > lostShareOf(care);
  const { booked, lost } = isWeek ? care.week : care;
  return `${name} lost ${duration(lost)} of ${duration(booked)} of care in ${isWeek ? CARE_WEEK : CARE_DAYS} days.`;
}
