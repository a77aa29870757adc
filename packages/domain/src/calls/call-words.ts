import { intersect, type Interval } from '../interval.ts';
import { groupBy } from '../lists.ts';
import type { IsoDate } from '../time.ts';
import type { PersonKind } from '../people.ts';
import { say, saySpan, sayWindow, type Language } from '../words/language.ts';
import type { MovedStretch } from './call-kind.ts';
import type { NetChange, ToldStretch } from './told-day.ts';

/** The name to ask for on the telephone; for a family, the child's name. */
export const whomToCall = (kind: PersonKind, name: string): string => (kind === 'client' ? `Family of ${name}` : name);

/** One person's changes, with everything that the sentences about these changes need. */
export interface PersonChanges {
  readonly language: Language;
  readonly date: IsoDate;
  /** The current date at the clinic; sentences about any other date name it. */
  readonly today: IsoDate;
  readonly changes: readonly NetChange[];
  readonly told: readonly ToldStretch[];
  readonly now: readonly ToldStretch[];
  /** The first name of a client or colleague, as this person knows them. */
  readonly nameOf: (id: string) => string;
  /** The location's name, if it is not the person's own location. */
  readonly site: string | null;
}

/** A time with the location, if it is not the person's own: `from 8:30 to 11:30 at Tampa`. */
export const when = ({ language, site }: PersonChanges, window: Interval): string => sayWindow(language, window, site);

/** Says in front of the sentences when they hold: `Friday, November 20, 2026: …`. */
export const sayWhen = (language: Language, date: string, [first, ...more]: readonly string[]): string[] =>
  first === undefined ? [] : [say(language, 'dated', { date, sentence: first }), ...more];

export const dated = ({ language, date, today }: PersonChanges, sentences: string[]): string[] =>
  date === today ? sentences : sayWhen(language, language.longDate(date), sentences);

/** The sentences about a person's date, without the date in front of them. */
export const undated = (language: Language, date: IsoDate, [first = '', ...more]: readonly string[]): string[] => {
  const [prefix = ''] = sayWhen(language, language.longDate(date), ['']);
  return [first.startsWith(prefix) ? first.slice(prefix.length) : first, ...more];
};

/** What a new session replaces: `Mo Diaz and Ida Fox`, each with its time if any of them differs; null for nothing. */
export function replacedBy(
  language: Language,
  stretch: Interval,
  gone: readonly NetChange[],
  name: (change: NetChange) => string,
): string | null {
  const parts = gone.flatMap((change) => {
    const both = intersect(stretch, change);
    return both ? [{ ...change, ...both }] : [];
  });
  const isWhole = parts.every(({ start, end }) => start === stretch.start && end === stretch.end);
  const words = sameTime(parts).map((changes) => {
    const replaced = language.list(changes.map(name));
    return isWhole ? replaced : say(language, 'replacedAt', { replaced, when: sayWindow(language, changes[0]) });
  });
  return words.length === 0 ? null : language.list(words);
}

/**
 * Groups sessions that one sentence can name together: those with the same service and time, such as those of a
 * group session.
 */
export const sameTime = <T extends ToldStretch>(
  stretches: readonly T[],
  more: (stretch: T) => unknown = () => null,
): [T, ...T[]][] => [
  ...groupBy(stretches, (each) => JSON.stringify([each.start, each.end, each.service, more(each)])).values(),
];

export interface TimedSentence {
  readonly at: number;
  readonly text: string;
}
export const inTime = (sentences: readonly TimedSentence[]): string[] =>
  [...sentences].sort((a, b) => a.at - b.at).map(({ text }) => text);

/** What a sentence about a session that moved says: the session, its time now, and the time that it had. */
export const movedValues = (person: PersonChanges, stretch: MovedStretch, work: string) => ({
  work,
  when: when(person, stretch),
  was: saySpan(person.language, stretch.was),
});

/** The names of the stretches' therapists; stretches without a therapist are left out. */
export const namesOf = (stretches: readonly ToldStretch[], nameOf: PersonChanges['nameOf']): string[] =>
  stretches.flatMap((stretch) => (stretch.with === null ? [] : [nameOf(stretch.with)]));
