import type { Conflict } from '@clinic/contract';
import { parseDate, shortDate } from '@clinic/domain';
import { hrefOf } from '../router/history.ts';
import css from './sessions.module.css';

/** Whose names a list of sessions shows. */
export type Whose = 'client' | 'therapist' | 'both';

/** Future sessions, one on each line. A session's date opens the calendar in another tab, so that no edits are lost. */
export function SessionList({ label, sessions, who }: { label: string; sessions: readonly Conflict[]; who: Whose }) {
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
              {names(session, who)}
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

function names({ client, therapist }: Conflict, who: Whose): string {
  if (who === 'therapist') return therapist;
  const whose = client ?? 'Administrative time';
  return who === 'both' ? `${whose}, with ${therapist}` : whose;
}
