/** What an answer pays for, in points, and the strategies of a standing replacement. */
export const POINTS = {
  face: { new: 2000, known: 600, team: 0 },
  people: 1500,
  bcba: 60,
  admin: 20,
  callin: 10,
  added: 2,
  overload: 4,
  open: 1000,
  openOther: 400,
  handover: 800,
  missed: 200,
  times: 300,
  owed: 1000,
  piece: 300,
  late: 3,
  unmet: 1000,
  stranger: 3000,
} as const;

/** A therapist's slots in a week beyond these are overload. */
export const FULL_WEEK = 40;

/** The share of a run's dates, or of a weekday's, that must be held. */
export const isHalf = (held: number, of: number): boolean => held > 0 && held * 2 >= of;

export type Strategy = 'balanced' | 'most-covered' | 'fewest-faces' | 'one-person';

/** What a strategy can put first: open points, faces who are not on the team, further people and handovers. */
export type Lead = 'open' | 'strange' | 'persons';

interface StrategyDefinition {
  readonly strategy: Strategy;
  readonly label: string;
  readonly lead: { readonly unit: Lead; readonly points: number } | null;
  /** Whether no more may be open than in Option 1. */
  readonly held: boolean;
}

/** In the order of the options. */
export const STRATEGIES: readonly StrategyDefinition[] = [
  { strategy: 'balanced', label: 'Balanced', lead: null, held: false },
  { strategy: 'most-covered', label: 'Most sessions covered', lead: { unit: 'open', points: 100 }, held: false },
  { strategy: 'fewest-faces', label: 'Fewest new faces', lead: { unit: 'strange', points: 100_000 }, held: true },
  { strategy: 'one-person', label: 'One person each', lead: { unit: 'persons', points: 100_000 }, held: true },
];
