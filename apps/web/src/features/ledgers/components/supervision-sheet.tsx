import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type SupervisionReply, type SupervisionRow } from '@clinic/contract';
import { duration, isoDate, longDate, type IsoDate } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { EmptyState } from '../../../shared/ui/states.tsx';
import {
  contactWords,
  SUPERVISION_FIGURES,
  SUPERVISION_WORDS,
  supervisedSessionsOf,
  supervisedShare,
  type SupervisionFigure,
} from '../supervision.ts';
import { FigureTable, type Column } from './figure-table.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import css from './ledger.module.css';

const atRisk = (row: SupervisionRow): boolean => row.at_risk;

const COLUMNS: readonly Column<SupervisionRow>[] = [
  { label: 'Needed', cell: ({ needed }) => duration(needed) },
  { label: 'Share', cell: (row) => `${supervisedShare(row)} %` },
  { label: 'Contacts', cell: contactWords },
  { label: 'At risk', cell: (row) => (atRisk(row) ? 'at risk' : 'no'), strong: atRisk },
];

/** Every RBT's supervision of the month. */
export function SupervisionSheet({ reply, date }: { reply: SupervisionReply; date: IsoDate }) {
  const [opened, setOpened] = useState<{ row: SupervisionRow; figure: SupervisionFigure } | null>(null);
  return (
    <>
      <div className={css.notes}>
        <p className="muted small">
          {longDate(isoDate(reply.from))} to {longDate(isoDate(reply.until))}. A supervision session over a session of
          the RBT with the same client counts. At risk: the month, as it is booked, holds too little.
        </p>
        {reply.off.map((off) => (
          <p key={off.rule}>{off.words}</p>
        ))}
      </div>
      {reply.rows.length > 0 ? (
        <FigureTable
          title="Supervision"
          caption="Supervision of each RBT"
          who="RBT"
          figures={SUPERVISION_FIGURES}
          words={SUPERVISION_WORDS}
          columns={COLUMNS}
          rows={reply.rows}
          onOpen={(row, figure) => setOpened({ row, figure })}
        />
      ) : (
        <EmptyState title="No RBTs">No RBT has direct sessions here this month.</EmptyState>
      )}
      {opened ? <Sessions {...opened} date={date} onClose={() => setOpened(null)} /> : null}
    </>
  );
}

function Sessions({
  row,
  figure,
  date,
  onClose,
}: {
  row: SupervisionRow;
  figure: SupervisionFigure;
  date: IsoDate;
  onClose: () => void;
}) {
  const query = useQuery({
    queryKey: [...queryKeys.supervision(row.id, date), 'sessions'],
    queryFn: ({ signal }) =>
      call(ledgersEndpoints.supervisedSessions, { params: { id: row.id }, query: { date }, signal }),
  });
  return (
    <SessionsDialog
      title={`${row.name}: ${SUPERVISION_WORDS[figure].toLowerCase()}`}
      sessions={supervisedSessionsOf(query.data ?? [], figure, date).map((session) => ({
        ...session,
        words: `${session.client ?? 'A client elsewhere'}: ${duration(session.supervised)} of ${duration(session.direct)} supervised`,
      }))}
      query={query}
      onClose={onClose}
    />
  );
}
