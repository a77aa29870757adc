import type { UnfitSessions } from '@clinic/contract';
import { parseDate, shortDate } from '@clinic/domain';

/**
 * For sessions that a save left unassigned: the first date and location to find cover for (`first`), and a sentence
 * that says how many sessions need cover. `first` is null when no session needs cover.
 */
export function coverAhead({ total, sessions }: UnfitSessions) {
  const days = new Map(sessions.map(({ date, location }) => [`${date} ${location}`, { date, location }]));
  const [first, ...later] = days.values();
  if (first === undefined) return { first: null, words: '' };
  const [next] = later;
  const need = total === 1 ? '1 session needs cover' : `${total.toLocaleString('en-US')} sessions need cover`;
  const here = `These are the options for ${dayWords(first.date)}.`;
  const words =
    next === undefined
      ? `${need}. ${here}`
      : `${need}. ${here} The next day that needs cover is ${dayWords(next.date)}.`;
  return { first, words };
}

function dayWords(date: string): string {
  const day = parseDate(date);
  return day === null ? date : shortDate(day);
}
