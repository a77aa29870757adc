/** Minutes, times and lists as people read them. */
import { clockTime, duration } from '@clinic/domain';
import type { Part } from '../model.ts';
import { minuteOf, SLOT_MINUTES } from '../slots.ts';

export { duration };

/** A number of slots as people say it: `1 h 30 min`. */
export const slotsAsTime = (slots: number): string => duration(slots * SLOT_MINUTES);

/** The start of a slot as people say it: `9:00 AM`. */
export const clock = (slot: number): string => clockTime(minuteOf(slot));

/** The time from the start of one slot to the start of another, in words: `9:00 AM to 10:30 AM`. */
export const span = (from: number, to: number): string => `${clock(from)} to ${clock(to)}`;

/** A number with its noun: `1 handover`, `2 handovers`. `many` is for irregular plurals. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** Joins items as in a sentence: `Ana`, `Ana and Bo`, `Ana, Bo and Cal`. */
export function listed(items: readonly string[]): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}

/** A part's service as people say it: `parent training`. */
export const serviceWords = ({ session }: Part): string => session.service.replace('-', ' ');
