import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datesInWords } from './dates-in-words.ts';
import { addDays, dayOfWeek, daysBetween, isoDate, MONTHS, parseDate, weekdayName, type IsoDate } from './time.ts';

const TODAY = isoDate('2026-11-29');
const every = (from: string, to: string, days: readonly number[], except: readonly string[] = []): IsoDate[] =>
  Array.from({ length: daysBetween(isoDate(from), isoDate(to)) + 1 }, (_, i) => addDays(isoDate(from), i)).filter(
    (date) => days.includes(dayOfWeek(date)) && !except.includes(date),
  );
const on = (...dates: string[]): IsoDate[] => dates.map(isoDate);

test.each([
  [[], ''],
  [on('2026-12-07'), 'on Monday, December 7'],
  [on('2026-12-14', '2026-12-07', '2026-12-09', '2026-12-07'), 'on December 7, 9 and 14'],
  [on('2026-12-28', '2027-01-04'), 'on December 28 and January 4'],
  [on('2027-08-30'), 'on Monday, August 30, 2027'],
  [on('2027-08-30', '2027-09-01', '2027-09-06'), 'on August 30, 2027 and September 1 and 6, 2027'],
  [every('2026-12-07', '2026-12-11', [1, 2, 3, 4, 5]), 'from December 7 until December 11'],
  [every('2026-12-07', '2026-12-20', [0, 1, 2, 3, 4, 5, 6]), 'from December 7 until December 20'],
  [every('2026-12-07', '2026-12-18', [1, 2, 3, 4, 5]), 'from December 7 until December 18, Mondays to Fridays'],
  [every('2026-12-07', '2027-01-29', [1, 3]), 'from December 7 until January 27, Mondays and Wednesdays'],
  [
    every('2026-12-03', '2027-01-28', [2, 4], ['2026-12-24']),
    'from December 3 until January 28, Tuesdays and Thursdays, except December 24',
  ],
  [
    every('2026-12-07', '2027-01-29', [1, 2, 3, 4, 5], every('2026-12-24', '2027-01-01', [1, 2, 3, 4, 5])),
    'from December 7 until January 29, Mondays to Fridays, except December 24 until January 1',
  ],
  [
    [...every('2026-12-07', '2027-01-25', [1]), isoDate('2026-12-19')],
    'from December 7 until January 25, Mondays, also on December 19',
  ],
  [
    [...every('2026-12-07', '2026-12-28', [1]), ...every('2027-01-06', '2027-02-24', [3])],
    'from December 7 until December 28, Mondays; from January 6 until February 24, Wednesdays',
  ],
])('%j is said as: %s', (dates, words) => {
  expect(datesInWords(dates, TODAY)).toBe(words);
});

/** Sets of dates as leave, series and closures make them: patterns with exceptions and extra dates, and any others. */
const date = fc.integer({ min: -200, max: 500 }).map((days) => addDays(TODAY, days));
const pattern = fc
  .record({
    from: date,
    length: fc.integer({ min: 0, max: 120 }),
    days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
    except: fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 6 }),
  })
  .map(({ from, length, days, except }) => {
    const out = except.map((i) => addDays(from, i));
    return every(from, addDays(from, length), days, out);
  });
const sets = fc
  .tuple(fc.array(pattern, { maxLength: 3 }), fc.array(date, { maxLength: 6 }))
  .map(([patterns, more]) => [...new Set([...patterns.flat(), ...more])].sort());

/** Reads the words as a listener does: a date without a year is the nearest such date. */
function heard(words: string): IsoDate[] {
  const months = MONTHS.join('|');
  const found = new Set<IsoDate>();
  for (const part of words.split('; ')) {
    const [main = '', ...also] = part.split(', also on ');
    const [range = '', ...except] = main.split(', except ');
    const days = (text: string): IsoDate[] =>
      [...text.matchAll(new RegExp(`(?:${months}) \\d+(?:(?:, | and )\\d{1,2}\\b)*(?:, \\d{4})?`, 'g'))]
        .map(([said]) => said)
        .flatMap((said) => {
          const year = /, (\d{4})$/.exec(said)?.[1];
          const month = MONTHS.findIndex((name) => said.startsWith(name)) + 1;
          return [...said.replace(/, \d{4}$/, '').matchAll(/\d+/g)].map(([day]) => nearest(month, Number(day), year));
        });
    const ranges = (text: string): IsoDate[] =>
      text.split(/(?<=\d)(?:, | and )(?=[A-Z])/).flatMap((each) => {
        const ends = days(each);
        const [first, last] = [ends[0], ends.at(-1)];
        return each.includes(' until ') && first && last ? every(first, last, [0, 1, 2, 3, 4, 5, 6]) : ends;
      });
    const weekdays = weekdaysIn(range);
    const out = new Set(except.flatMap(ranges));
    for (const each of range.startsWith('from ') ? ranges(range.replace(/, [A-Z][a-z]+days.*$/, '')) : days(range))
      if (!out.has(each) && (range.startsWith('on ') || weekdays.includes(dayOfWeek(each)))) found.add(each);
    for (const each of also.flatMap(days)) found.add(each);
  }
  return [...found].sort();
}

function nearest(month: number, day: number, year: string | undefined): IsoDate {
  const text = `-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const years = year === undefined ? ['2025', '2026', '2027', '2028'] : [year];
  const all = years.flatMap((each) => parseDate(`${each}${text}`) ?? []);
  const [best = TODAY] = all.sort((a, b) => Math.abs(daysBetween(TODAY, a)) - Math.abs(daysBetween(TODAY, b)));
  return best;
}

function weekdaysIn(words: string): number[] {
  const week = [1, 2, 3, 4, 5, 6, 7].map((day) => day % 7);
  const said = week.filter((day) => words.includes(`${weekdayName(day)}s`));
  const row = / (\w+)s to (\w+)s$/.exec(words);
  if (!row) return said.length === 0 ? week : said;
  const [first = 0, last = 0] = said.map((day) => week.indexOf(day));
  return week.slice(first, last + 1);
}

test('the words name these dates and no others, whatever the dates', () => {
  fc.assert(
    fc.property(sets, (dates) => {
      expect(heard(datesInWords(dates, TODAY))).toEqual(dates);
    }),
    { numRuns: 100 },
  );
});

const countIn = (words: string): number => (words.match(/\d{1,2}\b(?!\d)(?<!\d{3})|[A-Z][a-z]+days/g) ?? []).length;

test('the words never name more than the dates one by one, and a pattern with exceptions in one part', () => {
  fc.assert(
    fc.property(sets, (dates) => {
      expect(countIn(datesInWords(dates, TODAY))).toBeLessThanOrEqual(dates.length);
    }),
    { numRuns: 100 },
  );
  fc.assert(
    fc.property(pattern, (dates) => {
      fc.pre(dates.length > 20);
      const days = new Set(dates.map(dayOfWeek)).size;
      const [first = TODAY, last = TODAY] = [dates[0], dates.at(-1)];
      const missing = every(first, last, [...new Set(dates.map(dayOfWeek))]).length - dates.length;
      expect(countIn(datesInWords(dates, TODAY))).toBeLessThanOrEqual(2 + days + missing);
    }),
    { numRuns: 100 },
  );
});

test('the order of the dates does not matter, nor a date given twice', () => {
  fc.assert(
    fc.property(sets, (dates) => {
      expect(datesInWords([...dates, ...dates].reverse(), TODAY)).toBe(datesInWords(dates, TODAY));
    }),
    { numRuns: 20 },
  );
});
