/**
 * The file format of the cover engine's problems (`cover-problem/3`), as types. Times are `HH:MM` by the clinic's clock;
 * a window does not include its end.
 */
import type { Gender, Service, Specialization } from '@clinic/domain';

/** The strategies. Each strategy makes one option. `strategies.ts` defines what each strategy puts first. */
export type Strategy = 'balanced' | 'fewest-calls' | 'fewest-faces' | 'whole-sessions' | 'bcba-free' | 'alternative';

export type { Gender, Service };
export type Credential = Specialization;
/** How well a client knows a therapist. A therapist who is not listed is new to the client. */
export type Familiarity = 'team' | 'known';

/** A therapist who can be booked. `available`: windows [start, end) on that date. */
export interface ProblemTherapist {
  id: string;
  name: string;
  credential: Credential;
  gender: Gender;
  available: [string, string][];
  /** The therapist's languages, trainings and payers. */
  tags?: string[];
  /** Whether the therapist is new and serves only clients who know them. */
  onlyKnown?: boolean;
  /**
   * The maximum number of slots of other therapists' sessions, not counting time that their own absent clients leave
   * free; null or left out when there is no limit.
   */
  cap?: number | null;
  /**
   * The price of extra work, in steps: [beyond this many slots, extra points for each slot]. When left out, slots
   * beyond the eighth cost 4 each.
   */
  load?: [number, number][];
  /** How much a call to the therapist counts: 1, or 2 when they are not in the building yet. */
  call?: number;
}

export interface ProblemClient {
  id: string;
  name: string;
  /** The client's priority in percent, 100 when left out: an uncovered slot costs `uncovered × priority / 100`. */
  priority?: number;
  /** The genders that a therapist may have; any if empty or left out. */
  requiresGender?: Gender[];
  /** Ids of therapists who never serve this client. */
  excludes?: string[];
  /** Whether the client accepts only therapists they know. */
  knownOnly?: boolean;
  /** The credentials that a therapist may have; any if null or left out. */
  credentials?: Credential[] | null;
  /** How well the client knows therapists, by the therapist's id. */
  knows?: Record<string, Familiarity>;
  /** Tags that every substitute must have. */
  needs?: string[];
  /** Tags that a substitute should have. */
  prefers?: string[];
  /** The payer who requires some of `needs` and `credentials`; only used in explanations. */
  payer?: ProblemPayer;
}

/** What a payer requires, beyond what the client needs. */
export interface ProblemPayer {
  name: string;
  needs: string[];
  credentials: Credential[] | null;
}

export interface ProblemSession {
  id: string;
  /** The client's id; null only in administrative time. */
  client: string | null;
  /** The therapist's id; null when the session has none. */
  therapist: string | null;
  start: string;
  end: string;
  service: Service;
  /** How much a slot without a therapist counts, in percent; multiplied by the client's priority. 100 when left out. */
  weight?: number;
}

/** `who` is the id of a therapist or a client. The window may reach beyond the calendar's day (00:00 to 24:00). */
export interface ProblemAbsence {
  who: string;
  start: string;
  end: string;
}

export interface Piece {
  /** The therapist's id; null for none. */
  therapist: string | null;
  start: string;
  end: string;
}

/** A therapist who said no to a session. */
export interface Declined {
  therapist: string;
  session: string;
}

/** A session for which a person has fixed every piece. */
export interface Pin {
  session: string;
  pieces: Piece[];
}

/** The format's versions. All of them are read as the last one; a `cover-problem/1` has fewer fields. */
export const FORMATS = ['cover-problem/1', 'cover-problem/2', 'cover-problem/3'] as const;

export interface CoverProblem {
  format: (typeof FORMATS)[number];
  date: string;
  location: string;
  /** The current time if the date is today, otherwise null or left out; nothing before this time changes. */
  now?: string | null;
  therapists: ProblemTherapist[];
  clients: ProblemClient[];
  sessions: ProblemSession[];
  absences: ProblemAbsence[];
  declined?: Declined[];
  pins?: Pin[];
}
