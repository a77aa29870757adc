import { IGNORE_COLUMN } from '@clinic/contract';
import { listWords, parseDate, tidyText, type IsoDate } from '@clinic/domain';
import { wordsKey } from './column-answers.ts';
import { fullYear, quote } from '../rows/fields.ts';
import type { ColumnAnswers, DatesQuestion, ImportKind, RawRow } from '../import-types.ts';

/** How a column's dates are written: 14/12/2026 or 12/14/2026. */
type Order = 'day' | 'month';

/** A date written in numbers with the year last, such as 14/12/2026, 14.12.26 and 12-14-2026, anywhere in a cell. */
const NUMBERS =
  /(?<![\d/.-])(?<first>\d{1,2})(?<mark>[/.-])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})(?![\d/-]|\.\d)/g;
/** A cell with nothing but such a date, perhaps with a time. */
const ALONE = /^\d{1,2}(?<mark>[/.-])\d{1,2}\k<mark>(?:\d{4}|\d{2})(?:[T ,].{0,20})?$/;
/** A date with the year first, as a workbook's own dates are read. */
const YEAR_FIRST = /^\d{4}-\d{2}-(\d{2})/;

/** Our columns that have dates, alone or within other text. */
const DATED: Readonly<Record<ImportKind, readonly string[]>> = {
  therapists: ['start_date', 'end_date', 'credential_from', 'credential_until', 'tags', 'availability'],
  clients: ['end_date'],
  appointments: ['StartDateTime', 'EndDateTime', 'Date', 'Time', 'Cancelled At'],
  authorizations: ['from_date', 'until_date', 'prior_until'],
  credentials: ['from_date', 'until_date'],
};

/** A date in numbers, and the days that it can mean. */
interface Written {
  readonly text: string;
  readonly day: IsoDate | null;
  readonly month: IsoDate | null;
}

interface Seen {
  readonly line: number;
  readonly text: string;
}

/** A column with dates, and what these prove. */
interface Column {
  readonly at: number;
  readonly name: string;
  readonly key: string;
  /** The first date that can only be day first, or only month first. */
  dayOnly: Seen | null;
  monthOnly: Seen | null;
  /** The first date that is one day read in one way, and another day read in the other. */
  either: Seen | null;
  /** Whether dates have dots or hyphens. With slashes the month is usually first; with these, no order is usual. */
  unusual: boolean;
  /** Whether there are dates with the year first, and whether any of these has a day above 12. */
  yearFirst: boolean;
  yearFirstHigh: boolean;
}

/** How a column's dates are read: as they are, in one order, or not at all. */
type Decision =
  | 'as they are'
  | { readonly order: Order }
  /** `all`: rows whose date has the year first are not read either. */
  | { readonly fault: string; readonly all?: true };

interface File {
  readonly kind: ImportKind;
  readonly name: string;
  readonly header: readonly string[];
  /** The header's names, reduced for comparison. */
  readonly keys: readonly string[];
  /** The positions of our columns, by our names for them. */
  readonly found: ReadonlyMap<string, number>;
  /** The positions of other columns whose dates decide about a row. */
  readonly others: readonly number[];
  readonly rows: readonly RawRow[];
}

interface Ordered {
  /** The rows, with dates written as 2026-12-14 where their order had to be decided. */
  readonly rows: readonly RawRow[];
  readonly questions: readonly DatesQuestion[];
  /** Why a row is not read, by its line. */
  readonly faults: ReadonlyMap<number, string>;
}

/**
 * Decides for each column, never row by row, whether its dates are day first or month first. Month first is usual here.
 * The column is asked about if one of its dates can only be day first, if dates have dots or hyphens, or if another column
 * of the file is day first; until there is an answer, its rows are not read. Dates that can only be month first need no
 * answer. With dates of both kinds, a column is contradictory, and its rows are refused. Pure.
 */
export function inOneOrder(file: File, answers: ColumnAnswers): Ordered {
  const columns = columnsOf(file);
  for (const row of file.rows) for (const column of columns) look(column, row);
  const decisions = new Map<Column, Decision>(columns.map((column) => [column, decisionOf(column)]));
  const differing = writtenTwoWays(file, columns);
  const isDayFirst =
    columns.some(({ dayOnly, monthOnly, key }) => dayOnly ?? (!monthOnly && answers.get(key)?.answer === 'day')) ||
    hasDayFirstElsewhere(file, columns);
  const groups = groupsOf(
    columns.filter(
      (column) => decisions.get(column) === 'as they are' && isAsked(column, isDayFirst || differing.has(column)),
    ),
    differing.size === 0 && columns.every(({ monthOnly }) => monthOnly === null),
  );
  const questions: DatesQuestion[] = [];
  for (const group of groups) {
    const question = questionOf(file, group, answers);
    questions.push(question);
    for (const column of group) decisions.set(column, answered(question));
  }
  return { questions, ...written(file.rows, decisions) };
}

function columnsOf({ kind, header, keys, found, others }: File): Column[] {
  const dated = new Set([...DATED[kind].flatMap((name) => found.get(name) ?? []), ...others]);
  return [...dated]
    .sort((a, b) => a - b)
    .map((at) => ({
      at,
      name: tidyText(header[at] ?? ''),
      key: wordsKey('dates', `${kind} ${keys[at] ?? ''}`),
      dayOnly: null,
      monthOnly: null,
      either: null,
      unusual: false,
      yearFirst: false,
      yearFirstHigh: false,
    }));
}

/** The dates in numbers in a text, without those that are no day in either order. */
function datesIn(text: string): Written[] {
  return [...text.matchAll(NUMBERS)].flatMap(([found, first = '', , second = '', year = '']) => {
    const each = { text: found, ...readings(first, second, year) };
    return each.day === null && each.month === null ? [] : [each];
  });
}

function readings(first: string, second: string, year: string): Record<Order, IsoDate | null> {
  const dated = (month: string, day: string): IsoDate | null =>
    parseDate(`${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return { day: dated(second, first), month: dated(first, second) };
}

/** Writes the dates in numbers in a text as 2026-12-14. Those that are no day in this order stay. */
const inOrder = (text: string, order: Order): string =>
  text.replace(
    NUMBERS,
    (found: string, first: string, _mark: string, second: string, year: string) =>
      readings(first, second, year)[order] ?? found,
  );

/** Notes what the dates in a row's cell prove about the column. */
function look(column: Column, { cells, line }: RawRow): void {
  const cell = cells[column.at] ?? '';
  for (const { text, day, month } of datesIn(cell)) {
    const seen = { line, text };
    if (month === null) column.dayOnly ??= seen;
    else if (day === null) column.monthOnly ??= seen;
    else if (day !== month) column.either ??= seen;
    column.unusual ||= !text.includes('/');
  }
  const stored = YEAR_FIRST.exec(cell.trimStart())?.[1];
  column.yearFirst ||= stored !== undefined;
  column.yearFirstHigh ||= Number(stored ?? 0) > 12;
}

/**
 * A session's start and end, if a row writes one day in two ways: 3/12/2026 and 12/3/2026. Then one of the columns must
 * be day first.
 */
function writtenTwoWays({ found, rows }: File, columns: readonly Column[]): ReadonlySet<Column> {
  const pair = ['StartDateTime', 'EndDateTime'].flatMap((name) => columns.filter(({ at }) => at === found.get(name)));
  const [start, end] = pair;
  if (!start || !end || (start.monthOnly && end.monthOnly)) return new Set();
  const isSwapped = rows.some(({ cells }) => {
    const [from] = datesIn(cells[start.at] ?? '');
    const [until] = datesIn(cells[end.at] ?? '');
    return from?.day !== from?.month && from?.day === until?.month && from?.month === until?.day;
  });
  return new Set(isSwapped ? pair : []);
}

/** Whether a column without dates of ours, such as a date of birth, proves that this file writes the day first. */
function hasDayFirstElsewhere({ header, rows }: File, columns: readonly Column[]): boolean {
  const own = new Set(columns.map(({ at }) => at));
  return header.some((_, at) => {
    if (own.has(at)) return false;
    let found = false;
    for (const { cells } of rows) {
      const cell = tidyText((cells[at] ?? '').slice(0, LONGEST_DATE));
      if (cell === '') continue;
      if (!ALONE.test(cell)) return false;
      found ||= datesIn(cell).some(({ month }) => month === null);
    }
    return found;
  });
}

const LONGEST_DATE = 60;

function isAsked({ dayOnly, monthOnly, either, unusual }: Column, isDayFirst: boolean): boolean {
  return monthOnly === null && (dayOnly !== null || (either !== null && (isDayFirst || unusual)));
}

/**
 * Puts together the columns that one program writes, so that one answer decides them: those that are surely alike, and if
 * nothing in the file speaks against it, all of them.
 */
function groupsOf(asked: readonly Column[], isOneWriter: boolean): (readonly Column[])[] {
  if (isOneWriter) return asked.length === 0 ? [] : [asked];
  const alike = asked.filter(({ dayOnly }) => dayOnly !== null);
  const others = asked.filter(({ dayOnly }) => dayOnly === null).map((column) => [column]);
  return alike.length === 0 ? others : [alike, ...others];
}

function questionOf(file: File, group: readonly Column[], answers: ColumnAnswers): DatesQuestion {
  const given = group.flatMap(({ key }) => answers.get(key) ?? []).filter(({ answer }) => ANSWERS.includes(answer));
  const fresh = given.find(({ remembered }) => !remembered);
  const kept = new Set(given.map(({ answer }) => answer));
  const isProven = group.some(({ dayOnly }) => dayOnly !== null);
  // What was said of another file counts only if no date of this one speaks against it.
  const [only] = kept.size === 1 && !(isProven && kept.has('month')) ? kept : [];
  const seen = [...group.flatMap(({ dayOnly }) => dayOnly ?? []), ...group.flatMap(({ either }) => either ?? [])];
  return {
    key: group[0]?.key ?? '',
    keys: group.map(({ key }) => key),
    kind: 'dates',
    text: listWords(group.map(({ name }) => name)),
    file: file.name,
    examples: [...new Set(seen.map(({ text }) => text))].slice(0, 3),
    rows: file.rows.filter(({ cells }) => group.some(({ at }) => datesIn(cells[at] ?? '').length > 0)).length,
    answer: fresh?.answer ?? only ?? null,
    remembered: fresh === undefined && only !== undefined,
  };
}

/** The answers to how dates are written, with their labels. */
export const DATE_ORDERS: readonly { readonly id: string; readonly label: string }[] = [
  { id: 'day', label: 'Day first' },
  { id: 'month', label: 'Month first' },
  { id: IGNORE_COLUMN, label: 'Leave these rows out' },
];

const ANSWERS: readonly string[] = DATE_ORDERS.map(({ id }) => id);

function decisionOf({ name, dayOnly, monthOnly, either, yearFirst, yearFirstHigh }: Column): Decision {
  if (dayOnly && monthOnly)
    return {
      fault: `the dates of ${name} contradict each other: ${quote(dayOnly.text)} in line ${dayOnly.line} can only be day first, and ${quote(monthOnly.text)} in line ${monthOnly.line} only month first; write them all in one way, such as 2026-12-14`,
    };
  if (dayOnly && !either && yearFirst && !yearFirstHigh)
    return {
      fault: `a spreadsheet program has probably read dates of ${name} month first that were day first: where the day was above 12, as ${quote(dayOnly.text)} in line ${dayOnly.line}, the text was left; export the file again, and do not open it in a spreadsheet program before the import`,
      all: true,
    };
  return 'as they are';
}

function answered({ answer, text, examples }: DatesQuestion): Decision {
  if (answer === 'day' || answer === 'month') return { order: answer };
  return {
    fault:
      answer === IGNORE_COLUMN
        ? 'its dates are left out, as answered'
        : `its dates wait for an answer: are the dates of ${text} day first or month first, as in ${examples.join(', ')}?`,
  };
}

/** Writes the dates of the rows as decided, and says which rows cannot be read. */
function written(rows: readonly RawRow[], decisions: ReadonlyMap<Column, Decision>): Omit<Ordered, 'questions'> {
  const decided = [...decisions].flatMap(([{ at }, decision]) =>
    decision === 'as they are' ? [] : [{ at, decision }],
  );
  if (decided.length === 0) return { rows, faults: new Map() };
  const faults = new Map<number, string>();
  const ordered = rows.map((row) => {
    const cells = [...row.cells];
    for (const { at, decision } of decided) {
      const cell = cells[at] ?? '';
      if ('order' in decision) cells[at] = inOrder(cell, decision.order);
      else if (datesIn(cell).length > 0 || (decision.all && YEAR_FIRST.test(cell.trimStart())))
        faults.set(row.line, faults.get(row.line) ?? decision.fault);
    }
    return { ...row, cells };
  });
  return { rows: ordered, faults };
}
