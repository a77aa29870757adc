import { parseDate, shortDate } from '@clinic/domain';
import { ApiError, isRecord } from '../../../shared/api/client.ts';
import { conflictsIn } from '../../../shared/api/conflicts.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import css from '../session-dialog.module.css';

const dateWords = (text: string): string => {
  const date = parseDate(text);
  return date ? shortDate(date) : text;
};

/**
 * Why nothing was saved, in the server's words: one conflicting booking as a sentence, several as a list. If the server
 * allows an override, a button books anyway.
 */
export function WriteFailure({ error, onAnyway }: { error: Error; onAnyway: () => void }) {
  const mayPass = error instanceof ApiError && isRecord(error.detail) && error.detail['anyway'] === true;
  const conflicts = error instanceof ApiError ? conflictsIn(error.detail) : null;
  return (
    <div className={css.problem}>
      <Notice
        tone="error"
        title={failureWords(error, 'the calendar')}
        actions={mayPass ? <Button onClick={onAnyway}>Book anyway</Button> : undefined}
      />
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
