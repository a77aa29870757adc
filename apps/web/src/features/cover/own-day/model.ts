import type { OwnChange } from '@clinic/contract';
import { addDays, clockTime, isoDate, listWords, longDate, parseTime } from '@clinic/domain';
import { serviceWords } from '../../../shared/service-words.ts';

/** Pure functions for the wording of a therapist's own page. */

/** A window in words: `8:30 AM to 11:30 AM`. */
export const windowWords = ({ start, end }: { start: string; end: string }): string =>
  [start, end].map((time) => clockTime(parseTime(time) ?? 0)).join(' to ');

/** A session's time and clients, or its service if it has none: `8:30 AM to 11:30 AM Bo Lee`. */
export const stretchWords = ({ clients, service, ...times }: OwnChange['gone'][number]): string =>
  `${windowWords(times)} ${clients.length === 0 ? serviceWords(service) : listWords(clients)}`;

/** What a therapist should know about time that the clinic is still deciding about. */
export const UNDECIDED_WORDS =
  'You do not have to answer this: the clinic will tell you. Nothing else on this day changes.';

/** A date in words: `Today, Friday, November 20`. */
export function dayWords(date: string, today: string): string {
  const words = longDate(isoDate(date));
  if (date === today) return `Today, ${words}`;
  return date === addDays(isoDate(today), 1) ? `Tomorrow, ${words}` : words;
}

/** How many changes there are, in words: `2 changes to your days`. */
export const changesWords = (count: number): string =>
  count === 1 ? '1 change to your day' : `${count} changes to your days`;

/**
 * The message to a therapist who refused a change, or who saw a change and has not answered it yet; null for any other
 * change.
 */
export function stateWords({ said_no, seen_at, call }: OwnChange): string | null {
  if (said_no) return 'You said you can’t. The clinic knows and will get back to you.';
  if (seen_at !== null && call === 'ask') return 'Seen. The clinic is still waiting for your yes or no.';
  return null;
}
