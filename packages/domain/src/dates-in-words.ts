import { groupBy } from './lists.ts';
import { addDays, dayOfWeek, daysBetween, isoDate, mondayOf, type IsoDate } from './time.ts';
import { fill } from './words/catalogue.ts';
import { ENGLISH_DATES, type DateWords } from './words/dates-english.ts';

/** A date, or the first and last of several; as days after the Monday of the first week. */
type Days = readonly [first: number, last?: number];

/** Dates that are said together: all in `range` on these weekdays (0 is Monday) but `except`, and those in `also`. */
interface Part {
  readonly range: Days | null;
  readonly weekdays: readonly number[];
  readonly except: readonly Days[];
  readonly also: readonly Days[];
}

/** The dates of a month that begins further away than this are said with their year. */
const CLEAR_DAYS = 150;

/**
 * Says any set of dates shortly and exactly: `on Monday, December 7`, `on December 7, 9 and 14`, or `from December 7
 * until January 29, Mondays and Wednesdays, except December 24`. A range without weekdays is every day in it. Parts with
 * different weekdays are joined with semicolons. Empty for no dates.
 * @param today years are said only for dates that are months away from this one
 */
export function datesInWords(dates: readonly IsoDate[], today: IsoDate, words: DateWords = ENGLISH_DATES): string {
  const { texts } = words;
  const sorted = [...new Set(dates)].sort();
  const monday = mondayOf(sorted[0] ?? today);
  const say = (days: readonly Days[]): string =>
    listed(
      days.map((each) => each.map((day = 0) => addDays(monday, day))),
      today,
      words,
    );
  const [only] = sorted;
  if (only && sorted.length === 1)
    return fill(texts.one, { weekday: words.weekday(dayOfWeek(only)), dates: listed([[only]], today, words) });
  return shortestParts(sorted.map((date) => daysBetween(monday, date)))
    .map(({ range, weekdays, except, also }) => {
      if (!range) return fill(texts.on, { dates: say(also) });
      return [
        fill(texts.from, { dates: say([range]) }),
        ...(weekdays.length > 0 ? [weekdayWords(weekdays, words)] : []),
        ...(except.length > 0 ? [fill(texts.except, { dates: say(except) })] : []),
        ...(also.length > 0 ? [fill(texts.also, { dates: say(also) })] : []),
      ].join(', ');
    })
    .join('; ');
}

/** How many dates and weekdays a part names: what a listener must remember. */
function sizeOf({ range, weekdays, except, also }: Part): number {
  const excepted = except.reduce((sum, each) => sum + each.length, 0);
  return (range?.length ?? 0) + (isRow(weekdays) ? 2 : weekdays.length) + excepted + also.length;
}

/** The first of these parts with the least to remember. */
const shortest = (parts: readonly [Part, ...Part[]]): Part =>
  parts.reduce((least, part) => (sizeOf(part) < sizeOf(least) ? part : least));

/** Splits days into the parts with the least to remember. */
function shortestParts(days: readonly number[]): readonly Part[] {
  const there = new Set(days);
  const weeks = [...groupBy(days, (day) => Math.floor(day / 7)).values()];
  const daysIn = (week: readonly number[] = []): string => week.map((day) => day % 7).join(' ');
  const best = new Map<number, { readonly parts: readonly Part[]; readonly size: number }>([
    [0, { parts: [], size: 0 }],
  ]);
  for (const [i, week] of weeks.entries()) {
    // A part ends only where the weekdays change, so that a regular year is quick.
    if (daysIn(week) === daysIn(weeks[i + 1])) continue;
    const ways = [...best].map(([start, before]) => {
      const part = partOf(weeks.slice(start, i + 1).flat(), there);
      return { parts: [...before.parts, part], size: before.size + sizeOf(part) };
    });
    const [least] = ways.sort((a, b) => a.size - b.size);
    if (least) best.set(i + 1, least);
  }
  return best.get(weeks.length)?.parts ?? [];
}

/** Says the days of some weeks one by one, or by their most frequent weekdays. */
function partOf(days: readonly number[], there: ReadonlySet<number>): Part {
  const frequent = [...groupBy(days, (day) => day % 7)].sort(([, a], [, b]) => b.length - a.length);
  const patterns = frequent.map((_, i) =>
    patternOf(days, new Set(frequent.slice(0, i + 1).map(([day]) => day)), there),
  );
  return shortest([{ range: null, weekdays: [], except: [], also: days.map((day) => [day]) }, ...patterns]);
}

function patternOf(days: readonly number[], weekdays: ReadonlySet<number>, there: ReadonlySet<number>): Part {
  const isOn = (day: number): boolean => weekdays.has(day % 7);
  const [first = 0, last = 0] = [days.find(isOn), days.findLast(isOn)];
  const also = days.flatMap((day): Days[] => (isOn(day) ? [] : [[day]]));
  let isEvery = true;
  const runs: number[][] = [[]];
  for (let day = first; day <= last; day++) {
    if (!isOn(day)) isEvery = false;
    else if (!there.has(day)) runs.at(-1)?.push(day);
    else if (runs.at(-1)?.length !== 0) runs.push([]);
  }
  // Three or more days in a row that are left out are one range.
  const except = runs.flatMap((run): Days[] =>
    run.length > 2 ? [[Math.min(...run), Math.max(...run)]] : run.map((day) => [day]),
  );
  return { range: [first, last], weekdays: isEvery ? [] : [...weekdays].sort(), except, also };
}

/** Whether weekdays are said by the first and last of them: three or more in a row. */
const isRow = (week: readonly number[]): boolean =>
  week.length > 2 && week.every((day, i) => day === (week[0] ?? 0) + i);

/** `Mondays and Wednesdays`, `Mondays to Fridays`. */
function weekdayWords(week: readonly number[], { texts, everyWeekday, list }: DateWords): string {
  const names = week.map((day) => everyWeekday((day + 1) % 7));
  return isRow(week)
    ? fill(texts.weekdayRow, { first: names[0] ?? '', last: names.at(-1) ?? '' })
    : fill(texts.weekdays, { days: list(names) });
}

/** Says dates, those of one month together, and ranges: `December 7 and 9 and December 21 until January 4`. */
function listed(dates: readonly (readonly IsoDate[])[], today: IsoDate, { texts, month, list }: DateWords): string {
  const day = (date: IsoDate): string => String(Number(date.slice(8)));
  const inMonthOf = (date: IsoDate, days: string): string => {
    const isFar = Math.abs(daysBetween(today, isoDate(`${date.slice(0, 7)}-01`))) > CLEAR_DAYS;
    const values = { month: month(Number(date.slice(5, 7))), days, year: date.slice(0, 4) };
    return fill(isFar ? texts.inYear : texts.inMonth, values);
  };
  const inMonth = groupBy(dates, (each) => (each.length > 1 ? each.join() : (each[0] ?? '').slice(0, 7)));
  const parts = [...inMonth.values()].map((group) => {
    const [[first = today, last]] = group;
    if (!last) return inMonthOf(first, list(group.flat().map(day)));
    return fill(texts.range, { first: inMonthOf(first, day(first)), last: inMonthOf(last, day(last)) });
  });
  return list(parts);
}
