import { minutesOf, type Interval } from './interval.ts';

/**
 * What happens to a stretch of a session in a plan, compared with the calendar. Scheduled: as booked. Cover: another
 * therapist takes it. Swap: another therapist takes it, though no absence affects the session. Cancel: the client is
 * away. Unassigned: no therapist.
 */
export type StretchStatus = 'Scheduled' | 'Cover' | 'Swap' | 'Cancel' | 'Unassigned';

/** A stretch of one session that a plan may still change. */
export interface PlannedStretch extends Interval {
  /** The appointment; a group's session has one for each of its clients. */
  readonly session: string;
  readonly status: StretchStatus;
  /** The session has no therapist on the calendar. */
  readonly hadNobody: boolean;
  /** This part of the session has no therapist, or one who is away for some of it. */
  readonly affected: boolean;
  /** Identifies a client and a therapist who meet for the first time; null when they know each other. */
  readonly newFace: string | null;
}

/** The figures of a plan, as every page, reply and workbook shows them. */
export interface CoverFigures {
  /** Sessions with someone away, or without a therapist. */
  sessions: number;
  /** Sessions that change for someone; each counts once, whatever its pieces. */
  changes: number;
  /** Time when the client is there, in sessions that need cover: `minutesKept` + `minutesUncovered`. */
  minutesNeeded: number;
  /** The part of it with a therapist in the plan. */
  minutesKept: number;
  /** The part of it without. */
  minutesUncovered: number;
  newFaces: number;
}

/** A session that had no therapist and gets none has not changed. */
const differs = (s: PlannedStretch): boolean => s.status !== 'Scheduled' && !(s.status === 'Unassigned' && s.hadNobody);

/** Counts a plan, given every stretch of its sessions. */
export function coverFigures(stretches: readonly PlannedStretch[]): CoverFigures {
  const sessionsWhere = (which: (s: PlannedStretch) => boolean): Set<string> =>
    new Set(stretches.filter(which).map((s) => s.session));
  const needing = sessionsWhere((s) => s.status !== 'Cancel' && (s.affected || s.hadNobody));
  const needed = stretches.filter((s) => s.status !== 'Cancel' && needing.has(s.session));
  const minutesNeeded = minutesOf(needed);
  const minutesUncovered = minutesOf(needed.filter((s) => s.status === 'Unassigned'));
  return {
    sessions: sessionsWhere((s) => s.status === 'Cancel' || needing.has(s.session)).size,
    changes: sessionsWhere(differs).size,
    minutesNeeded,
    minutesKept: minutesNeeded - minutesUncovered,
    minutesUncovered,
    newFaces: new Set(stretches.flatMap((s) => s.newFace ?? [])).size,
  };
}

/** The combined figures of plans for different clients or dates. */
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

/** How many people to notify; each counts once, however many dates change for them. */
export const peopleToTell = (calls: readonly { readonly who: string; readonly kind: string }[]): number =>
  new Set(calls.map((call) => `${call.kind} ${call.who}`)).size;
