import { minutesOf, type Interval } from './interval.ts';

/**
 * What a plan does with a part of a session. Scheduled: it stays as booked. Cover: another therapist takes it. Swap:
 * another therapist takes it, though no absence affects the session. Cancel: the client is away. Unassigned: it has
 * no therapist.
 */
export type StretchStatus = 'Scheduled' | 'Cover' | 'Swap' | 'Cancel' | 'Unassigned';

/** A part of one session that a plan can still change. */
export interface PlannedStretch extends Interval {
  /**
   * The key of the appointment as first booked, which all pieces of a session share; in a group session each client has
   * an appointment.
   */
  readonly session: string;
  /**
   * The key of the appointment on the calendar: the whole session, or a piece that an earlier plan split from the
   * session.
   */
  readonly appointment: string;
  readonly status: StretchStatus;
  /** Whether the session has no therapist on the calendar. */
  readonly hadNobody: boolean;
  /** Whether this appointment has no therapist, or its therapist is away for some of its time. */
  readonly affected: boolean;
  /** A key for a client and a therapist who meet for the first time; null when they know each other. */
  readonly newFace: string | null;
}

/** The figures of a plan, as every page, reply and workbook shows them. */
export interface CoverFigures {
  /** How many sessions have no therapist, or a therapist or client who is away. */
  sessions: number;
  /** How many sessions change for someone; a session in several pieces counts once. */
  changes: number;
  /**
   * Minutes of the sessions that need cover, except sessions whose client is away: `minutesKept` + `minutesUncovered`.
   */
  minutesNeeded: number;
  /** The minutes that need cover and have a therapist in the plan. */
  minutesKept: number;
  /** The minutes that need cover and have no therapist in the plan. */
  minutesUncovered: number;
  newFaces: number;
}

/** A session that had no therapist and still gets none has not changed. */
const differs = (s: PlannedStretch): boolean => s.status !== 'Scheduled' && !(s.status === 'Unassigned' && s.hadNobody);

/** Counts the figures of a plan; `stretches` must contain every part of the plan's sessions. */
export function coverFigures(stretches: readonly PlannedStretch[]): CoverFigures {
  const countSessions = (which: (s: PlannedStretch) => boolean): number =>
    new Set(stretches.filter(which).map((s) => s.session)).size;
  const lacks = stretches.filter((s) => s.status !== 'Cancel' && (s.affected || s.hadNobody));
  const needing = new Set(lacks.map((s) => s.appointment));
  const needed = stretches.filter((s) => s.status !== 'Cancel' && needing.has(s.appointment));
  const minutesNeeded = minutesOf(needed);
  const minutesUncovered = minutesOf(needed.filter((s) => s.status === 'Unassigned'));
  return {
    sessions: countSessions((s) => s.status === 'Cancel' || needing.has(s.appointment)),
    changes: countSessions(differs),
    minutesNeeded,
    minutesKept: minutesNeeded - minutesUncovered,
    minutesUncovered,
    newFaces: new Set(stretches.flatMap((s) => s.newFace ?? [])).size,
  };
}

/** Adds up the figures of plans for several clients or dates. */
export function addFigures(list: readonly CoverFigures[]): CoverFigures {
  const sum = (of: (figures: CoverFigures) => number): number => list.reduce((n, figures) => n + of(figures), 0);
  return {
    sessions: sum((f) => f.sessions),
    changes: sum((f) => f.changes),
    minutesNeeded: sum((f) => f.minutesNeeded),
    minutesKept: sum((f) => f.minutesKept),
    minutesUncovered: sum((f) => f.minutesUncovered),
    newFaces: sum((f) => f.newFaces),
  };
}

/** How many people to notify. A person counts once, even when several of their dates change. */
export const peopleToTell = (calls: readonly { readonly who: string; readonly kind: string }[]): number =>
  new Set(calls.map((call) => `${call.kind} ${call.who}`)).size;
