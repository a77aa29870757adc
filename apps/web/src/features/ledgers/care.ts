import type { AuthorizedCode, CareReply, CareRow, CareSession } from '@clinic/contract';
import { compareNames, compareText, decimalHours, duration, toCsv } from '@clinic/domain';
import { PERIOD_WORDS } from '../../shared/period-words.ts';

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
export const causeWords = ({ label }: Pick<LostBy, 'label'>): string => label ?? 'No reason yet';

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

/** What is left for a code: `97153: 12 h of 40 h each week`. */
export const leftWords = ({ code, authorization: own }: AuthorizedCode): string =>
  own
    ? `${code}: ${duration(own.left)} of ${duration(own.authorized)} ${PERIOD_WORDS[own.period]}`
    : `${code}: no valid authorization`;

/** Whether sessions have used any of it. */
export const isUsed = ({ authorization: own }: AuthorizedCode): boolean => own !== null && own.left < own.authorized;

/** Whether less than a tenth is left. */
export const isNearlyUsed = ({ authorization: own }: AuthorizedCode): boolean =>
  own === null || own.left * 10 < own.authorized;

/** Columns of the CSV, each with a cell for every row. */
interface Columns {
  readonly labels: string[];
  readonly cells: (row: CareRow) => (number | string | null)[];
}

/**
 * The authorized hours and the hours left, for each code and period. Only hours for the same code and period are added
 * up.
 */
function authorizedColumns(rows: readonly CareRow[]): Columns {
  const kindOf = ({ code, authorization }: AuthorizedCode): string | null =>
    authorization && `${code} ${PERIOD_WORDS[authorization.period]}`;
  const kinds = [...new Set(rows.flatMap((row) => row.authorized ?? []).flatMap((each) => kindOf(each) ?? []))];
  kinds.sort(compareText);
  return {
    labels: [...kinds.flatMap((kind) => [`Authorized: ${kind}`, `Left: ${kind}`]), 'No valid authorization'],
    cells: ({ authorized }) => [
      ...kinds.flatMap((kind) => {
        const own = (authorized ?? []).flatMap((each) => (kindOf(each) === kind ? (each.authorization ?? []) : []));
        const sum = (of: 'authorized' | 'left'): number => own.reduce((n, each) => n + each[of], 0);
        return own.length === 0 ? [null, null] : [decimalHours(sum('authorized')), decimalHours(sum('left'))];
      }),
      (authorized ?? []).flatMap(({ code, authorization }) => (authorization ? [] : code)).join(' '),
    ],
  };
}

/** The care ledger as CSV, in hours. */
export function careCsv({ from, until, rows }: CareReply): string {
  const authorized = authorizedColumns(rows);
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
      ...authorized.labels,
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
      ...authorized.cells(row),
      from,
      until,
    ]),
  ]);
}
