import type { CoverProblem } from '@clinic/cover-engine';
import type { ExtraTime, IsoDate, Location, Reach, Service } from '@clinic/domain';
import type { Window } from '../../../clinic-day/day.ts';

/** An appointment as it was when the plan was made: enough to tell whether it has changed. Kept as JSON. */
export interface PlannedRow extends Window {
  key: string;
  wireId: string;
  clientId: string;
  /** Null: no therapist. */
  therapistId: string | null;
  subject: string;
  seat: number;
}

/**
 * What happens to a stretch of a session under every plan. `past`: delivered, stays as it is. `cancel`: the client is
 * away. `stays`, `open`: before 7:00 or after 19:00, where it keeps its therapist or has none.
 */
export interface FixedStretch extends Window {
  kind: 'past' | 'cancel' | 'stays' | 'open';
}

/** A stretch to plan, in quarter hours. */
export interface PlannedPart extends Window {
  /** It has no therapist, or its therapist is away for some of it. */
  affected: boolean;
}

/** A session with a client: one appointment, or the appointments of a group. Real minutes unless stated otherwise. */
export interface PlannedSession extends Window {
  /** The session's id in the problem: the (first) appointment's key. */
  id: string;
  /** The name under which it is listed: the client's or the group's. */
  listedAs: string;
  /** The client in the problem: the client's id, or an id made for the group. */
  problemClient: string;
  service: Service;
  rows: PlannedRow[];
  /** The session's therapist in the plan: its own or, when it is unassigned, the original one who is back. */
  therapistId: string | null;
  grid: Window | null;
  parts: PlannedPart[];
  /** In real minutes. */
  fixed: FixedStretch[];
  /** In percent, where it weighs more or less than other sessions, and why, as sentences. */
  weight?: number;
  about?: string[];
  /** A commit gave it to someone else, or to no one: people may have been told so. */
  decided?: boolean;
  /** Why the therapist who has it will not give it: `said no at 7:12`. */
  declined?: string | undefined;
}

/** A clinic day as a problem, with everything needed to turn its sessions back into appointments. Plain JSON. */
export interface PlannedDay {
  location: Location;
  date: IsoDate;
  version: number;
  /** In minutes: the present, if the day is cut there. */
  now: number | null;
  problem: CoverProblem;
  sessions: PlannedSession[];
  /** Names of the day's therapists, by id. */
  names: Record<string, string>;
  /** By therapist: their hours in one sentence, as they were then. */
  standing?: Record<string, string>;
  /** By therapist: why they do not take sessions that they declined: `said no at 7:12`. */
  declined?: Record<string, string>;
  /** Set when people were told about the date in calls. */
  told?: KeptTold;
  /** Sessions that someone else was chosen for on the calendar; planned as if they had no therapist. */
  chosen?: string[];
  /** By therapist: where their day of availability begins and ends, if they could be asked to stay on or come early. */
  reach?: Record<string, Reach>;
  /** Who was chosen for time beyond their day: asked to stay late or to come early once the plan is submitted. */
  extra?: PlannedExtra[];
}

/** A therapist who would be asked for time beyond their day, for a session of the plan. Real minutes. */
export interface PlannedExtra extends ExtraTime {
  readonly therapist: string;
  readonly session: string;
}

/** What people were told in calls, and whether the plan keeps it. */
export interface KeptTold {
  people: number;
  kept: boolean;
  /**
   * Sessions planned as if they had no therapist: the original therapist is back, but people were told of someone else.
   */
  unheld: string[];
}

/** The planned state of a stretch of a session, in real minutes. `therapistId` null: unassigned. */
export interface Segment extends Window {
  therapistId: string | null;
  cancelled: boolean;
  /** Delivered already: neither shown nor changed. */
  past: boolean;
  /** The stretch belongs to a part whose therapist is away or that has no therapist. */
  affected: boolean;
}

/** The sessions of a plan that their therapist on the calendar does not hold. */
export const unheldOf = ({ told, chosen }: PlannedDay): string[] => [...(told?.unheld ?? []), ...(chosen ?? [])];
