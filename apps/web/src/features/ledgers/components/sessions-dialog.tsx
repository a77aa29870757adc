import { useQuery } from '@tanstack/react-query';
import { isoDate, longDate, parseTime, timeSlot } from '@clinic/domain';
import type { LedgerSession } from '@clinic/contract';
import { Link } from '../../../shared/router/link.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import type { BehindFigure } from '../api/use-ledgers.ts';
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
  behind: BehindFigure<Session>;
  show: (sessions: readonly Session[]) => readonly ShownSession[];
  onClose: () => void;
}) {
  const query = useQuery(behind);
  return (
    <Dialog title={title} width="36rem" onClose={onClose}>
      {() =>
        query.error ? (
          <Notice
            tone="error"
            title="Could not load the sessions."
            actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
          />
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
