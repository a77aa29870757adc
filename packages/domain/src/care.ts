/** A client's care over some days, in minutes. */
export interface Care {
  readonly booked: number;
  /** Of that, what took place with a therapist. */
  readonly delivered: number;
}

/** The priority of a client without a history, and the one that counts as not set by hand. */
export const USUAL_PRIORITY = 100;
const LEAST = 60;
const MOST = 180;
/** The share of care lost from which a client counts most. */
const THIRD = 1 / 3;

/**
 * How much an hour without a therapist weighs for a client, in percent: 60 when all of the last four weeks took place,
 * 180 when a third or more was lost, and between them by the square root: the first losses count most, and a clinic's
 * usual losses keep the weight near the usual one. A priority that a person has set wins; without any booked care it is
 * the usual one.
 */
export function priorityOf(set: number, { booked, delivered }: Care): number {
  if (set !== USUAL_PRIORITY || booked === 0) return set;
  const lost = Math.max(0, booked - delivered) / booked;
  return Math.round(LEAST + (MOST - LEAST) * Math.sqrt(Math.min(1, lost / THIRD)));
}
