import type { CoverProblem } from '@clinic/cover-engine';
import type { IsoDate, Location } from '@clinic/domain';
import type { Service } from '../../../db/schema.ts';
import type { Window } from '../../../clinic-day/day.ts';

/** An appointment as it was when the plan was made: enough to tell whether it is still the same. Kept as JSON. */
export interface PlannedRow extends Window {
  key: string;
  wireId: string;
  clientId: string;
  /** Null: nobody has it. */
  therapistId: string | null;
  subject: string;
  seat: number;
}

/**
 * What becomes of a stretch of a session whoever plans it. `past`: delivered, stays as it is. `cancel`: the client is
 * away. `stays`, `open`: before 7:00 or after 19:00, where its therapist keeps it or nobody has it.
 */
export interface FixedStretch extends Window {
  kind: 'past' | 'cancel' | 'stays' | 'open';
}

/** A stretch still to be given, in quarter hours. */
export interface PlannedPart extends Window {
  /** Nobody has it, or its therapist is away for some of it. */
  affected: boolean;
}

/** A session with a client: one appointment, or those of a group. Real minutes unless told. */
export interface PlannedSession extends Window {
  /** Its id in the problem: the (first) appointment's key. */
  id: string;
  /** Under which name it is listed: the client's, or the group's. */
  listedAs: string;
  /** Its client in the problem: the client's id, or one made for the group. */
  problemClient: string;
  service: Service;
  rows: PlannedRow[];
  /** Whose it is for the plan: its therapist, or, where nobody has it, the original one who is back. */
  therapistId: string | null;
  grid: Window | null;
  parts: PlannedPart[];
  /** In real minutes. */
  fixed: FixedStretch[];
}

/** A clinic day as a problem, and the way back from its sessions to appointments. Plain JSON. */
export interface PlannedDay {
  location: Location;
  date: IsoDate;
  version: number;
  /** The present in minutes, where the day is cut at it. */
  now: number | null;
  problem: CoverProblem;
  sessions: PlannedSession[];
  /** Names of the day's therapists, by id. */
  names: Record<string, string>;
}

/** What one stretch of a session is to be. `therapistId` null: nobody. Real minutes. */
export interface Segment extends Window {
  therapistId: string | null;
  cancelled: boolean;
  /** Delivered already: neither shown nor changed. */
  past: boolean;
  /** Of a part whose therapist is away or that nobody has. */
  affected: boolean;
}
