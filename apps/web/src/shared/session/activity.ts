/**
 * When someone last worked here, as the server sees it (calls that count) and as this page sees it (keys, pointer).
 * Between the two lies what the session keeper has to tell the server. Milliseconds since the epoch.
 */
let lastCall = Date.now();
let lastTouch = Date.now();

export function noteForegroundCall(): void {
  lastCall = Date.now();
}
export const lastForegroundCall = (): number => lastCall;
export const lastActivity = (): number => lastTouch;

export function watchActivity(): () => void {
  const note = (): void => {
    lastTouch = Date.now();
  };
  const events = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
  for (const name of events) window.addEventListener(name, note, { passive: true, capture: true });
  return () => {
    for (const name of events) window.removeEventListener(name, note, { capture: true });
  };
}
