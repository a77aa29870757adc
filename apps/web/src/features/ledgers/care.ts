import type { CareReply, CareRow, CareSession } from '@clinic/contract';
import { compareNames, decimalHours, duration, toCsv } from '@clinic/domain';

/** Pure functions that turn the care ledger into a table and a CSV file. */

/** What each figure is called, in the order of the columns. */
export const CARE_WORDS = {
  booked: 'Booked',
  delivered: 'Delivered',
  billable: 'Billable',
  lost: 'Lost',
  made_up: 'Made up',
} as const;
export type CareFigure = keyof typeof CARE_WORDS;

/** The percentage of booked care that was lost. */
export const lostShare = ({ booked, lost }: CareRow): number => (booked === 0 ? 0 : Math.round((100 * lost) / booked));

export type LostBy = CareRow['lost_by'][number];
export const causeWords = ({ label }: Pick<LostBy, 'label'>): string => label ?? 'Not said';

/**
 * The sessions that count toward a figure, or that lost time to one cause (null: no cause given). A partly delivered
 * session counts as delivered and as lost.
 */
export const careSessionsOf = (
  sessions: readonly CareSession[],
  of: CareFigure | { readonly cause: string | null },
): CareSession[] =>
  sessions.filter((session) =>
    typeof of === 'string' ? session[of] > 0 : session.lost_by.some(({ cause }) => cause === of.cause),
  );

/**
 * How much of a session was delivered, how much of that can be billed, and how much was lost to each cause, in words.
 */
export const careWords = ({ subject, delivered, billable, booked, lost_by }: CareSession): string =>
  [
    `${subject}: ${duration(delivered)} of ${duration(booked)} delivered, ${duration(billable)} billable`,
    ...lost_by.map((each) => `${duration(each.minutes)} lost: ${causeWords(each)}`),
  ].join('; ');

const orNone = (minutes: number | null): number | null => (minutes === null ? null : decimalHours(minutes));

/** The care ledger as CSV, in hours. */
export function careCsv({ from, until, rows }: CareReply): string {
  const labels = [...new Set(rows.flatMap(({ lost_by }) => lost_by.map(causeWords)))].sort(compareNames);
  return toCsv([
    [
      'Client',
      'Booked',
      'Delivered',
      'Billable',
      'Lost',
      ...labels.map((label) => `Lost: ${label}`),
      'Made up',
      'Percent lost',
      'Priority (percent)',
      'Authorized',
      'Left',
      'From',
      'Until',
    ],
    ...rows.map((row) => [
      row.name,
      decimalHours(row.booked),
      decimalHours(row.delivered),
      decimalHours(row.billable),
      decimalHours(row.lost),
      ...labels.map((label) => decimalHours(row.lost_by.find((each) => causeWords(each) === label)?.minutes ?? 0)),
      decimalHours(row.made_up),
      lostShare(row),
      row.priority,
      orNone(row.authorized),
      orNone(row.left),
      from,
      until,
    ]),
  ]);
}
