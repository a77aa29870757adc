import type { AuthorizationsReply, AuthorizedSession } from '@clinic/contract';
import { decimalHours, duration } from '@clinic/domain';
import { PERIOD_WORDS } from '../../shared/period-words.ts';
import { csvOf } from './model.ts';

/** Pure functions that turn the authorizations ledger into a table and a CSV file. */

export const AUTHORIZATION_WORDS = { delivered: 'Used' } as const;

/** How long the session took, and how much of that time this authorization pays for, if the two differ. */
const usedWords = ({ subject, delivered, used }: AuthorizedSession): string =>
  `${subject}: ${duration(delivered)}${used === delivered ? '' : `, ${duration(used)} used`}`;

/** The sessions that used the authorization with this id, in words. */
export const usingSessions = (sessions: readonly AuthorizedSession[], id: string | undefined) =>
  sessions
    .filter(({ authorization }) => authorization === id)
    .map((session) => ({ ...session, words: usedWords(session) }));

/** The authorizations ledger as CSV, in hours. */
export const authorizationsCsv = ({ rows }: AuthorizationsReply): string =>
  csvOf(rows, [
    ['Client', (row) => row.name],
    ['Payer', (row) => row.payer],
    ['Code', (row) => row.code],
    ['Number', (row) => row.number],
    ['From', (row) => row.from_date],
    ['Until', (row) => row.until_date],
    ['Period', (row) => PERIOD_WORDS[row.period]],
    ['Authorized', (row) => decimalHours(row.authorized)],
    ['Used', (row) => decimalHours(row.delivered)],
    ['Left', (row) => decimalHours(row.left)],
    ['Used at least', ({ prior }) => (prior ? decimalHours(prior.used) : '')],
    ['Through', ({ prior }) => prior?.until ?? ''],
  ]);
