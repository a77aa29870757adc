import { useCallback, useState } from 'react';

/** Something that is open. `close` closes this opening alone: one that is still on its way out ends no newer one. */
export interface Opening<T> {
  key: number;
  value: T;
  close: () => void;
}

let openings = 0;

/**
 * What is open, if anything, for dialogs that close with a motion: opened anew meanwhile, it is another opening, with
 * another `key` to mount it by, so that whoever is quicker than the motion is not shown nothing.
 */
export function useOpening<T>(initial?: () => T | null): [Opening<T> | null, (value: T) => void] {
  const [opening, setOpening] = useState<Opening<T> | null>(() => {
    const value = initial?.() ?? null;
    return value === null ? null : make(value, (key) => setOpening((now) => (now?.key === key ? null : now)));
  });
  const open = useCallback(
    (value: T) => setOpening(make(value, (key) => setOpening((now) => (now?.key === key ? null : now)))),
    [],
  );
  return [opening, open];
}

function make<T>(value: T, close: (key: number) => void): Opening<T> {
  const key = ++openings;
  return { key, value, close: () => close(key) };
}
