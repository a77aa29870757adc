/**
 * The two file formats of the cover engine, as types: the problem (`cover-problem/2`) and the answer (`cover-options/1`).
 * Times are wall-clock `HH:MM` of the clinic. A piece's and a session's window is half-open: [start, end).
 */

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

export type Credential = 'BCBA' | 'RBT' | 'BT';
export type Gender = 'Female' | 'Male';
export type Service = 'direct' | 'supervision' | 'parent-training' | 'admin';
/** What a client knows of a therapist; a therapist who is not listed is new to the client. */
export type Familiarity = 'team' | 'known';

/** Someone who can be booked. `available`: windows [start, end) of that date. */
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
  /** Most slots of others' sessions, beyond the time that their own absent clients leave free; null or left out: any. */
  cap?: number | null;
  /** Steps of extra work, [given slots beyond which, points more for each slot]; left out: 4 more beyond 8. */
  load?: [number, number][];
  /** What telling them counts: 1, or 2 for somebody who is not in the building yet. */
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
  /** Tags that everyone who serves in place of another has to have. */
  needs?: string[];
  /** Tags that are better had. */
  prefers?: string[];
}

export interface ProblemSession {
  id: string;
  /** Null for admin time alone. */
  client: string | null;
  /** Null: nobody has this session. */
  therapist: string | null;
  start: string;
  end: string;
  service: Service;
  /** Percent: what a slot with nobody counts besides the client's priority; left out: 100. */
  weight?: number;
}

/** `who` is a therapist's or a client's id. May be wider than the day (00:00 to 24:00). */
export interface ProblemAbsence {
  who: string;
  start: string;
  end: string;
}

export interface Piece {
  /** Null: nobody. */
  therapist: string | null;
  start: string;
  end: string;
}

/** A therapist who said no to a session. */
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
  /** A `cover-problem/1` is read as one that leaves the newer fields out. */
  format: 'cover-problem/1' | 'cover-problem/2';
  date: string;
  location: string;
  /** The present, when the date is today: what lies before is never rewritten. */
  now?: string | null;
  therapists: ProblemTherapist[];
  clients: ProblemClient[];
  sessions: ProblemSession[];
  absences: ProblemAbsence[];
  declined?: Declined[];
  pins?: Pin[];
}

/** Points by term and of the strategy's lead, whole numbers; those that are zero may be left out. */
export type Score = { total: number; lead?: number } & Partial<Record<Term, number>>;

export interface PlannedSession {
  session: string;
  pieces: Piece[];
}

/** One whole plan. A session that is not listed stays as it is (cancelled time aside). */
export interface CoverOption {
  strategy: Strategy;
  /** The plan has the strategy's best score. */
  proven: boolean;
  /** A proven lower bound of the strategy's best score; null where none is known (alternatives). */
  bound: number | null;
  score: Score;
  sessions: PlannedSession[];
}

/** Why a problem cannot be solved at all: it cannot be read, or its pins clash. */
export interface Refusal {
  code: string;
  detail: string;
  /** The clashes, where pins clash with each other or with a rule. */
  conflicts?: { session: string; start: string; end: string; therapist: string | null; why: string }[];
}

export interface CoverAnswer {
  format: 'cover-options/1';
  options: CoverOption[];
  refused?: Refusal;
}
