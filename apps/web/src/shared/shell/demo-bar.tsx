import css from './demo-bar.module.css';
import { useSessionInfo } from '../session/session-info.ts';

/**
 * Says that this is the demo, and when its accounts end. It is at the bottom of the page, where nothing moves when it
 * appears.
 */
export function DemoBar() {
  return useSessionInfo()?.demo ? (
    <p className={css.bar} role="note">
      <b>Demo clinic</b> with made-up people. Its accounts end with your first import or account.
    </p>
  ) : null;
}
