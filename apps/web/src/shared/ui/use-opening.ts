import { useCallback, useState } from 'react';

/** Something that is open, such as a dialog. */
interface Opening<T> {
  /** A new number each time it opens, to be used as React's key. */
  key: number;
  value: T;
}

let openings = 0;
const opened = <T>(value: T): Opening<T> => ({ key: ++openings, value });

/**
 * What is open, for dialogs whose closing is animated. If it is opened again during the animation, that counts as a
 * new opening, and `close(key)` closes only its own. So people who are faster than the animation do not lose what
 * they opened.
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
