import { useEffect, useRef } from 'react';

/** How long `what` must stay unchanged before the request is sent, in milliseconds. */
const SETTLED_MS = 250;

/**
 * Sends a request a moment after `what` has changed, and cancels the previous request. Does nothing while `ask` returns
 * null. Failures are not shown, since nothing depends on such a request.
 */
export function useAhead(what: string, ask: (signal: AbortSignal) => Promise<unknown> | null): void {
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const stop = new AbortController();
    const soon = setTimeout(() => void latest.current(stop.signal)?.catch(() => undefined), SETTLED_MS);
    return () => {
      clearTimeout(soon);
      stop.abort();
    };
  }, [what]);
}
