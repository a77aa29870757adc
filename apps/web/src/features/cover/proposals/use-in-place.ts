import { useEffect, useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/**
 * Returns a function that does what `act` does to the table in this box, without moving what is under the pointer, or
 * else what has the focus. While a button is pressed, the change waits, so that the click meets what the user pressed.
 */
export function useInPlace<A>(box: RefObject<HTMLElement | null>, act: (action: A) => void): (action: A) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void) | null>(null);
  useEffect(() => {
    const down = (): void => void (pressed.current = true);
    const up = (): void => {
      pressed.current = false;
      // The click comes right after the pointer is released.
      setTimeout(() => {
        waiting.current?.();
        waiting.current = null;
      });
    };
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    window.addEventListener('pointerdown', down, options);
    for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, up, options);
    return () => stop.abort();
  }, []);
  return (action) => {
    const now = (): void => changeInPlace(box.current, () => act(action));
    if (pressed.current) waiting.current = now;
    else now();
  };
}

function changeInPlace(box: HTMLElement | null, change: () => void): void {
  const focused = document.activeElement?.closest<HTMLElement>('tbody tr');
  const row = box?.querySelector<HTMLElement>('tbody tr:hover') ?? (focused && box?.contains(focused) ? focused : null);
  const before = row?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  if (!box || !row?.isConnected) return;
  const table = row.closest('table');
  // A focused row must not end behind the head, which may have become higher.
  const head = row === focused ? (table?.tHead?.rows[0]?.cells[0]?.getBoundingClientRect().bottom ?? 0) : 0;
  const moved = row.getBoundingClientRect().top - Math.max(before, head);
  // A table that is too short to scroll that far gets empty room below it.
  const content = table?.offsetHeight ?? 0;
  box.style.paddingBottom = `${Math.max(0, box.scrollTop + moved + box.clientHeight - content)}px`;
  box.scrollTop += moved;
}
