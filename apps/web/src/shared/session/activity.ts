/**
 * When someone last worked here, for the server (requests that count) and for this page (keys, pointer). The session
 * keeper tells the server about work that it has not seen. Times are in milliseconds since 1970.
 */
let lastCall = Date.now();
let lastTouch = Date.now();

/** A request that comes later than this after the last key or pointer movement is not a person's work. */
const AT_WORK_MS = 30_000;

/**
 * All tabs of a browser share one session, so work in one tab counts for all; otherwise an idle tab would warn for no
 * reason.
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
/** Whether someone used the page a moment ago; only then do its requests count as work. */
export const isAtWork = (): boolean => Date.now() - lastTouch < AT_WORK_MS;

// Assistive technology clicks and types without keys or a pointer. Events that a script makes do not count.
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
