/**
 * Moves the messages (`element`) to the top of the window while they would cover what has the focus, or back to the
 * bottom, until `left` is aborted.
 */
export function keepClear(element: HTMLElement, left: AbortSignal): void {
  if (left.aborted) return;
  const covers = (): boolean => {
    const focused = document.activeElement;
    if (!focused || element.contains(focused)) return false;
    const [over, under] = [element.getBoundingClientRect(), focused.getBoundingClientRect()];
    // What is higher than the messages stays in view beside them.
    if (under.height > over.height || under.right <= over.left || under.left >= over.right) return false;
    return under.bottom > over.top && under.top < over.bottom;
  };
  const place = (): void => {
    if (left.aborted || !covers()) return;
    element.toggleAttribute('data-top');
    if (covers()) element.toggleAttribute('data-top');
  };
  // The browser may first scroll the element with the focus into view.
  let frame = requestAnimationFrame(place);
  const onFocus = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  };
  addEventListener('focusin', onFocus, { signal: left });
}
