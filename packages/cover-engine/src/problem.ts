/**
 * The two file formats of the cover engine, as types: the problem (`cover-problem/1`) and the answer (`cover-options/1`).
 * Times are wall-clock `HH:MM` of the clinic. A piece's and a session's window is half-open: [start, end).
 */

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

/** All pieces of a session, held fixed. */
export interface Pin {
  session: string;
  pieces: Piece[];
}

export interface CoverProblem {
  format: 'cover-problem/1';
  date: string;
  location: string;
  /** The present, when the date is today: what lies before is never rewritten. */
  now?: string | null;
  therapists: ProblemTherapist[];
  clients: ProblemClient[];
  sessions: ProblemSession[];
  absences: ProblemAbsence[];
  pins?: Pin[];
}

export type Strategy =
  'balanced' | 'fewest-changes' | 'most-familiar' | 'most-care' | 'whole-sessions' | 'bcba-free' | 'alternative';

export type Term =
  | 'uncovered'
  | 'gap'
  | 'change'
  | 'swap'
  | 'short'
  | 'new'
  | 'known'
  | 'bcba'
  | 'admin'
  | 'taken'
  | 'callin'
  | 'added'
  | 'overload'
  | 'lunch';

/** Points by term, whole numbers; terms that are zero may be left out. */
export type Score = { total: number } & Partial<Record<Term, number>>;

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
