/**
 * How long background work continues after its page was hidden, so that a short switch to another tab does not
 * interrupt it.
 */
const HIDDEN_MS = 5_000;

/**
 * Runs the work while the page is visible: begins it when the page appears, and aborts it some seconds after the page
 * was hidden. Returns a function that ends the work for good.
 */
export function whileVisible(work: (signal: AbortSignal) => void): () => void {
  let doing: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    doing?.abort();
    doing = null;
  };
  const look = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') timer = setTimeout(end, HIDDEN_MS);
    else if (doing === null) {
      doing = new AbortController();
      work(doing.signal);
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    end();
  };
}
