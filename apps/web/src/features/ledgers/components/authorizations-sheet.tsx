import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type AuthorizationRow, type AuthorizationsReply } from '@clinic/contract';
import { duration, isoDate, shortDate, type IsoDate } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { EmptyState } from '../../../shared/ui/states.tsx';
import { AUTHORIZATION_FIGURES, AUTHORIZATION_WORDS, PERIOD_WORDS } from '../authorizations.ts';
import { FigureTable, type Column } from './figure-table.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import css from './ledger.module.css';

const COLUMNS: readonly Column<AuthorizationRow>[] = [
  { label: 'Authorized', cell: ({ authorized, period }) => `${duration(authorized)} ${PERIOD_WORDS[period]}` },
  {
    label: 'Left',
    cell: ({ left }) => (left === 0 ? 'none' : duration(left)),
    strong: ({ left, authorized }) => left * 10 < authorized,
  },
  { label: 'Number', cell: ({ number }) => number },
  { label: 'Until', cell: ({ until_date }) => `${shortDate(isoDate(until_date))}, ${until_date.slice(0, 4)}` },
];

/** The authorizations that are live on the date, and the clients without any. */
export function AuthorizationsSheet({ reply, date }: { reply: AuthorizationsReply; date: IsoDate }) {
  const [opened, setOpened] = useState<AuthorizationRow | null>(null);
  return (
    <>
      <div className={css.notes}>
        <p className="muted small">
          Used before {shortDate(date)} in its period, in units of 15 minutes: a unit counts from its eighth minute.
        </p>
        {reply.off.map((off) => (
          <p key={off.rule}>{off.words}</p>
        ))}
        {reply.lapsed.length > 0 ? <p>No authorization is live for {reply.lapsed.join(', ')}.</p> : null}
      </div>
      {reply.rows.length > 0 ? (
        <FigureTable
          title="Authorizations"
          caption="Live authorizations of each client"
          who="Client"
          note={({ payer, code }) => `${code}, ${payer}`}
          figures={AUTHORIZATION_FIGURES}
          words={AUTHORIZATION_WORDS}
          columns={COLUMNS}
          rows={reply.rows}
          onOpen={setOpened}
        />
      ) : (
        <EmptyState title="No authorizations">
          No client here has an authorization that is live on this date.
        </EmptyState>
      )}
      {opened ? <Sessions row={opened} date={date} onClose={() => setOpened(null)} /> : null}
    </>
  );
}

function Sessions({ row, date, onClose }: { row: AuthorizationRow; date: IsoDate; onClose: () => void }) {
  const query = useQuery({
    queryKey: [...queryKeys.authorizations(row.client_id, date), 'sessions'],
    queryFn: ({ signal }) =>
      call(ledgersEndpoints.authorizedSessions, { params: { id: row.client_id }, query: { date }, signal }),
  });
  return (
    <SessionsDialog
      title={`${row.name}: used of ${row.code}`}
      sessions={(query.data ?? [])
        .filter(({ authorization }) => authorization === row.id)
        .map((session) => ({ ...session, words: `${session.subject}: ${duration(session.delivered)}` }))}
      query={query}
      onClose={onClose}
    />
  );
}
