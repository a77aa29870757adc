import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day } from '../calls/testing/told-day.ts';
import { sayToFamily } from '../calls/family-words.ts';
import { sayToTherapist } from '../calls/therapist-words.ts';
import { joinStretches, netChanges, openTimes } from '../calls/told-day.ts';
import { datesInWords } from '../dates-in-words.ts';
import { addDays, isoDate } from '../time.ts';
import { ACCOUNT } from './account-english.ts';
import { ACCOUNT_IN_SPANISH } from './account-spanish.ts';
import type { Catalogue } from './catalogue.ts';
import { ENGLISH_DATES } from './dates-english.ts';
import { languageOf } from './language-code.ts';
import { ENGLISH, say, type Language } from './language.ts';
import { OWN_DAY } from './own-day-english.ts';
import { OWN_DAY_IN_SPANISH } from './own-day-spanish.ts';
import { REVIEWS } from './reviews.ts';
import { SPANISH } from './spanish.ts';
import { SPOKEN } from './spoken-english.ts';
import { DATES_IN_SPANISH, SPOKEN_IN_SPANISH } from './spoken-spanish.ts';

const CATALOGUES: readonly (readonly [english: Catalogue, spanish: Catalogue])[] = [
  [SPOKEN, SPOKEN_IN_SPANISH],
  [ENGLISH_DATES.texts, DATES_IN_SPANISH],
  [OWN_DAY, OWN_DAY_IN_SPANISH],
  [ACCOUNT, ACCOUNT_IN_SPANISH],
];
const valuesIn = (text: string): string[] => {
  const names = [...text.matchAll(/\{(\p{L}+)(?:’s)?\}/gu)].map(([, name = '']) => name);
  return names.map((name) => name.charAt(0).toLowerCase() + name.slice(1)).sort();
};

test('every sentence is in both languages, with the same values', () => {
  for (const [english, spanish] of CATALOGUES) {
    expect(Object.keys(spanish).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      expect([key, valuesIn(spanish[key] ?? '')]).toEqual([key, valuesIn(text)]);
      // Whatever is in braces is a value.
      for (const each of [text, spanish[key]]) expect(each?.replace(/\{\p{L}+(?:’s)?\}/gu, '')).not.toMatch(/[{}]/);
    }
  }
});

test.each([
  ['spoken', [SPOKEN_IN_SPANISH, DATES_IN_SPANISH]],
  ['ownDay', OWN_DAY_IN_SPANISH],
  ['account', ACCOUNT_IN_SPANISH],
] as const)('a review of the catalogue “%s” is of its sentences as they are', (catalogue, texts) => {
  const review = REVIEWS[catalogue];
  // If this fails, the Spanish has changed since: have it read again, or write null.
  if (review) expect(review.texts).toBe(createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16));
});

test('the language of a contact is the first of ours that was typed', () => {
  for (const typed of ['Spanish', 'es', 'ES-MX', 'spa', 'Español', 'castellano', 'Spanish, some English', 'en español'])
    expect([typed, languageOf(typed)]).toEqual([typed, 'es']);
  for (const typed of [
    '',
    'English',
    'en',
    'Estonian',
    'English or Spanish',
    'Inglés y español',
    'Portuguese',
    'Creole',
  ])
    expect([typed, languageOf(typed)]).toEqual([typed, 'en']);
});

const DATE = isoDate('2026-11-20');
/** No name is a part of another, or of a word that is in a sentence. */
const NAMES: Readonly<Record<string, string>> = { A: 'Zoraida', B: 'Quique Lee', C: 'Wendell' };
const everyName = [...Object.values(NAMES), 'Xu', 'Tampa'];

/** What both languages must share: times and other numbers, in order of size, and how often each name is said. */
function factsOf(text: string): unknown {
  const numbers = [...text.matchAll(/\d+(?::\d\d)?/g)].map(([each]) => each).sort();
  return [numbers, everyName.map((name) => text.split(name).length - 1)];
}

const facts = fc.record({
  told: day,
  now: day,
  atWork: day,
  elsewhere: day,
  away: day,
  clock: fc.option(fc.integer({ min: 400, max: 600 })),
  site: fc.constantFrom(null, 'Tampa'),
  isToday: fc.boolean(),
  isCancelled: fc.boolean(),
  wasAsked: fc.boolean(),
  isByVideo: fc.boolean(),
  isUnmet: fc.boolean(),
  isAsked: fc.boolean(),
  extra: fc.constantFrom([], ['early'], ['late'], ['early', 'late']) as fc.Arbitrary<('early' | 'late')[]>,
});

test('given any changes, both languages say as many sentences, with the same times, names and places', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const [told, now] = [joinStretches(given.told), joinStretches(given.now)];
      const changes = netChanges(told, now);
      const { site, away, elsewhere, clock, extra } = given;
      const said = (language: Language): string[] => {
        const today = given.isToday ? DATE : addDays(DATE, -1);
        const own = { language, date: DATE, today, changes, told, now, nameOf: (id: string) => NAMES[id] ?? '', site };
        return [
          ...sayToTherapist({
            ...own,
            clock,
            elsewhere,
            away,
            atWork: given.atWork,
            needs: given.atWork.map(({ start, end }) => ({ start, end, asked: given.isAsked })),
            isCancelled: () => given.isCancelled,
            wasAsked: () => given.wasAsked,
            isByVideo: () => given.isByVideo,
            isUnmet: () => given.isUnmet,
            extra: extra.map((kind) => ({ kind, start: 480, end: 560 })),
          }),
          ...sayToFamily({ ...own, child: 'Xu', clock, open: openTimes(changes, now, 0) }),
        ];
      };
      const [english, spanish] = [said(ENGLISH), said(SPANISH)];
      expect(spanish.map(factsOf)).toEqual(english.map(factsOf));
      for (const text of spanish) expect(text).toMatch(/^[\p{Lu}¿][^{}]*[.?]$/u);
    }),
    { numRuns: 300 },
  );
});

test('given any dates, both languages say the same ones', () => {
  const dates = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(dates, (days) => {
      const all = days.map((each) => addDays(DATE, each));
      const spanish = datesInWords(all, DATE, SPANISH.dates);
      expect(factsOf(spanish)).toEqual(factsOf(datesInWords(all, DATE)));
      expect(spanish).toMatch(/^(?:el|del|los) [^{}]+$/);
    }),
  );
  const weekly = [0, 7, 14, 21].map((each) => addDays(DATE, each));
  expect(datesInWords(weekly, DATE, SPANISH.dates)).toBe('del 20 de noviembre al 11 de diciembre, los viernes');
  expect(datesInWords(weekly.slice(0, 1), DATE, SPANISH.dates)).toBe('el viernes 20 de noviembre');
});

test('in Spanish, times have their article, and lists their conjunction', () => {
  expect(say(SPANISH, 'promised', { time: SPANISH.time(13 * 60) })).toBe(
    'Le prometimos volver a llamar a más tardar a la 1:00.',
  );
  expect([390, 480, 780, 840].map(SPANISH.time)).toEqual([
    expect.stringMatching(/^las 6:30\sa/),
    'las 8:00',
    'la 1:00',
    'las 2:00',
  ]);
  expect(SPANISH.list(['Ana', 'Ida'])).toBe('Ana e Ida');
  expect(SPANISH.longDate(DATE)).toBe('viernes 20 de noviembre de 2026');
});
