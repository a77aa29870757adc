/** The limits that rules and terms share, in slots of a quarter hour. Each is defined only here. */

/** A substitute's piece lasts at least this long, or is the whole part; the person changes on the half hour. */
export const HALF_HOUR = 2;
/** A substitute's piece below this is short. */
export const HOUR = 4;
/** Between 11:00 and 14:30 this much stays free, for therapists available for more than six hours. */
export const LUNCH = { from: 16, to: 30, free: 2, availableOver: 24 } as const;
/** Notice for a therapist outside their booked day. */
export const NOTICE = 4;
/** In one part: the most of 2 × substitutes' pieces + own pieces, and of own pieces. */
export const PIECES = { together: 4, own: 2 } as const;
/**
 * Steps of extra work for therapists without steps of their own: [slots given before it counts, extra points per slot].
 */
export const USUAL_LOAD: readonly (readonly [number, number])[] = [[8, 4]];
