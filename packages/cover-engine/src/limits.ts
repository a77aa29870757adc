/** The limits that rules and terms share, in slots of a quarter hour. Each is named here and nowhere else. */

/** A piece of another therapist lasts at least this, or is the whole part; changes of person are on the half hour. */
export const HALF_HOUR = 2;
/** A piece of another therapist under this is short. */
export const HOUR = 4;
/** From 11:00 to 14:30 so much stays free, for therapists available for more than six hours. */
export const LUNCH = { from: 16, to: 30, free: 2, availableOver: 24 } as const;
/** Notice that somebody outside their booked day needs. */
export const NOTICE = 4;
/** In one part: 2 × pieces of others + own pieces, and own pieces, at most. */
export const PIECES = { together: 4, own: 2 } as const;
/** Steps of extra work where a therapist has none of their own: [given slots beyond which, points more for each]. */
export const USUAL_LOAD: readonly (readonly [number, number])[] = [[8, 4]];
