/** A time field holds at most 23:59, which stands for the end of the day: 24:00 in the API. */
const DAYS_END = '24:00';
export const LAST_MINUTE = '23:59';

export const toTimeField = (time: string): string => (time === DAYS_END ? LAST_MINUTE : time);
export const fromTimeField = (time: string): string => (time === LAST_MINUTE ? DAYS_END : time);
