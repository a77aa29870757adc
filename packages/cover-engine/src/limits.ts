/** The limits that rules and terms share, in slots of 15 minutes. Each limit is defined only here. */

/** The shortest piece of a substitute, unless it is the whole part; also the grid on which people change. */
export const HALF_HOUR = 2;
/** A substitute's piece that lasts less than this is short. */
export const HOUR = 4;
/** Between 11:00 and 14:30, half an hour stays free for therapists who are available for more than six hours. */
export const LUNCH = { from: 16, to: 30, free: 2, availableOver: 24 } as const;
/** A therapist outside their booked day needs this much notice. */
export const NOTICE = 4;
/**
 * In one part: the most of twice the substitutes' pieces plus the booked therapist's, and the most of the booked
 * therapist's.
 */
export const PIECES = { together: 4, own: 2 } as const;
/** The usual price of extra work: each slot beyond the first number costs the second number of points. */
export const USUAL_LOAD: readonly (readonly [number, number])[] = [[8, 4]];
