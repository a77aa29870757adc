/** Letters written from right to left, and the characters that join them into a name. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC](?:[\s'’.-]*[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC])*/g;

/**
 * The text with each Hebrew or Arabic name isolated. Without this, the browser would put the time after such a name on
 * the wrong side of it: `9:00 <name> AM`.
 */
export const isolated = (text: string): string => text.replace(RIGHT_TO_LEFT, '\u2068$&\u2069');
