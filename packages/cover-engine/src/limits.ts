import { slotOf } from './slots.ts';

/** The limits that rules and terms share. Times are in slots of 15 minutes. Each limit is defined only here. */

/** The shortest piece that a substitute may have, unless it is the whole part; also the grid for handovers. */
export const HALF_HOUR = 2;
/** A substitute's piece that lasts less than this is short. */
export const HOUR = 4;
/** Between 11:00 and 14:30, therapists who are available for more than six hours should keep half an hour free. */
export const LUNCH = { from: slotOf('11:00'), to: slotOf('14:30'), free: 2, availableOver: 24 } as const;
/** A therapist outside their booked day needs this much notice. */
export const NOTICE = 4;
/**
 * Limits on the number of pieces in one part. `own`: the most pieces that the booked therapist may have. `together`:
 * the most for all pieces, where a substitute's piece counts as two. A substitute has at most one piece.
 */
export const PIECES = { together: 4, own: 2 } as const;
