import type { SupervisedSession, SupervisionReply, SupervisionRow } from '@clinic/contract';
import { decimalHours } from '@clinic/domain';
import { csvOf } from './model.ts';

/** Pure functions that turn the supervision ledger into a table and a CSV file. */

/** What each figure is called, in the order of the columns. */
export const SUPERVISION_WORDS = {
  direct: 'Direct time this month',
  done: 'Supervised so far',
  ahead: 'Still booked',
} as const;
export type SupervisionFigure = keyof typeof SUPERVISION_WORDS;

/** The percentage of the month's direct time that is supervised, with one decimal. */
export const supervisedShare = ({ direct, done, ahead }: SupervisionRow): number =>
  direct === 0 ? 0 : Math.round((1000 * (done + ahead)) / direct) / 10;

export const contactWords = ({ contacts, contacts_ahead, contacts_needed }: SupervisionRow): string =>
  `${contacts} + ${contacts_ahead} of ${contacts_needed}`;

/** The sessions in the month that make up a figure. */
export const supervisedSessionsOf = (
  sessions: readonly SupervisedSession[],
  figure: SupervisionFigure,
  date: string,
): SupervisedSession[] =>
  sessions.filter(
    (session) => figure === 'direct' || (session.supervised > 0 && session.date < date === (figure === 'done')),
  );

/** The supervision ledger as CSV, in hours. */
export const supervisionCsv = ({ from, until, rows }: SupervisionReply): string =>
  csvOf(rows, [
    ['RBT', (row) => row.name],
    ['Direct', (row) => decimalHours(row.direct)],
    ['Needed', (row) => decimalHours(row.needed)],
    ['Supervised so far', (row) => decimalHours(row.done)],
    ['Still booked', (row) => decimalHours(row.ahead)],
    ['Share (percent)', supervisedShare],
    ['Contacts so far', (row) => row.contacts],
    ['Contacts booked', (row) => row.contacts_ahead],
    ['Contacts needed', (row) => row.contacts_needed],
    ['At risk', (row) => (row.at_risk ? 'yes' : 'no')],
    ['From', () => from],
    ['Until', () => until],
  ]);
