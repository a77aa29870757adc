/** The end of a day as the API writes it. A time field cannot show this time, so it shows 23:59 instead. */
const DAYS_END = '24:00';
export const LAST_MINUTE = '23:59';

export const toTimeField = (time: string): string => (time === DAYS_END ? LAST_MINUTE : time);
export const fromTimeField = (time: string): string => (time === LAST_MINUTE ? DAYS_END : time);
