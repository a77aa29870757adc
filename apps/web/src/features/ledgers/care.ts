import type { AuthorizedCode, CareReply, CareRow, CareSession } from '@clinic/contract';
import { compareNames, compareText, decimalHours, duration } from '@clinic/domain';
import { PERIOD_WORDS } from '../../shared/period-words.ts';
import { csvOf, type CsvColumn } from './model.ts';

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

/**
 * The authorized hours and the hours left, for each code and period. Only hours for the same code and period are added
 * up.
 */
function authorizedColumns(rows: readonly CareRow[]): CsvColumn<CareRow>[] {
  const kindOf = ({ code, authorization }: AuthorizedCode): string | null =>
    authorization && `${code} ${PERIOD_WORDS[authorization.period]}`;
  const kinds = new Set(rows.flatMap((row) => row.authorized ?? []).flatMap((each) => kindOf(each) ?? []));
  const sum = (kind: string, of: 'authorized' | 'left') => (row: CareRow) => {
    const own = (row.authorized ?? []).flatMap((each) => (kindOf(each) === kind ? (each.authorization ?? []) : []));
    return own.length === 0 ? null : decimalHours(own.reduce((n, each) => n + each[of], 0));
  };
  return [
    ...[...kinds].sort(compareText).flatMap((kind): CsvColumn<CareRow>[] => [
      [`Authorized: ${kind}`, sum(kind, 'authorized')],
      [`Left: ${kind}`, sum(kind, 'left')],
    ]),
    [
      'No valid authorization',
      (row) => (row.authorized ?? []).flatMap(({ code, authorization }) => (authorization ? [] : code)).join(' '),
    ],
  ];
}

/** The care ledger as CSV, in hours. */
export function careCsv({ from, until, rows }: CareReply): string {
  const labels = [...new Set(rows.flatMap(({ lost_by }) => lost_by.map(causeWords)))].sort(compareNames);
  return csvOf(rows, [
    ['Client', (row) => row.name],
    ['Booked', (row) => decimalHours(row.booked)],
    ['Delivered', (row) => decimalHours(row.delivered)],
    ['Billable', (row) => decimalHours(row.billable)],
    ['Lost', (row) => decimalHours(row.lost)],
    ...labels.map((label): CsvColumn<CareRow> => [
      `Lost: ${label}`,
      (row) => decimalHours(row.lost_by.find((each) => causeWords(each) === label)?.minutes ?? 0),
    ]),
    ['Made up', (row) => decimalHours(row.made_up)],
    ['Percent lost', lostShare],
    ['Priority (percent)', (row) => row.priority],
    ...authorizedColumns(rows),
    ['From', () => from],
    ['Until', () => until],
  ]);
}
