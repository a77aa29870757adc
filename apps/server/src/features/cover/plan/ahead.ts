/**
 * How many problems per minute are solved in advance for one account: enough for a user who keeps changing a selection.
 */
export const AHEAD_A_MINUTE = 120;
