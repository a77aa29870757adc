/** What a plan may be limited in (`limit` rows, *The program* in docs/cover-engine.md). */

/** What a plan may be limited in: what strategies are limited in, and what they lead in. */
export const LIMITED = ['uncovered', 'swap', 'lunch', 'call', 'face', 'change', 'bcba'] as const;
export type Limited = (typeof LIMITED)[number];
/** Most units of each. */
export type Limits = Partial<Record<Limited, number>>;

/** Uncovered points are counted in units of usual slots, so that the program's coefficients stay near one. */
export const scaleOf = (what: Limited): number => (what === 'uncovered' ? 1 / 1000 : 1);
