import type { Wrong } from '@clinic/contract';
import { addDays, listWords, locationLabel, type IsoDate, type Location } from '@clinic/domain';
import { timeWords } from '../../shared/time-words.ts';
import { stretchWords } from './model.ts';

const atLocation = (location: Location, own: Location): string =>
  location === own ? '' : ` at ${locationLabel(location)}`;

/** One thing that is wrong, in words: a title, the details, and what a button would do about it. */
export function wrongWords({ kind, sessions, person, times = [], why = [] }: Wrong, location: Location) {
  const [first] = sessions;
  const who = first?.client ?? 'Someone';
  switch (kind) {
    case 'twice': {
      const others = sessions.map((session) => {
        const other = person?.type === 'client' ? session.therapist : session.client;
        return `${other ?? (person?.type === 'client' ? 'no therapist yet' : 'a session')}${atLocation(session.location, location)}`;
      });
      const at = times.map(({ start, end }) => stretchWords(start, end)).join(', ');
      return { title: `${person?.name ?? who} is booked twice`, text: `${listWords(others)}, ${at}` };
    }
    case 'rule':
      return { title: `${who} is with ${first?.therapist ?? 'no one'}`, text: why.join(' ') };
    case 'to-submit': {
      const away = times.map(({ start, end }) => stretchWords(start, end)).join(', ');
      return { title: `${who} is away, not submitted`, text: `Still booked ${away}.` };
    }
  }
}

/** `the first, Leah Grant, at 8:15 AM` */
export function firstWrongWords(list: readonly Wrong[]): string {
  const [first] = list;
  const [session] = first?.sessions ?? [];
  if (!first || !session) return '';
  const who = first.person?.name ?? session.client;
  const when = timeWords(session.start);
  return who === null ? `The first is at ${when}.` : `The first: ${who}, at ${when}.`;
}

/** What is counted in a cell of the week. */
type Figure = 'cover' | 'reported' | 'wrong' | 'submit' | 'tell';

interface CellDay {
  readonly over: boolean;
  readonly booked: number;
  readonly needs_cover: number;
  readonly to_submit: number;
  readonly wrong: number;
  readonly reported: number;
  readonly to_tell: number | undefined;
}

/**
 * The figures of a day in the week's table, and its state in words. That nothing is open is said only of a day with
 * sessions of which everything is known; `failed`: the people to tell could not be loaded.
 */
export function dayFigures(day: CellDay, failed: boolean) {
  if (day.over) return { figures: [], state: 'over' as const };
  const counts: { what: Figure; count: number; words: string }[] = [
    { what: 'cover', count: day.needs_cover, words: day.needs_cover === 1 ? 'needs cover' : 'need cover' },
    { what: 'reported', count: day.reported, words: 'to confirm' },
    { what: 'wrong', count: day.wrong, words: 'wrong' },
    { what: 'submit', count: day.to_submit, words: 'to submit' },
    { what: 'tell', count: day.to_tell ?? 0, words: 'to tell' },
  ];
  const figures = counts.filter(({ count }) => count > 0);
  if (figures.length > 0) return { figures, state: 'open' as const };
  if (day.to_tell === undefined) return { figures, state: failed ? ('not all known' as const) : ('loading' as const) };
  return { figures, state: day.booked === 0 ? ('no sessions' as const) : ('nothing is open' as const) };
}

/** The dates of a week from its Monday, with a weekend day only when something is booked or open on it. */
export function weekDates(from: IsoDate, days: readonly (CellDay & { readonly date: string })[]): IsoDate[] {
  const isUsed = (date: IsoDate): boolean =>
    days.some(
      (day) => day.date === date && day.booked + day.needs_cover + day.to_submit + day.wrong + day.reported > 0,
    );
  return Array.from({ length: 7 }, (_, i) => addDays(from, i)).filter((date, i) => i < 5 || isUsed(date));
}
