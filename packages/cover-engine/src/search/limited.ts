/** Limits on a plan (`limit` rows, *The program* in docs/cover-engine.md). */

/**
 * The terms that can be limited: the terms that strategies put first, and the terms in which a plan may not exceed
 * Option 1.
 */
export const LIMITED_TERMS = ['uncovered', 'swap', 'lunch', 'gap', 'stub', 'call', 'face', 'change', 'bcba'] as const;
export type LimitedTerm = (typeof LIMITED_TERMS)[number];
/** What can be limited: these terms, and a plan's price (`priceOf`). */
export const LIMITED = [...LIMITED_TERMS, 'price'] as const;
export type Limited = (typeof LIMITED)[number];
/** The maximum number of units of each term, and of points of the price. */
export type Limits = Partial<Record<Limited, number>>;

/** Points are divided by those of a typical slot, to keep the program's coefficients near one. */
export const scaleOf = (what: Limited): number => (what === 'uncovered' || what === 'price' ? 1 / 1000 : 1);

/** The search for the lowest lead and points together (*Options* in docs/cover-engine.md). */
export interface Together {
  readonly lead: LimitedTerm;
  /** How far above the bound the program over pieces looks. */
  readonly widest: number;
}
