import type { AuthorizationsReply, AuthorizedSession } from '@clinic/contract';
import { decimalHours, duration, toCsv } from '@clinic/domain';
import { PERIOD_WORDS } from '../../shared/period-words.ts';

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
  toCsv([
    [
      'Client',
      'Payer',
      'Code',
      'Number',
      'From',
      'Until',
      'Period',
      'Authorized',
      'Used',
      'Left',
      'Used at least',
      'Through',
    ],
    ...rows.map((row) => [
      row.name,
      row.payer,
      row.code,
      row.number,
      row.from_date,
      row.until_date,
      PERIOD_WORDS[row.period],
      decimalHours(row.authorized),
      decimalHours(row.delivered),
      decimalHours(row.left),
      row.prior ? decimalHours(row.prior.used) : '',
      row.prior?.until ?? '',
    ]),
  ]);
