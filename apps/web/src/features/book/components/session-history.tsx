import { useState } from 'react';
import type { Location } from '@clinic/domain';
import { useSessionHistory } from '../../../shared/api/use-session-history.ts';
import { instantWords } from '../../../shared/instant-words.ts';
import css from '../session-dialog.module.css';

/** The session's changes, newest first. Loaded when the section is opened. */
export function SessionHistory({ sessionKey, location }: { sessionKey: string; location: Location }) {
  const [open, setOpen] = useState(false);
  const { data, isError } = useSessionHistory(sessionKey, open);
  return (
    <details className={css.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History of this session</summary>
      {data ? (
        <ol>
          {data.lines.toReversed().map((line, i) => (
            <li key={i}>
              <span className="muted">
                {instantWords(location, line.at)}
                {line.by === '' ? '' : `, ${line.by}`}
              </span>
              <span>
                {line.words}
                {line.reason === null ? null : <span className="small muted">{line.reason}</span>}
              </span>
            </li>
          ))}
          {data.lines.length === 0 ? <li>No changes since the import.</li> : null}
        </ol>
      ) : (
        <p className="muted" role="status">
          {isError ? 'Could not load the history. Close it and open it again.' : open ? 'Loading...' : ''}
        </p>
      )}
    </details>
  );
}
