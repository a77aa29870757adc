import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type HoursRow } from '@clinic/contract';
import type { IsoDate } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { FIGURE_WORDS, sessionsOf, type Figure } from '../model.ts';
import { SessionsDialog } from './sessions-dialog.tsx';

/** The sessions that make up a figure, each with a link to its day. */
export function HoursSessions({
  row,
  figure,
  date,
  now,
  onClose,
}: {
  row: HoursRow;
  figure: Figure;
  date: IsoDate;
  now: { readonly date: IsoDate; readonly time: string };
  onClose: () => void;
}) {
  const query = useQuery({
    queryKey: [...queryKeys.hours(row.id, date), 'sessions'],
    queryFn: ({ signal }) => call(ledgersEndpoints.hoursSessions, { params: { id: row.id }, query: { date }, signal }),
  });
  const sessions = sessionsOf(query.data ?? [], figure, date, now);
  return (
    <SessionsDialog
      title={`${row.name}: ${FIGURE_WORDS[figure].toLowerCase()}`}
      sessions={sessions.map((session) => ({
        ...session,
        words: `${session.client ?? session.subject}${session.cover ? ', taken over' : ''}`,
      }))}
      query={query}
      onClose={onClose}
    />
  );
}
