import { MOST_WINDOWS } from '@clinic/contract';
import { datesMeet, groupBy, overlaps, union, weekdayName, type IsoDate, type Interval } from '@clinic/domain';
import { splitDates, tidy } from './fields.ts';
import { DAY_RANGE, parseDayRange } from '../columns/day-times.ts';
import type { Windows } from '../import-types.ts';

const WEEK = [0, 1, 2, 3, 4, 5, 6] as const;
const WEEKDAYS = [1, 2, 3, 4, 5] as const;
/** What exports call days, besides two or more of their first letters. `S` could be either day of the weekend. */
const DAY_NAMES: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ['m', [1]],
  ['t', [2]],
  ['w', [3]],
  ['weds', [3]],
  ['r', [4]],
  ['f', [5]],
  ['weekdays', WEEKDAYS],
  ['daily', WEEK],
]);
/** Days written without spaces, such as `MWF` and `TTh`. */
const RUN = /^(?:M|Tu?(?!h)|W|Th|R|F|Sa|Su){2,7}$/;
const RUN_DAY = /Th|Tu|Sa|Su|[MTWRF]/g;

/** The days of the week that a word stands for; none for an unknown word. */
function daysOf(word: string): readonly number[] {
  const key = word.toLowerCase().replace(/\.$/, '');
  const named = DAY_NAMES.get(key);
  if (named) return named;
  if (key.length > 1) {
    const day = WEEK.findIndex((each) => weekdayName(each).toLowerCase().startsWith(key));
    if (day >= 0) return [day];
  }
  const run = RUN.test(word) ? (word.match(RUN_DAY) ?? []) : [];
  const days = run.flatMap(daysOf);
  return new Set(days).size === days.length ? days : [];
}

/** The days from one to another, such as Friday to Monday. */
const daysBetween = (from: number, until: number): number[] =>
  Array.from({ length: ((until - from + 7) % 7) + 1 }, (_, i) => (from + i) % 7);

const WORD = String.raw`([a-z]{1,9}\.?)`;
const DAYS = new RegExp(`^${WORD}(?: ?(?:[-–—]|to|through|thru) ?${WORD})?(?= ?[,/&+:;\\d]| |$)`, 'i');
const AND = /^(?: ?[,/&+] ?| and )/i;
const RANGE = new RegExp(`^${DAY_RANGE}`, 'i');

/** Days, their ranges, and the text that follows these. */
interface Entry {
  readonly days: readonly number[];
  readonly ranges: readonly Interval[];
  readonly rest: string;
}

/** Reads `Mon, Wed-Fri: 8-12 and 1-5` at the start of a text; null when it does not begin like that. */
function readEntry(text: string): Entry | null {
  let rest = text;
  const eat = (what: RegExp): RegExpExecArray | null => {
    const found = what.exec(rest);
    if (found) rest = rest.slice(found[0].length);
    return found;
  };
  const days: number[] = [];
  do {
    const m = eat(DAYS);
    const [first, second] = [daysOf(m?.[1] ?? ''), m?.[2] === undefined ? null : daysOf(m[2])];
    const [from, until] = [first[0], second?.[0]];
    if (from === undefined || (second !== null && (until === undefined || first.length + second.length > 2)))
      return null;
    days.push(...(until === undefined ? first : daysBetween(from, until)));
  } while (eat(AND));
  eat(/^ ?:? ?/);
  const ranges: Interval[] = [];
  for (;;) {
    const m = eat(RANGE);
    const range = parseDayRange(m?.[1] ?? '', m?.[2] ?? '');
    if (range === null) return null;
    ranges.push(range);
    const [and] = AND.exec(rest) ?? [];
    if (and === undefined || !RANGE.test(rest.slice(and.length))) return { days, ranges, rest };
    rest = rest.slice(and.length);
  }
}

/** Reads one or more entries, separated by commas, each with its dates; null when a part cannot be read. */
function readPart(part: string): Windows[] | null {
  const windows: Windows[] = [];
  let left = part;
  for (;;) {
    const entry = readEntry(left);
    if (entry === null) return null;
    const goesOn = /^ ?, ?/.exec(entry.rest);
    const dates = splitDates(`dates${goesOn ? '' : entry.rest}`);
    if (dates?.text !== 'dates') return null;
    const { from_date: from, until_date: until } = dates;
    const dated = { ...(from === null ? {} : { from }), ...(until === null ? {} : { until }) };
    windows.push(...entry.days.flatMap((day) => entry.ranges.map((range) => ({ day, ...range, ...dated }))));
    if (!goesOn || windows.length > MOST_READ) return windows;
    left = entry.rest.slice(goesOn[0].length);
  }
}

/**
 * Parses weekly windows: `Mon 08:30-15:30; Tue 08:30-12:00 from 2026-01-05 until 2026-06-30`, `Mon-Fri 8-5`, `MWF
 * 9a-noon, TTh 1-4:30 PM`. Joins windows that touch and apply on the same dates. Returns the part that cannot be read,
 * if there is one.
 */
export function parseAvailability(text: string): { windows: Windows[] } | { wrong: string } {
  const windows: Windows[] = [];
  const parts = text.split(/[;|\n]/).map(tidy);
  for (const part of parts.filter(Boolean)) {
    const read = readPart(part);
    if (read === null) return { wrong: part };
    windows.push(...read);
    if (windows.length > MOST_READ) return { wrong: text };
  }
  const groups = groupBy(windows, ({ day, from, until }) => `${day} ${from} ${until}`);
  const joined = [...groups.values()]
    .flatMap((alike) => union(alike).flatMap((range) => alike.slice(0, 1).map((first) => ({ ...first, ...range }))))
    .sort((a, b) => a.day - b.day);
  if (joined.length > MOST_WINDOWS) return { wrong: text };
  const twice = joined.find((w, i) => joined.slice(0, i).some((other) => overlap(w, other)));
  return twice ? { wrong: `two overlapping windows on ${weekdayName(twice.day).toLowerCase()}` } : { windows: joined };
}

/** The maximum number of windows to read from a cell, before those that touch are joined. */
const MOST_READ = 10 * MOST_WINDOWS;

const overlap = (a: Windows, b: Windows): boolean =>
  a.day === b.day && overlaps(a, b) && datesMeet(datesOf(a), datesOf(b));

const datesOf = ({ from, until }: Windows): { from_date: IsoDate | null; until_date: IsoDate | null } => ({
  from_date: from ?? null,
  until_date: until ?? null,
});
