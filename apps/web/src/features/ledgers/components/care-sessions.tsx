import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type CareRow } from '@clinic/contract';
import { duration, type IsoDate } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { CARE_WORDS, careSessionsOf, type CareFigure } from '../care.ts';
import { SessionsDialog } from './sessions-dialog.tsx';

/** The sessions that make up a figure of a client's care. */
export function CareSessions({
  row,
  figure,
  date,
  onClose,
}: {
  row: CareRow;
  figure: CareFigure;
  date: IsoDate;
  onClose: () => void;
}) {
  const query = useQuery({
    queryKey: [...queryKeys.care(row.id, date), 'sessions'],
    queryFn: ({ signal }) => call(ledgersEndpoints.careSessions, { params: { id: row.id }, query: { date }, signal }),
  });
  return (
    <SessionsDialog
      title={`${row.name}: ${CARE_WORDS[figure].toLowerCase()}`}
      sessions={careSessionsOf(query.data ?? [], figure).map((session) => ({
        ...session,
        words: `${session.subject}: ${duration(session.delivered)} of ${duration(session.booked)} delivered`,
      }))}
      query={query}
      onClose={onClose}
    />
  );
}
