import type { CoverProblem } from '@clinic/cover-engine';
import type { ExtraTime, Interval, IsoDate, Location, Reach, Service } from '@clinic/domain';

/** An appointment as it was when the plan was made, kept so that later changes to it can be noticed. Stored as JSON. */
export interface PlannedRow extends Interval {
  key: string;
  /** The key of the original appointment, if this is a piece of it. */
  root?: string;
  wireId: string;
  clientId: string;
  /** The therapist's id; null for none. */
  therapistId: string | null;
  subject: string;
  seat: number;
}

/**
 * A part of a session that no plan changes. `past`: its time has passed. `cancel`: the client is away. `stays` and
 * `open`: it is before 7:00 or after 19:00, with or without its therapist.
 */
export interface FixedStretch extends Interval {
  kind: 'past' | 'cancel' | 'stays' | 'open';
}

/** A part of a session that is planned, rounded to quarter hours. */
export interface PlannedPart extends Interval {
  /** Whether the part has no therapist, or its therapist is away during it. */
  affected: boolean;
}

/**
 * A session with a client: one appointment, or all appointments of a group. Times are real minutes unless a comment
 * says otherwise.
 */
export interface PlannedSession extends Interval {
  /** The session's id in the problem: the key of its (first) appointment. */
  id: string;
  /** The name under which options list the session: the client's or the group's. */
  listedAs: string;
  /** The client's id in the problem; a group has an id of its own. */
  problemClient: string;
  service: Service;
  rows: PlannedRow[];
  /** The session's current therapist. If it has none, the therapist originally booked, once they are back. */
  therapistId: string | null;
  grid: Interval | null;
  parts: PlannedPart[];
  /** Times are in real minutes, not in quarter hours. */
  fixed: FixedStretch[];
  /** The session's weight in percent, if not 100. */
  weight?: number;
  /** Sentences that explain the session's weight and say how much care its client has lost. */
  about?: string[];
  /** Whether a commit gave the session to another therapist or to none, so that people may have been told. */
  decided?: boolean;
  /** Why the session's therapist will not take it: `said no at 7:12`. */
  declined?: string | undefined;
}

/** A clinic day as a problem, with everything needed to turn its sessions back into appointments. Plain JSON. */
export interface PlannedDay {
  location: Location;
  date: IsoDate;
  version: number;
  /** The current time in minutes after midnight, if earlier time counts as past; otherwise null. */
  now: number | null;
  /** Set for a past day; no one needs to be told about changes to a past day. */
  over?: boolean;
  problem: CoverProblem;
  sessions: PlannedSession[];
  /** Names of the day's therapists, by id. */
  names: Record<string, string>;
  /**
   * The location's therapists who are not in the problem. Therapists with a sentence in `notEmployed` are not at the
   * clinic on the date; the others are not available that day.
   */
  off?: { name: string; notEmployed: string | null }[];
  /** When therapists are booked at other locations, by id. */
  elsewhere?: Record<string, Interval[]>;
  /** A sentence about each therapist's hours, as they were when the plan was made. */
  standing?: Record<string, string>;
  /** Why each therapist does not take the sessions that they declined: `said no at 7:12`. */
  declined?: Record<string, string>;
  /** Set when people were told about the date in telephone calls. */
  told?: KeptTold;
  /** Sessions for which a coordinator chose another therapist; they are planned as if they had no therapist. */
  chosen?: string[];
  /**
   * When each therapist's day of availability begins and ends; only for those who could be asked to come early or stay
   * late.
   */
  reach?: Record<string, Reach>;
  /** Extra hours for which therapists were chosen. The therapists are asked for them once the plan is committed. */
  extra?: PlannedExtra[];
}

/** A therapist who would be asked for extra hours, for one session of the plan. Times are real minutes. */
export interface PlannedExtra extends ExtraTime {
  readonly therapist: string;
  readonly session: string;
}

/** What people were told in calls, and whether the plan keeps to it. */
export interface KeptTold {
  people: number;
  kept: boolean;
  /**
   * Sessions planned as if they had no therapist: the original therapist is back, but people were told that someone
   * else is coming.
   */
  unheld: string[];
}

/** A part of a session in a plan, in real minutes. `therapistId` is null when it has no therapist. */
export interface Segment extends Interval {
  therapistId: string | null;
  cancelled: boolean;
  /** Whether the part's time has passed. A past part is neither shown nor changed. */
  past: boolean;
  /** Whether this segment belongs to a planned part that has no therapist, or whose therapist is away. */
  affected: boolean;
}

/** The sessions planned as if they had no therapist, although the calendar has one. */
export const unheldOf = ({ told, chosen }: PlannedDay): string[] => [...(told?.unheld ?? []), ...(chosen ?? [])];
