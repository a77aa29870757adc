/** The answers: `standing-options/1`, `times-options/1`, `makeup-options/1` and `warm-options/1`, as types. */
import type { Familiarity, Kind } from './problem.ts';
import type { Strategy } from './points.ts';
import type { ServeFault } from './serve.ts';

/** The points of each term; `total` is their sum. */
export interface Score {
  face: number;
  people: number;
  bcba: number;
  admin: number;
  callin: number;
  added: number;
  overload: number;
  [term: string]: number;
  total: number;
}

interface Rated {
  /** Whether it is proven that nothing scores better. */
  proven: boolean;
  /** A proven lower bound of the score. */
  bound: number;
  score: Score;
}

export interface RunAnswer {
  therapist: string | null;
  from: string;
  to: string;
  /** The dates that are left to their day. */
  open?: string[];
}

/** Why a run is as it is. */
export interface RunWhy {
  /** How well the client knows the therapist. */
  knows: Familiarity;
  /** What the best other therapist for the same dates would cost more, the rest staying as it is. */
  second: { therapist: string; points: number; knows: Familiarity } | null;
}

/** Why dates are open: how many therapists cannot take any of them, for which reason, and who could take some. */
export interface OpenWhy {
  dates: string[];
  /** Those who may not serve, by reason; `declined` beside the reasons of the rules. */
  mayNot: Partial<Record<ServeFault | 'declined', number>>;
  /** Those who may serve but are not able on any of the dates; and those who are able on some, but are better used. */
  notAble: number;
  able: string[];
}

export interface SeriesAnswer {
  series: string;
  runs: RunAnswer[];
  why: { runs: (RunWhy | null)[]; open: OpenWhy | null };
}

export interface StandingOption extends Rated {
  strategy: Strategy;
  label: string;
  series: SeriesAnswer[];
}

export interface TimesSession {
  weekday: number;
  start: string;
  therapist: string;
  /** The dates on which it cannot be held. */
  missed: string[];
  knows: Familiarity;
  /** The other therapists who could hold it at that time, with what each would cost more by itself, cheapest first. */
  others: { therapist: string; points: number }[];
}

export interface TimesOption extends Rated {
  sessions: TimesSession[];
}

export interface MakeupPiece {
  client: string;
  therapist: string;
  date: string;
  start: string;
  end: string;
  knows: Familiarity;
}

export interface MakeupOption extends Rated {
  pieces: MakeupPiece[];
  /** What stays owed, in slots. */
  left: { client: string; slots: number }[];
}

export interface Overlap {
  session: string;
  client: string;
  therapist: string;
  date: string;
  start: string;
  end: string;
}

export interface WarmOption extends Rated {
  overlaps: Overlap[];
  /** The slots of all overlaps, which nobody pays. */
  unpaid: number;
  /** Who meets less often than is wanted. */
  unmet: { client: string; therapist: string; times: number }[];
}

/** Why there are no options: the problem cannot be read, its pins clash, or time ran out before any was found. */
export interface Refusal {
  code: 'unreadable' | 'pins_clash' | 'out_of_time';
  detail: string;
}

export interface WeeksAnswer {
  format: `${Kind}-options/1` | 'weeks-options/1';
  options: (StandingOption | TimesOption | MakeupOption | WarmOption)[];
  /** The strategies, or the numbers of options, whose search did not end although nothing new was found. */
  unfinished?: string[];
  /** Why a readable problem has no option, when that is proven. */
  none?: string;
  refused?: Refusal;
}
