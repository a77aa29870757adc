/** Limits on a plan (`limit` rows, *The program* in docs/cover-engine.md). */

/**
 * The terms that can be limited: the terms that strategies put first, and the terms in which a plan may not exceed
 * Option 1.
 */
export const LIMITED = ['uncovered', 'swap', 'lunch', 'call', 'face', 'change', 'bcba'] as const;
export type Limited = (typeof LIMITED)[number];
/** The maximum number of units of each term. */
export type Limits = Partial<Record<Limited, number>>;

/** Uncovered points are divided by the points of a typical slot, to keep the program's coefficients near one. */
export const scaleOf = (what: Limited): number => (what === 'uncovered' ? 1 / 1000 : 1);
