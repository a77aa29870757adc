import { DAY_END, DAY_START } from '../grid.ts';
import type { IsoDate } from '../time.ts';
import type { LanguageCode } from './language-code.ts';
import { ENGLISH, type Forms, type Language } from './language.ts';
import { DATES_IN_SPANISH, SPOKEN_IN_SPANISH } from './spoken-spanish.ts';

// The Spanish of the United States: 12 hours, commas for thousands.
const LOCALE = 'es-US';
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const LONG = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });
const PLURAL = new Intl.PluralRules(LOCALE);
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone: 'UTC' });
const LIST = new Intl.ListFormat(LOCALE);
const list = (words: readonly string[]): string => LIST.format(words);

/** `6:30 a. m.`, `2:00`: as in English, with the half of the day only outside the clinic's hours. */
function clock(minutes: number): string {
  const parts = TIME.formatToParts(minutes * 60_000);
  const isClear = minutes >= DAY_START && minutes < DAY_END;
  const shown = isClear ? parts.slice(0, parts.findIndex(({ type }) => type === 'minute') + 1) : parts;
  return shown.map(({ value }) => value).join('');
}

/** Without the comma after the weekday, since the date stands within a sentence: `viernes 20 de noviembre`. */
const dateIn = (format: Intl.DateTimeFormat, date: IsoDate): string => format.format(new Date(date)).replace(',', '');

export const SPANISH_FORMS: Forms = {
  exactTime: (minutes) => TIME.format(minutes * 60_000),
  clock,
  time: (minutes) => `${Math.floor(minutes / 60) % 12 === 1 ? 'la' : 'las'} ${clock(minutes)}`,
  longDate: (date) => dateIn(LONG, date),
  shortDate: (date) => dateIn(SHORT, date),
  messageDate: (date) => dateIn(SHORT, date),
  list,
  dates: {
    texts: DATES_IN_SPANISH,
    // January 4, 1970 was a Sunday.
    weekday: (day) => WEEKDAY.format(Date.UTC(1970, 0, 4 + day)),
    everyWeekday: (day) => WEEKDAY.format(Date.UTC(1970, 0, 4 + day)).replace(/o$/, 'os'),
    month: (month) => MONTH.format(Date.UTC(1970, month - 1)),
    list,
  },
  plural: (n) => (PLURAL.select(n) === 'one' ? 'one' : 'other'),
};

export const SPANISH: Language = { ...SPANISH_FORMS, spoken: SPOKEN_IN_SPANISH };

const LANGUAGES: Readonly<Record<LanguageCode, Language>> = { en: ENGLISH, es: SPANISH };
export const languageIn = (code: LanguageCode): Language => LANGUAGES[code];
