import { useEffect } from 'react';
import css from './demo-bar.module.css';
import { useOnlyReads } from '../session/session-info.ts';

/**
 * Says to directors and viewers that they look at everything and change nothing. While it is shown, every control with
 * `data-writes` is hidden (`base.css`), and shortcuts and commands that are marked so do nothing.
 */
export function ReaderBar() {
  const reads = useOnlyReads();
  useEffect(() => {
    if (!reads) return undefined;
    const { dataset } = document.documentElement;
    dataset['reads'] = '';
    return () => void delete dataset['reads'];
  }, [reads]);
  return reads ? (
    <p className={css.bar} role="note">
      You can look at everything; changes are made by schedulers.
    </p>
  ) : null;
}
