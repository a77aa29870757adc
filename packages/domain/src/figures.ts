import { minutesOf, type Interval } from './interval.ts';

/**
 * What a stretch of a session is in a plan, against the calendar. Scheduled: as booked. Cover: another therapist takes
 * it. Swap: the same, of a session that nobody's absence affects. Cancel: the client is away. Unassigned: no therapist.
 */
export type StretchStatus = 'Scheduled' | 'Cover' | 'Swap' | 'Cancel' | 'Unassigned';

/** A stretch of one session that a plan may still change. */
export interface PlannedStretch extends Interval {
  /** The appointment: a group's session is one for each of its clients. */
  readonly session: string;
  readonly status: StretchStatus;
  /** The session has no therapist on the calendar. */
  readonly hadNobody: boolean;
  /** Its part of the session has no therapist, or one who is away for some of it. */
  readonly affected: boolean;
  /** Names a client and a therapist who meet for the first time; null where they do not. */
  readonly newFace: string | null;
}

/** The figures of a plan, as every page, reply and workbook has them. */
export interface CoverFigures {
  /** Sessions in which somebody is away or that have no therapist. */
  sessions: number;
  /** Sessions whose day differs for someone, each once, whatever its pieces. */
  changes: number;
  /** Time of the sessions that need cover in which the client is there: `minutesKept` + `minutesUncovered`. */
  minutesNeeded: number;
  /** What of it has a therapist in the plan. */
  minutesKept: number;
  /** What of it has none. */
  minutesUncovered: number;
  newFaces: number;
}

/** A session that had no therapist and gets none is as it was. */
const differs = (s: PlannedStretch): boolean => s.status !== 'Scheduled' && !(s.status === 'Unassigned' && s.hadNobody);

/** Counts a plan, from every stretch of the sessions that it is about. */
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

/** The figures of plans for different clients, or on different dates, together. */
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

/** How many people hear of a plan: each once, however many dates it changes for them. */
export const peopleToTell = (calls: readonly { readonly who: string; readonly kind: string }[]): number =>
  new Set(calls.map((call) => `${call.kind} ${call.who}`)).size;
