import { useQuery } from '@tanstack/react-query';
import { isoDate, longDate, parseTime, timeSlot } from '@clinic/domain';
import type { LedgerSession } from '@clinic/contract';
import { Link } from '../../../shared/router/link.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import type { Query } from '../../../shared/api/query-of.ts';
import css from './ledger.module.css';

export type ShownSession = Pick<LedgerSession, 'key' | 'location' | 'date' | 'start' | 'end'> & {
  readonly words: string;
};

export function SessionsDialog<Session>({
  title,
  behind,
  show,
  onClose,
}: {
  title: string;
  behind: Query<Session[]>;
  show: (sessions: readonly Session[]) => readonly ShownSession[];
  onClose: () => void;
}) {
  const query = useQuery(behind);
  return (
    <Dialog title={title} width="36rem" onClose={onClose}>
      {() =>
        query.error ? (
          <LoadFailure what="the sessions" query={query} />
        ) : (
          <ul className={css.sessions} aria-busy={query.isPending} tabIndex={0} aria-label="Sessions">
            {show(query.data ?? []).map((session) => (
              <li key={session.key}>
                <Link to="/calendar" search={{ date: session.date, location: session.location }}>
                  {longDate(isoDate(session.date))},{' '}
                  {timeSlot(parseTime(session.start) ?? 0, parseTime(session.end) ?? 0)}
                </Link>
                <br />
                {session.words}
              </li>
            ))}
          </ul>
        )
      }
    </Dialog>
  );
}
