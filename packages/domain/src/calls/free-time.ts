import { intersect, overlaps, subtract, type Interval } from '../interval.ts';
import { MINUTES_A_DAY } from '../time.ts';
import { freedTime } from './call-kind.ts';
import type { NetChange, ToldStretch } from './told-day.ts';

/** A session that a therapist with free time could take: one without a therapist, or one that someone else is asked for. */
export interface CoverNeed extends Interval {
  readonly asked: boolean;
}

/**
 * Time that a therapist has lost sessions in, and what they are told about it. `stand-by`: they wait for a session
 * without a therapist. `near`: they stay near the phone `until` the clinic knows whether it needs them for a session that
 * someone else is asked for. Else they are released, until `end`.
 */
export interface FreeTime extends Interval {
  readonly how: 'released' | 'stand-by' | 'near';
  readonly until: number;
}

/** What a therapist's free time depends on. */
export interface FreeTimeFacts {
  readonly changes: readonly NetChange[];
  /** The therapist's day, at every location. */
  readonly day: readonly ToldStretch[];
  /** When the therapist is recorded as away. */
  readonly away: readonly Interval[];
  /** What the therapist could take if nobody else does. */
  readonly needs: readonly CoverNeed[];
  /** The current time at the clinic, in minutes after midnight; null if the words do not depend on it. */
  readonly clock: number | null;
}

/**
 * What a therapist is told about the time in which they have lost their sessions, in order. They are released until their
 * next session, at any location, or until stand-by time; but whoever may be needed for a session in that time is not.
 */
export function freeTime({ changes, day, away, needs, clock }: FreeTimeFacts): FreeTime[] {
  const freed = freedTime(changes, [...day, ...away]);
  const isGap = (free: Interval): boolean => needs.some((need) => !need.asked && overlaps(need, free));
  const standBy = freed.filter(isGap);
  return freed.map((free): FreeTime => {
    if (standBy.includes(free)) return { ...free, how: 'stand-by', until: free.end };
    const later = [...day, ...standBy].filter((s) => s.start >= free.end);
    const end = Math.min(...later.map((s) => s.start), MINUTES_A_DAY);
    const span = { start: free.start, end };
    const there = subtract([span], away);
    const asked = needs.filter((need) => need.asked && there.some((time) => overlaps(need, time)));
    if (asked.length === 0) return { ...span, how: 'released', until: end };
    const isAhead = ({ start }: Interval): boolean => clock === null || start > clock;
    return { ...span, how: 'near', until: Math.max(...asked.map((a) => (isAhead(a) ? a.start : a.end))) };
  });
}

/** The parts of the free time within these windows. */
export const freeWithin = (free: readonly FreeTime[], windows: readonly Interval[]): FreeTime[] =>
  free.filter((each) => windows.some((window) => intersect(each, window)));
