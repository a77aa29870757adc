import { useCallback, useState } from 'react';

/** Something that is open. */
interface Opening<T> {
  /** Different at each opening, so what is mounted by it is mounted again. */
  key: number;
  value: T;
}

let openings = 0;
const opened = <T>(value: T): Opening<T> => ({ key: ++openings, value });

/**
 * What is open, if anything, for dialogs that close with a motion. Opened again meanwhile, it is another opening, and
 * `close(key)` closes only its own: a person who is quicker than the motion is not left with nothing.
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
