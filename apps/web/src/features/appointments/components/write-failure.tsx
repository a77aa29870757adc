import { parseDate, shortDate } from '@clinic/domain';
import { ApiError } from '../../../shared/api/client.ts';
import { conflictsIn } from '../../../shared/api/conflicts.ts';
import { Notice } from '../../../shared/ui/states.tsx';
import css from '../session-dialog.module.css';

const dateWords = (text: string): string => {
  const date = parseDate(text);
  return date ? shortDate(date) : text;
};

/** Why nothing was saved, in the server's words: one conflicting booking in a sentence, several in a list. */
export function WriteFailure({ error }: { error: Error }) {
  const conflicts = error instanceof ApiError ? conflictsIn(error.detail) : null;
  return (
    <div className={css.problem}>
      <Notice tone="error" title={error.message}>
        {error instanceof ApiError ? null : 'It may have been saved. Check the calendar before trying again.'}
      </Notice>
      {conflicts && conflicts.length > 1 ? (
        <ul className={css.conflicts} tabIndex={0} aria-label="Conflicting bookings">
          {conflicts.map((c, i) => (
            <li key={i}>
              <span>{dateWords(c.date)}</span>
              <span>{c.time}</span>
              <span>{c.why ?? c.therapist}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
