/** What a plan may be limited in (`limit` rows, *The program* in docs/cover-engine.md). */

/** What a plan may be limited in: what strategies are held to, and what they lead in. */
export const LIMITED = ['uncovered', 'swap', 'lunch', 'call', 'face', 'change', 'bcba'] as const;
export type Limited = (typeof LIMITED)[number];
/** Most units of each. */
export type Limits = Partial<Record<Limited, number>>;

/** Units of points uncovered are counted in usual slots: rows of the program stay near one. */
export const scaleOf = (what: Limited): number => (what === 'uncovered' ? 1 / 1000 : 1);
