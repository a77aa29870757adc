/**
 * When the user was last active. The server learns it from requests; this page learns it from key presses and the
 * pointer. The session keeper reports activity that the server has not seen. Times are in milliseconds since 1970.
 */
let lastCall = Date.now();
let lastTouch = Date.now();

/**
 * A request counts as the user's activity only if the user pressed a key or used the pointer at most this long before.
 */
const AT_WORK_MS = 30_000;

/**
 * All tabs of a browser share one session, so activity in one tab counts for all of them. Otherwise an idle tab would
 * warn for no reason.
 */
const CHANNEL = 'session-work';
let opened: BroadcastChannel | null = null;
const otherTabs = (): BroadcastChannel => (opened ??= new BroadcastChannel(CHANNEL));

export function noteForegroundCall(): void {
  lastCall = Date.now();
  otherTabs().postMessage(null);
}
/** Notes that someone has logged in, here or in another tab: for the server, that is activity too. */
export function noteLogin(): void {
  lastCall = Date.now();
}
export const lastForegroundCall = (): number => lastCall;
export const lastActivity = (): number => lastTouch;
/** Whether someone used the page in the last 30 seconds; only then do its requests count as activity. */
export const isAtWork = (): boolean => Date.now() - lastTouch < AT_WORK_MS;

// Clicks and input count too, since assistive technology sends no key or pointer events. Scripted events do not count.
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'click', 'input'] as const;

/** Watches for activity. Calls `onWorkElsewhere` when another tab has reported activity to the server. */
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
