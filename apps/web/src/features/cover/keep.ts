/** Once calls have begun, whether new options for the day keep what people were told or keep nothing. */
export type Keep = 'told' | 'nothing';

export const KEEP_TOLD = 'Keep what people were told';
/** The design prescribes this label. */
export const ALL_NEW = 'Find new options for everyone';
