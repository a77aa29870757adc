import { useCallback, useState } from 'react';

/** Something that is open. */
interface Opening<T> {
  /** Different each time it opens, so that a component with this key is mounted again. */
  key: number;
  value: T;
}

let openings = 0;
const opened = <T>(value: T): Opening<T> => ({ key: ++openings, value });

/**
 * What is open, if anything, for dialogs that close with an animation. If it is opened again in the meantime, that is a
 * new opening, and `close(key)` closes only its own; so a person faster than the animation does not lose what they
 * opened.
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
