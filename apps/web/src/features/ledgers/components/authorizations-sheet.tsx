import type { AuthorizationRow, AuthorizationsReply } from '@clinic/contract';
import { duration, isoDate, shortDate, type IsoDate } from '@clinic/domain';
import { amount } from '../../../shared/amount.ts';
import { PERIOD_WORDS } from '../../../shared/period-words.ts';
import { behindAuthorizations } from '../api/use-ledgers.ts';
import { AUTHORIZATION_WORDS, usingSessions } from '../authorizations.ts';
import type { Column } from './figure-table.tsx';
import { LedgerSheet } from './ledger-sheet.tsx';
import { Payers } from './payers-form.tsx';

const COLUMNS: readonly Column<AuthorizationRow>[] = [
  { label: 'Authorized', cell: ({ authorized, period }) => `${duration(authorized)} ${PERIOD_WORDS[period]}` },
  {
    label: 'Left',
    cell: ({ left }) => amount(left),
    strong: ({ left, authorized }) => left * 10 < authorized,
  },
  { label: 'Number', words: true, cell: ({ number }) => number },
  {
    label: 'Until',
    words: true,
    cell: ({ until_date }) => `${shortDate(isoDate(until_date))}, ${until_date.slice(0, 4)}`,
  },
];

const priorWords = (prior: AuthorizationRow['prior']): string =>
  prior ? `, ${duration(prior.used)} used through ${shortDate(isoDate(prior.until))}` : '';

/** The authorizations valid on the date, and the clients who have none. */
export const AuthorizationsSheet = ({
  reply,
  date,
  isAdmin,
}: {
  reply: AuthorizationsReply;
  date: IsoDate;
  isAdmin: boolean;
}) => (
  <LedgerSheet
    title="Authorizations"
    caption="Valid authorizations by client"
    who="Client"
    note={({ payer, code, prior }) => `${code}, ${payer}${priorWords(prior)}`}
    about={`Used: units used in the current period before ${shortDate(date)}. A unit is 15 minutes and counts from its eighth minute. Of several authorizations for one code, the one that ends first is used up first.`}
    off={reply.off}
    words={AUTHORIZATION_WORDS}
    columns={COLUMNS}
    rows={reply.rows}
    empty={{ title: 'No authorizations', text: 'No client here has an authorization that is valid on this date.' }}
    of={({ code }) => code}
    behind={({ client_id }) => behindAuthorizations(client_id, date)}
    show={(sessions, { id }) => usingSessions(sessions, id)}
  >
    {reply.lapsed.length > 0 ? <p>{`There is no valid authorization for ${reply.lapsed.join(', ')}.`}</p> : null}
    <Payers isAdmin={isAdmin} />
  </LedgerSheet>
);
