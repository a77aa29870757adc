import { useCallback, useState } from 'react';

/** An open dialog or similar part, with the value that it was opened for. */
interface Opening<T> {
  /** A new number for each opening, to be used as React's key. */
  key: number;
  value: T;
}

let openings = 0;
const opened = <T>(value: T): Opening<T> => ({ key: ++openings, value });

/**
 * Keeps track of which dialog is open, for dialogs that close with an animation. A dialog opened again during the
 * animation is a new opening. `close(key)` closes only the opening with that key, so the end of the animation does not
 * close a dialog that was opened in the meantime.
 */
export function useOpening<T>(
  initial?: () => T | null,
): [Opening<T> | null, (value: T) => void, (key: number) => void] {
  const [opening, setOpening] = useState<Opening<T> | null>(() => {
    const value = initial?.() ?? null;
    return value === null ? null : opened(value);
  });
  const open = useCallback((value: T) => setOpening(opened(value)), []);
  const close = useCallback((key: number) => setOpening((now) => (now?.key === key ? null : now)), []);
  return [opening, open, close];
}
