import type { HoursReply, HoursRow, LedgerSession } from '@clinic/contract';
import { addDays, decimalHours, isoDate, longDate, mondayOf, toCsv, COVER_DAYS, type IsoDate } from '@clinic/domain';

/** Pure functions that turn the hours ledger into a table and a CSV file. */

/** The figures whose sessions can be shown. */
export const FIGURES = ['booked', 'worked', 'cover_7', 'cover_28'] as const;
export type Figure = (typeof FIGURES)[number];

export const FIGURE_WORDS: Readonly<Record<Figure, string>> = {
  booked: 'Booked',
  worked: 'Worked',
  cover_7: 'Cover, last 7 days',
  cover_28: 'Cover, last 28 days',
};

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

/** The hours ledger as CSV, in hours. */
export function hoursCsv({ from, until, rows }: HoursReply): string {
  const head = ['Therapist', 'Credential', ...FIGURES.map((figure) => FIGURE_WORDS[figure]), 'Maximum', 'Guaranteed'];
  return toCsv([
    [...head, 'Left', 'Overtime ahead', 'Week from', 'Week until'],
    ...rows.map((row) => [
      row.name,
      row.credential,
      ...FIGURES.map((figure) => decimalHours(row[figure])),
      decimalHours(row.most),
      row.guaranteed === null ? null : decimalHours(row.guaranteed),
      decimalHours(row.left),
      decimalHours(overtimeOf(row)),
      from,
      until,
    ]),
  ]);
}

/** The period in words: `Monday, November 16, 2026 to Sunday, November 22, 2026`. */
export const daysWords = ({ from, until }: { readonly from: string; readonly until: string }): string =>
  `${longDate(isoDate(from))} to ${longDate(isoDate(until))}`;
