import { duration } from '@clinic/domain';

/** An amount of time in words, or `–` for none: in a table, an empty cell is found at once. */
export const amount = (minutes: number): string => (minutes === 0 ? '–' : duration(minutes));
