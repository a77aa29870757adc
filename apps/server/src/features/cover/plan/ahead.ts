/**
 * How many problems per minute are solved in advance for one account: enough for a person who keeps changing a
 * selection.
 */
export const AHEAD_A_MINUTE = 120;
