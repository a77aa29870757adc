import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

const STOPS = '[data-name],[data-bar]';
const PAGE = 10;
const MOST_FRAMES = 120;

/** What the keyboard needs of a list whose rows may not all be on the page. */
export interface RowList {
  count: number;
  idAt: (index: number) => string;
  indexOf: (id: string) => number;
  /** Scrolls to a row that is not on the page, so that it is drawn. */
  reveal: (index: number) => void;
}

const stopsOf = (row: Element | null | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(STOPS) ?? []),
];
const middle = (element: HTMLElement): number => {
  const box = element.getBoundingClientRect();
  return (box.left + box.right) / 2;
};

/**
 * One tab stop for the whole grid; arrows move in it. Left and right go along a row (its name, then its bars), up and
 * down to the next row at the same time of day, Home and End to a row's ends, with Ctrl to the first and last row,
 * Page Up and Page Down by ten rows. Tab indexes are written here alone, so that moving draws nothing anew.
 */
export function useRoving(box: RefObject<HTMLElement | null>, list: RowList) {
  const current = useRef<HTMLElement | null>(null);

  const settle = (element: HTMLElement): void => {
    if (current.current !== element) current.current?.setAttribute('tabindex', '-1');
    element.setAttribute('tabindex', '0');
    current.current = element;
  };

  // Something must be reachable: the first stop, when the one before has gone.
  useEffect(() => {
    const grid = box.current;
    if (!grid || (current.current && grid.contains(current.current))) return;
    const first = grid.querySelector<HTMLElement>(STOPS);
    if (first) settle(first);
  });

  const focusIn = async (index: number, from: HTMLElement, end: 'near' | 'first' | 'last'): Promise<void> => {
    const grid = box.current;
    const to = Math.max(0, Math.min(list.count - 1, index));
    if (!grid || list.count === 0) return;
    const wanted = from.hasAttribute('data-name') ? null : middle(from);
    const rowAt = async (at: number): Promise<Element | null> => {
      const find = (): Element | null => grid.querySelector(`[data-row="${CSS.escape(list.idAt(at))}"]`);
      if (!find()) list.reveal(at);
      // A virtual list draws the row in one of the next frames.
      for (let frame = 0; frame < MOST_FRAMES && !find(); frame++)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return find();
    };
    let stops = stopsOf(await rowAt(to));
    // A row without a name button or bars has nowhere to stand: go on past it.
    if (stops.length === 0) {
      const step = Math.sign(to - list.indexOf(from.closest('[data-row]')?.getAttribute('data-row') ?? '')) || 1;
      const next = to + step;
      if (next < 0 || next >= list.count) return;
      stops = stopsOf(await rowAt(next));
    }
    const bars = stops.filter((s) => s.hasAttribute('data-bar'));
    const target =
      end === 'first' || (end === 'near' && wanted === null)
        ? stops[0]
        : end === 'last'
          ? stops.at(-1)
          : (bars.toSorted((a, b) => Math.abs(middle(a) - (wanted ?? 0)) - Math.abs(middle(b) - (wanted ?? 0)))[0] ??
            stops[0]);
    target?.focus();
    target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };

  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const stop = event.target.closest<HTMLElement>(STOPS);
    if (stop) settle(stop);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const stop = (event.target as HTMLElement).closest<HTMLElement>(STOPS);
    const row = stop?.closest('[data-row]');
    if (!stop || !row || event.altKey || event.metaKey || event.shiftKey) return;
    const index = list.indexOf(row.getAttribute('data-row') ?? '');
    const along = (step: number): void => {
      const stops = stopsOf(row);
      const next = stops[stops.indexOf(stop) + step];
      next?.focus();
      next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    const ends = (which: 'first' | 'last'): void => {
      if (event.ctrlKey) void focusIn(which === 'first' ? 0 : list.count - 1, stop, which);
      else void focusIn(index, stop, which);
    };
    const moves: Record<string, () => void> = {
      ArrowLeft: () => along(-1),
      ArrowRight: () => along(1),
      ArrowUp: () => void focusIn(index - 1, stop, 'near'),
      ArrowDown: () => void focusIn(index + 1, stop, 'near'),
      PageUp: () => void focusIn(index - PAGE, stop, 'near'),
      PageDown: () => void focusIn(index + PAGE, stop, 'near'),
      Home: () => ends('first'),
      End: () => ends('last'),
    };
    const move = moves[event.key];
    if (!move || (event.ctrlKey && !['Home', 'End'].includes(event.key))) return;
    event.preventDefault();
    move();
  };

  return { onFocus, onKeyDown };
}
