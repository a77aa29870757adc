/** What a day's new options keep once calls have begun: what people were told, or nothing. */
export type Keep = 'told' | 'nothing';

export const KEEP_TOLD = 'Keep what people were told';
/** The design prescribes this label. */
export const SOLVE_ANEW = 'Solve everything anew';
