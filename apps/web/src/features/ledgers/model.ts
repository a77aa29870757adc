import type { HoursReply, HoursRow, LedgerSession } from '@clinic/contract';
import {
  addDays,
  decimalHours,
  isoDate,
  keysOf,
  longDate,
  mondayOf,
  toCsv,
  COVER_DAYS,
  type IsoDate,
  type Location,
} from '@clinic/domain';

/** Pure functions that turn the hours ledger into a table and a CSV file. */

/** What each figure whose sessions can be shown is called, in the order of the columns. */
export const FIGURE_WORDS = {
  booked: 'Booked',
  worked: 'Worked',
  cover_7: 'Cover, last 7 days',
  cover_28: 'Cover, last 28 days',
} as const;
export type Figure = keyof typeof FIGURE_WORDS;

/** The name of a ledger's file. It names the location: one saves the same ledger of several. */
export const csvName = (ledger: string, location: Location, date: IsoDate): string =>
  `${ledger}-${location.replaceAll(' ', '-')}-${date}.csv`;

/** How many minutes the therapist is booked beyond the week's limit. */
export const overtimeOf = ({ booked, most }: HoursRow): number => Math.max(0, booked - most);

/** The sessions that make up a figure. `now` is the current date and time at the clinic. */
export function sessionsOf(
  sessions: readonly LedgerSession[],
  figure: Figure,
  date: IsoDate,
  now: { readonly date: IsoDate; readonly time: string },
): LedgerSession[] {
  const monday = mondayOf(date);
  const [from, until] = figure.startsWith('cover')
    ? [addDays(date, figure === 'cover_7' ? -6 : 1 - COVER_DAYS), date]
    : [monday, addDays(monday, 6)];
  return sessions.filter(
    (session) =>
      from <= session.date &&
      session.date <= until &&
      (session.cover || !figure.startsWith('cover')) &&
      (figure !== 'worked' || `${session.date} ${session.start}` < `${now.date} ${now.time}`),
  );
}

/** A column of a ledger's file: its label, and its cell in each row. */
export type CsvColumn<Row> = readonly [label: string, of: (row: Row) => number | string | null];

export const csvOf = <Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string =>
  toCsv([columns.map(([label]) => label), ...rows.map((row) => columns.map(([, of]) => of(row)))]);

/** The hours ledger as CSV, in hours. */
export const hoursCsv = ({ from, until, rows }: HoursReply): string =>
  csvOf(rows, [
    ['Therapist', (row) => row.name],
    ['Credential', (row) => row.credential],
    ...keysOf(FIGURE_WORDS).map((figure): CsvColumn<HoursRow> => [
      FIGURE_WORDS[figure],
      (row) => decimalHours(row[figure]),
    ]),
    ['Maximum', (row) => decimalHours(row.most)],
    ['Guaranteed', (row) => (row.guaranteed === null ? null : decimalHours(row.guaranteed))],
    ['Left', (row) => decimalHours(row.left)],
    ['Overtime ahead', (row) => decimalHours(overtimeOf(row))],
    ['Week from', () => from],
    ['Week until', () => until],
  ]);

/** The period in words: `Monday, November 16, 2026 to Sunday, November 22, 2026`. */
export const daysWords = ({ from, until }: { readonly from: string; readonly until: string }): string =>
  `${longDate(isoDate(from))} to ${longDate(isoDate(until))}`;
