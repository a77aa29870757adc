import type { Conflict } from '@clinic/contract';
import { parseDate, shortDate } from '@clinic/domain';
import { hrefOf } from '../../../shared/router/history.ts';
import css from './profile-form.module.css';

/** Future sessions, one on each line. A session's date opens the calendar in another tab, so that no edits are lost. */
export function SessionList({
  label,
  sessions,
  who,
}: {
  label: string;
  sessions: readonly Conflict[];
  /** Whose names the list shows: the clients' or the therapists'. */
  who: 'client' | 'therapist';
}) {
  return (
    <ul className={css.list} tabIndex={0} aria-label={label}>
      {sessions.map((session, i) => {
        const date = parseDate(session.date);
        const location = typeof session['location'] === 'string' ? session['location'] : undefined;
        return (
          <li key={i}>
            <a href={hrefOf('/calendar', { date: session.date, location })} target="_blank" rel="noopener">
              {date ? shortDate(date) : session.date}
              <span className="sr"> (opens in a new tab)</span>
            </a>
            <span>{session.time}</span>
            <p>
              {who === 'therapist' ? session.therapist : (session.client ?? 'Administrative time')}
              {session.why ? (
                <>
                  <br />
                  <span className="small muted">{session.why}</span>
                </>
              ) : null}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
