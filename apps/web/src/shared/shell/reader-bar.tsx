import css from './demo-bar.module.css';
import { onlyReads } from '../session/manages-clinic.ts';
import { useSessionInfo } from '../session/session-info.ts';

/** Says to directors and viewers that they look at everything and change nothing. */
export function ReaderBar() {
  return onlyReads(useSessionInfo()?.account) ? (
    <p className={css.bar} role="note">
      You can look at everything; changes are made by schedulers.
    </p>
  ) : null;
}
