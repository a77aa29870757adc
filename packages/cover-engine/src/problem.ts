/**
 * The two file formats of the cover engine, as types: the problem (`cover-problem/2`) and the answer
 * (`cover-options/1`). Times are wall-clock `HH:MM` of the clinic. A piece's and a session's window is half-open:
 * [start, end).
 */
import type { Gender, Service, Specialization } from '@clinic/domain';

/** The terms of the score; `terms.ts` says what each counts. */
export type Term =
  | 'uncovered'
  | 'gap'
  | 'change'
  | 'swap'
  | 'short'
  | 'face'
  | 'new'
  | 'known'
  | 'bcba'
  | 'admin'
  | 'taken'
  | 'callin'
  | 'added'
  | 'overload'
  | 'lunch'
  | 'call'
  | 'match';

/** What options differ by; `strategies.ts` says what each puts first. */
export type Strategy =
  'balanced' | 'most-care' | 'fewest-calls' | 'fewest-faces' | 'whole-sessions' | 'bcba-free' | 'alternative';

export type { Gender, Service };
export type Credential = Specialization;
/** How well a client knows a therapist; a therapist who is not listed is new to the client. */
export type Familiarity = 'team' | 'known';

/** A person who can be booked. `available`: windows [start, end) on that date. */
export interface ProblemTherapist {
  id: string;
  name: string;
  credential: Credential;
  gender: Gender;
  available: [string, string][];
  /** What they bring: languages, trainings, payers. */
  tags?: string[];
  /** New here: serves only clients who know them. */
  onlyKnown?: boolean;
  /**
   * Most slots of others' sessions, beyond the time that their own absent clients leave free; null or left out: no
   * limit.
   */
  cap?: number | null;
  /** Steps of extra work, [slots given before it counts, extra points per slot]; by default 4 more beyond 8. */
  load?: [number, number][];
  /** What a call to them counts: 1, or 2 for someone who is not in the building yet. */
  call?: number;
}

export interface ProblemClient {
  id: string;
  name: string;
  /** Percent: 100 is usual; an uncovered slot costs `uncovered × priority / 100`. */
  priority?: number;
  /** Empty or left out: any. */
  requiresGender?: Gender[];
  /** Ids of therapists who never serve this client. */
  excludes?: string[];
  /** Only therapists in `knows` may serve. */
  knownOnly?: boolean;
  /** Credentials that may serve; null or left out: any. */
  credentials?: Credential[] | null;
  /** By therapist id. */
  knows?: Record<string, Familiarity>;
  /** Tags that every substitute must have. */
  needs?: string[];
  /** Tags that a substitute should have. */
  prefers?: string[];
}

export interface ProblemSession {
  id: string;
  /** Null only for admin time. */
  client: string | null;
  /** Null: the session has no therapist. */
  therapist: string | null;
  start: string;
  end: string;
  service: Service;
  /** Percent: the weight of a slot without a therapist, besides the client's priority; default 100. */
  weight?: number;
}

/** `who` is a therapist's or a client's id. May extend beyond the day (00:00 to 24:00). */
export interface ProblemAbsence {
  who: string;
  start: string;
  end: string;
}

export interface Piece {
  /** Null: no therapist. */
  therapist: string | null;
  start: string;
  end: string;
}

/** A therapist who declined a session. */
export interface Declined {
  therapist: string;
  session: string;
}

/** All pieces of a session, held fixed. */
export interface Pin {
  session: string;
  pieces: Piece[];
}

export interface CoverProblem {
  /** A `cover-problem/1` is read as one without the newer fields. */
  format: 'cover-problem/1' | 'cover-problem/2';
  date: string;
  location: string;
  /** The current time, if the date is today: earlier time is never rewritten. */
  now?: string | null;
  therapists: ProblemTherapist[];
  clients: ProblemClient[];
  sessions: ProblemSession[];
  absences: ProblemAbsence[];
  declined?: Declined[];
  pins?: Pin[];
}

/** Points by term and for the strategy's lead, whole numbers; zeros may be left out. */
export type Score = { total: number; lead?: number } & Partial<Record<Term, number>>;

export interface PlannedSession {
  session: string;
  pieces: Piece[];
}

/** One whole plan. A session that is not listed stays as it is (except cancelled time). */
export interface CoverOption {
  strategy: Strategy;
  /** The plan has the strategy's best score. */
  proven: boolean;
  /** A proven lower bound of the strategy's best score; null if none is known (alternatives). */
  bound: number | null;
  score: Score;
  sessions: PlannedSession[];
}

/** Why a problem cannot be solved at all: it cannot be read, or its pins clash. */
export interface Refusal {
  code: string;
  detail: string;
  /** The clashes, if pins clash with each other or with a rule. */
  conflicts?: { session: string; start: string; end: string; therapist: string | null; why: string }[];
}

export interface CoverAnswer {
  format: 'cover-options/1';
  options: CoverOption[];
  refused?: Refusal;
}
