import { useQuery } from '@tanstack/react-query';
import { ledgersEndpoints, type HoursRow } from '@clinic/contract';
import { isoDate, longDate, parseTime, timeSlot, type IsoDate } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { Link } from '../../../shared/router/link.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { FIGURE_WORDS, sessionsOf, type Figure } from '../model.ts';
import css from './ledger.module.css';

/** The sessions behind a figure, each a link to its day. */
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
    <Dialog title={`${row.name}: ${FIGURE_WORDS[figure].toLowerCase()}`} width="36rem" onClose={onClose}>
      {() =>
        query.error ? (
          <Notice
            tone="error"
            title="Could not load the sessions."
            actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
          />
        ) : (
          <ul className={css.sessions} aria-busy={query.isPending} tabIndex={0} aria-label="Sessions">
            {sessions.map((session) => (
              <li key={session.key}>
                <Link to="/calendar" search={{ date: session.date, location: session.location }}>
                  {longDate(isoDate(session.date))},{' '}
                  {timeSlot(parseTime(session.start) ?? 0, parseTime(session.end) ?? 0)}
                </Link>
                <br />
                {session.client ?? session.subject}
                {session.cover ? <span className="muted"> · taken over</span> : null}
              </li>
            ))}
          </ul>
        )
      }
    </Dialog>
  );
}
