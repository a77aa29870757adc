/** How long to wait for the page itself to move the focus, in milliseconds. */
const WAIT_MS = 150;
/** The parts of a page that can get the focus when the focused element inside them disappears. */
const PARTS = 'section, [role="region"], [role="grid"], dialog[open], [role="dialog"], main';

let started = false;

/**
 * When the focused element leaves the page, for example a row that is done, moves the focus to the part of the page
 * that held the element. Otherwise, keyboard users would start at the top again, and screen readers would fall silent.
 * `focused` returns the element that had the focus last, then the ancestors that it had.
 */
export function keepFocusInPart(focused: () => readonly Element[]): void {
  if (started) return;
  started = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hasLost = (): boolean => focused()[0]?.isConnected === false && document.activeElement === document.body;
  const look = (): void => {
    if (!hasLost()) return;
    // A message with a link is in no part, and the link may lead to another page.
    const part =
      focused().find((element) => element.isConnected && element.matches(PARTS)) ?? document.querySelector('main');
    if (!(part instanceof HTMLElement)) return;
    if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
    part.focus({ preventScroll: true });
    // Nothing outside a modal dialog can have the focus, and a dialog stays open a moment while it closes.
    if (hasLost()) timer = setTimeout(look, WAIT_MS);
  };
  const removed = (): void => {
    clearTimeout(timer);
    if (hasLost()) timer = setTimeout(look, WAIT_MS);
  };
  new MutationObserver(removed).observe(document.body, { childList: true, subtree: true });
  // The element may have left while this code was loading.
  removed();
}
