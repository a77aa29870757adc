/**
 * How many times per minute an account may have problems solved ahead: enough for a person who keeps changing a
 * selection.
 */
export const AHEAD_A_MINUTE = 120;
