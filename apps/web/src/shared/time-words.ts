import { clockTime, parseTime } from '@clinic/domain';

/** A time of the API in words: `8:30 AM` for `08:30`. */
export const timeWords = (time: string): string => clockTime(parseTime(time) ?? 0);
