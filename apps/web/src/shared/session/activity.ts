/**
 * When someone last worked here, as the server sees it (calls that count) and as this page sees it (keys, pointer). The
 * session keeper reports the difference to the server. Milliseconds since the epoch.
 */
let lastCall = Date.now();
let lastTouch = Date.now();

/** A call later than this after the last key or pointer movement is the page's own, not a person's work. */
const AT_WORK_MS = 30_000;

/**
 * The tabs of a browser share one session, so a call from any of them counts for all; otherwise an idle tab would warn
 * of an end that is not coming.
 */
const CHANNEL = 'session-work';
let opened: BroadcastChannel | null = null;
const otherTabs = (): BroadcastChannel => (opened ??= new BroadcastChannel(CHANNEL));

export function noteForegroundCall(): void {
  lastCall = Date.now();
  otherTabs().postMessage(null);
}
export const lastForegroundCall = (): number => lastCall;
export const lastActivity = (): number => lastTouch;
/** Whether a person touched the page a moment ago; only then do its calls count as work. */
export const isAtWork = (): boolean => Date.now() - lastTouch < AT_WORK_MS;

// Assistive technology causes clicks and input without keys or a pointer; events sent by a script do not count.
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'click', 'input'] as const;

/** `onWorkElsewhere` is called when another tab has reported work to the server. */
export function watchActivity(onWorkElsewhere: () => void): () => void {
  const note = (event: Event): void => {
    if (event.isTrusted) lastTouch = Date.now();
  };
  for (const name of TOUCHES) window.addEventListener(name, note, { passive: true, capture: true });
  otherTabs().onmessage = () => {
    lastCall = Date.now();
    onWorkElsewhere();
  };
  return () => {
    for (const name of TOUCHES) window.removeEventListener(name, note, { capture: true });
    otherTabs().onmessage = null;
  };
}
