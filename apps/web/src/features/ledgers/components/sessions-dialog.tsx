import { isoDate, longDate, parseTime, timeSlot } from '@clinic/domain';
import type { LedgerSession } from '@clinic/contract';
import { Link } from '../../../shared/router/link.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import css from './ledger.module.css';

type Shown = Pick<LedgerSession, 'key' | 'location' | 'date' | 'start' | 'end'> & { readonly words: string };

/** The sessions that make up a figure, each with a link to its day. */
export function SessionsDialog({
  title,
  sessions,
  query,
  onClose,
}: {
  title: string;
  sessions: readonly Shown[];
  query: { readonly error: Error | null; readonly isPending: boolean; readonly refetch: () => unknown };
  onClose: () => void;
}) {
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
            {sessions.map((session) => (
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
