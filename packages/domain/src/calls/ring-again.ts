import { intersect, type Interval } from '../interval.ts';
import { MINUTES_A_DAY } from '../time.ts';
import { joinStretches, type ToldStretch } from './told-day.ts';

/** How many minutes before a session the family must know whether it takes place. */
const CERTAIN_BEFORE = 60;

/** A promise to ring a family again falls due this many minutes before the promised time. */
const DUE_BEFORE = 15;

/** A promise to ring a family again, since some of their time has no therapist. Its time is minutes after midnight. */
export interface RingPromise {
  readonly by: number;
  /** The time without a therapist that the promise is about. */
  readonly about: readonly ToldStretch[];
}

/** The minute from which the family is on the call list again. */
export const ringDueAt = ({ by }: Pick<RingPromise, 'by'>): number => by - DUE_BEFORE;

/**
 * Whether it is time to ring the family again.
 * @param clock the clinic's time in minutes after midnight; null for a later date, 1440 for a past one
 */
export const isRingDue = (promise: Pick<RingPromise, 'by'>, clock: number | null): boolean =>
  clock !== null && clock < MINUTES_A_DAY && clock >= ringDueAt(promise);

/**
 * The time until which a family can be asked to wait for a therapist; null when a promise to ring again by then would
 * be due at once.
 */
export function ringAgainBy(stretch: Interval, clock: number | null): number | null {
  const by = stretch.start - CERTAIN_BEFORE;
  return by >= 0 && (clock === null || ringDueAt({ by }) > clock) ? by : null;
}

/**
 * Makes the promise to ring again by this time, out of all the time without a therapist that the family was asked about.
 * Null if the family must know earlier whether any of it takes place.
 */
export function promiseToRing(open: readonly ToldStretch[], by: number): RingPromise | null {
  const about = open.filter(({ start }) => start - CERTAIN_BEFORE >= by);
  return about.length === 0 ? null : { by, about };
}

/** The parts of a promise's time that have no therapist in this day. */
export const stillOpen = (about: readonly ToldStretch[], day: readonly ToldStretch[]): ToldStretch[] =>
  joinStretches(
    about.flatMap((stretch) =>
      day.flatMap((is) => {
        const both = is.with === null && is.service === stretch.service ? intersect(is, stretch) : null;
        return both ? [{ ...both, with: null, service: is.service }] : [];
      }),
    ),
  );

/**
 * The time without a therapist about which a family must be rung again now, because the clinic promised it: what still
 * has no therapist, and what they have heard nothing else about. It then counts as if they had not been told.
 */
export const ringDue = (
  promise: RingPromise | null,
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  clock: number | null,
): ToldStretch[] => (promise && isRingDue(promise, clock) ? stillOpen(stillOpen(promise.about, told), now) : []);

/**
 * When a promise to ring a family again falls due; null if there is none, if it is due already, or if the time that it is
 * about has a therapist now.
 */
export function nextRing(
  promise: RingPromise | null,
  now: readonly ToldStretch[],
  clock: number | null,
): number | null {
  const isAhead = promise && (clock === null || ringDueAt(promise) > clock);
  return isAhead && stillOpen(promise.about, now).length > 0 ? ringDueAt(promise) : null;
}
