import { listWords } from '../names.ts';
import { MONTHS, weekdayName } from '../time.ts';
import type { Catalogue } from './catalogue.ts';

/** How several dates are said. */
const DATES = {
  one: 'on {weekday}, {dates}',
  on: 'on {dates}',
  from: 'from {dates}',
  except: 'except {dates}',
  also: 'also on {dates}',
  range: '{first} until {last}',
  inMonth: '{month} {days}',
  inYear: '{month} {days}, {year}',
  weekdayRow: '{first} to {last}',
  weekdays: '{days}',
} as const satisfies Catalogue;

/** How a language says several dates. */
export interface DateWords {
  readonly texts: Readonly<Record<keyof typeof DATES, string>>;
  /** By the day of the week, 0 to 6 from Sunday. */
  readonly weekday: (day: number) => string;
  readonly everyWeekday: (day: number) => string;
  /** By the number of the month, 1 to 12. */
  readonly month: (month: number) => string;
  readonly list: (words: readonly string[]) => string;
}

export const ENGLISH_DATES: DateWords = {
  texts: DATES,
  weekday: weekdayName,
  everyWeekday: (day) => `${weekdayName(day)}s`,
  month: (month) => MONTHS[month - 1] ?? '',
  list: listWords,
};
