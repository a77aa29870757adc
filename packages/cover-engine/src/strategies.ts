/**
 * What each term costs, in points, by strategy. The only place where weights stand.
 */
import type { Strategy } from './problem.ts';

export interface Weights {
  /** Each slot of a direct part with nobody, at priority 100. */
  readonly uncovered: number;
  /** Each slot of a part of another service with nobody. */
  readonly uncoveredOther: number;
  readonly gap: number;
  readonly change: number;
  readonly swap: number;
  readonly short: number;
  readonly new: number;
  readonly known: number;
  readonly bcba: number;
  readonly admin: number;
  readonly taken: number;
  readonly callin: number;
  readonly added: number;
  readonly overload: number;
  readonly lunch: number;
}

const BALANCED: Weights = {
  uncovered: 1000,
  uncoveredOther: 400,
  gap: 4000,
  change: 300,
  swap: 2500,
  short: 150,
  new: 25,
  known: 8,
  bcba: 60,
  admin: 20,
  taken: 60,
  callin: 10,
  added: 2,
  overload: 4,
  lunch: 1500,
};

export const WEIGHTS: Readonly<Record<Strategy, Weights>> = {
  balanced: BALANCED,
  'fewest-changes': { ...BALANCED, swap: 20_000, change: 1000 },
  'most-familiar': { ...BALANCED, new: 150, known: 40, short: 600 },
  'most-care': { ...BALANCED, uncovered: 20_000, uncoveredOther: 8000, gap: 500 },
  'whole-sessions': { ...BALANCED, change: 5000, taken: 0 },
  'bcba-free': { ...BALANCED, bcba: 300 },
  alternative: BALANCED,
};

/** In the order in which options are given. Alternatives come after all of them. */
export const STRATEGY_ORDER = [
  'balanced',
  'fewest-changes',
  'most-familiar',
  'most-care',
  'whole-sessions',
  'bcba-free',
] as const satisfies readonly Strategy[];

export const STRATEGY_LABELS: Readonly<Record<Strategy, string>> = {
  balanced: 'Balanced',
  'fewest-changes': 'Fewest changes',
  'most-familiar': 'Most familiar',
  'most-care': 'Most care',
  'whole-sessions': 'Whole sessions',
  'bcba-free': 'BCBAs kept free',
  alternative: 'Alternative',
};

/** Slots of other people's work that a therapist takes before it is overload, beyond what their absent clients free. */
export const OVERLOAD_FROM = 8;
/** Lunch: slots from 11:00 to 14:30, of which two stay free for therapists available more than 24 slots. */
export const LUNCH = { from: 16, to: 30, free: 2, availableOver: 24 } as const;
/** Slots of notice for a therapist who is outside their booked day. */
export const NOTICE_SLOTS = 4;
/** An alternative differs from every earlier option on at least this share of the affected slots. */
export const ALTERNATIVE_DIFFERENCE = 0.3;
/** Alternatives follow until so many plans differ. */
export const ENOUGH_PLANS = 3;
