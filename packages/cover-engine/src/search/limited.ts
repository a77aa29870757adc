/** What a plan may be limited in (`limit` rows, *The program* in docs/cover-engine.md). */

/** What a plan can be limited in: what strategies put first, and what they may not have more of than Option 1. */
export const LIMITED = ['uncovered', 'swap', 'lunch', 'call', 'face', 'change', 'bcba'] as const;
export type Limited = (typeof LIMITED)[number];
/** The most units of each. */
export type Limits = Partial<Record<Limited, number>>;

/** Uncovered points are divided by those of a usual slot, so that the program's coefficients stay near one. */
export const scaleOf = (what: Limited): number => (what === 'uncovered' ? 1 / 1000 : 1);
