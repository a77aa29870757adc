/** How long to wait for the page itself to move the focus, in milliseconds. */
const WAIT_MS = 150;
/** The parts of a page that can get the focus when the focused element inside them disappears. */
const PARTS = 'section, [role="region"], dialog[open], [role="dialog"], main';

let started = false;

/**
 * When the focused element leaves the page, for example a row that is done, moves the focus to the part of the page
 * that held the element. Otherwise, keyboard users would start at the top again, and screen readers would fall silent.
 */
export function keepFocusInPart(): void {
  if (started) return;
  started = true;
  /** The element that had the focus last, then its ancestors. */
  let path: readonly Element[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hasLost = (): boolean => path[0]?.isConnected === false && document.activeElement === document.body;
  const look = (): void => {
    if (!hasLost()) return;
    // A message with a link is in no part, and the link may lead to another page.
    const part =
      path.find((element) => element.isConnected && element.matches(PARTS)) ?? document.querySelector('main');
    if (!(part instanceof HTMLElement)) return;
    if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
    part.focus({ preventScroll: true });
    // Nothing outside a modal dialog can have the focus, and a dialog stays open a moment while it closes.
    if (hasLost()) timer = setTimeout(look, WAIT_MS);
  };
  const removed = new MutationObserver(() => {
    clearTimeout(timer);
    if (hasLost()) timer = setTimeout(look, WAIT_MS);
  });
  const onFocus = (): void => {
    const all: Element[] = [];
    for (let each = document.activeElement; each; each = each.parentElement) all.push(each);
    path = all;
  };
  onFocus();
  // A click on empty space means that nothing should have the focus.
  const onPress = (): void => {
    path = [];
  };
  addEventListener('pointerdown', onPress, { capture: true });
  addEventListener('focusin', onFocus);
  removed.observe(document.body, { childList: true, subtree: true });
}
