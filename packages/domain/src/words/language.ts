import { listWords } from '../names.ts';
import { clockTime, longDate, shortDate, type IsoDate } from '../time.ts';
import { DAY_END, DAY_START } from '../grid.ts';
import type { Interval } from '../interval.ts';
import { fill, type ValuesOf } from './catalogue.ts';
import { ENGLISH_DATES, type DateWords } from './dates-english.ts';
import { SPOKEN } from './spoken-english.ts';

type Key = keyof typeof SPOKEN;
export type SpokenWords = Readonly<Record<Key, string>>;

/** How a language says times, dates, lists and numbers. */
export interface Forms {
  /** A time with the half of the day: `2:00 PM`. */
  readonly exactTime: (minutes: number) => string;
  /** A time in a window or a list: `2:00`. */
  readonly clock: (minutes: number) => string;
  /** A time by itself in a sentence: `2:00`, `las 2:00`. */
  readonly time: (minutes: number) => string;
  /** `Friday, November 20, 2026` */
  readonly longDate: (date: IsoDate) => string;
  /** `Fri, Nov 20` */
  readonly shortDate: (date: IsoDate) => string;
  /** As in a written message: `Fri 20 Nov` */
  readonly messageDate: (date: IsoDate) => string;
  readonly list: (words: readonly string[]) => string;
  readonly dates: DateWords;
  /** Which form of a word goes with a number. */
  readonly plural: (n: number) => 'one' | 'other';
}

/** A language in which people are told: its forms, and its sentences. */
export interface Language extends Forms {
  readonly spoken: SpokenWords;
}

/** A time as people say it: `2:00`, with AM or PM only outside the day's hours, where it could be misunderstood. */
export const sayTime = (minutes: number): string =>
  minutes >= DAY_START && minutes < DAY_END ? clockTime(minutes).replace(/ [AP]M$/, '') : clockTime(minutes);

export const ENGLISH_FORMS: Forms = {
  exactTime: clockTime,
  clock: sayTime,
  time: sayTime,
  longDate,
  shortDate,
  messageDate: (date) => shortDate(date).replace(/^(\w+), (\w+) (\d+)$/, '$1 $3 $2'),
  list: listWords,
  dates: ENGLISH_DATES,
  plural: (n) => (n === 1 ? 'one' : 'other'),
};

export const ENGLISH: Language = { ...ENGLISH_FORMS, spoken: SPOKEN };

/** A sentence of what people are told, in a language. */
export const say = <K extends Key>({ spoken }: Language, key: K, ...[values]: ValuesOf<(typeof SPOKEN)[K]>): string =>
  fill(spoken[key], values);

/** A time in a sentence, with the place if it is named: `from 8:30 to 11:30 at Tampa`. */
export function sayWindow(language: Language, { start, end }: Interval, place: string | null = null): string {
  const times = { start: language.clock(start), end: language.clock(end) };
  return place === null ? say(language, 'window', times) : say(language, 'windowAt', { ...times, place });
}

/** A time in a list: `8:30 to 11:30`. */
export const saySpan = (language: Language, { start, end }: Interval): string =>
  say(language, 'span', { start: language.clock(start), end: language.clock(end) });

/** A time as callers say it: `8:30 to 11:30`. */
export const plainWindow = ({ start, end }: Interval): string => `${sayTime(start)} to ${sayTime(end)}`;
