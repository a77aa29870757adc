import type { OwnChange } from '@clinic/contract';
import { addDays, clockTime, isoDate, longDate, parseTime } from '@clinic/domain';

/** What a therapist's own page says. Pure. */

/** `8:30 AM to 11:30 AM`. */
export const windowWords = ({ start, end }: { start: string; end: string }): string =>
  [start, end].map((time) => clockTime(parseTime(time) ?? 0)).join(' to ');

/** `Today, Friday, November 20`. */
export function dayWords(date: string, today: string): string {
  const words = longDate(isoDate(date));
  if (date === today) return `Today, ${words}`;
  return date === addDays(isoDate(today), 1) ? `Tomorrow, ${words}` : words;
}

/** `2 changes to your days`. */
export const changesWords = (count: number): string =>
  count === 1 ? '1 change to your day' : `${count} changes to your days`;

/** How an answered or seen change stands; null while the therapist has not looked at it. */
export function stateWords({ said_no, seen_at, call }: OwnChange): string | null {
  if (said_no) return 'You said you can’t. The clinic knows, and gets back to you.';
  if (seen_at !== null && call === 'ask') return 'Seen. The clinic still waits for your yes or no.';
  return null;
}
