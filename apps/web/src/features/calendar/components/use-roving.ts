import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

const STOPS = '[data-name],[data-bar]';
const PAGE = 10;

/** Gives the keyboard access to rows that are not drawn. */
export interface RowList {
  count: number;
  idAt: (index: number) => string;
  indexOf: (id: string) => number;
  /** Draws a row at once, unless it is drawn, since the next key may be pressed in the same frame. */
  reveal: (index: number) => void;
}

const stopsOf = (row: Element | null | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(STOPS) ?? []),
];
/** The middle of a stop, in px from the left edge of its row. */
const middle = (element: HTMLElement): number => {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2 - (element.closest('[data-row]')?.getBoundingClientRect().left ?? 0);
};

type End = 'near' | 'first' | 'last';

/**
 * Returns the first or last of a row's stops, or the bar nearest to `place`, which is in px from the row's left edge.
 * Without a place, returns the row's first stop, usually its name.
 */
function stopIn(stops: readonly HTMLElement[], end: End, place: number | null): HTMLElement | undefined {
  if (end === 'last') return stops.at(-1);
  if (end === 'first' || place === null) return stops[0];
  const off = (stop: HTMLElement): number => Math.abs(middle(stop) - place);
  const bars = stops.filter((stop) => stop.hasAttribute('data-bar'));
  return bars.sort((a, b) => off(a) - off(b))[0] ?? stops[0];
}

/**
 * Gives the whole grid one tab stop and moves the focus inside the grid with the keyboard. Left and Right move along a
 * row, from the name to the bars. Up and Down go to the next row at the same time of day, also past rows without bars.
 * Home and End go to the ends of the row, and with Ctrl to the first and last row. Page Up and Page Down move by ten
 * rows. Tab indexes are set only here, so moving the focus redraws nothing.
 */
export function useRoving(box: RefObject<HTMLElement | null>, list: RowList) {
  const current = useRef<HTMLElement | null>(null);
  /** Where Up and Down began, in px from the row's left edge, and the stop that they have reached. */
  const place = useRef<{ readonly at: HTMLElement; readonly x: number | null } | null>(null);

  const settle = (element: HTMLElement): void => {
    if (current.current !== element) current.current?.setAttribute('tabindex', '-1');
    element.setAttribute('tabindex', '0');
    current.current = element;
  };

  // Makes the first element the tab stop when the previous tab stop is gone, so that Tab always reaches the grid.
  const keepStop = (): void => {
    const grid = box.current;
    if (!grid || (current.current && grid.contains(current.current))) return;
    const first = grid.querySelector<HTMLElement>(STOPS);
    if (first) settle(first);
  };
  useEffect(keepStop);

  const focusIn = (index: number, from: HTMLElement, end: End): void => {
    const grid = box.current;
    const to = Math.max(0, Math.min(list.count - 1, index));
    if (!grid || list.count === 0) return;
    const kept = place.current?.at === from ? place.current.x : null;
    const wanted = kept ?? (from.hasAttribute('data-name') ? null : middle(from));
    const stopsAt = (at: number): HTMLElement[] => {
      list.reveal(at);
      return stopsOf(grid.querySelector(`[data-row="${CSS.escape(list.idAt(at))}"]`));
    };
    // Skips a row that cannot take the focus because it has neither a name button nor bars. At the end of the list,
    // searches in the other direction.
    const step = to < list.indexOf(from.closest('[data-row]')?.getAttribute('data-row') ?? '') ? -1 : 1;
    let stops = stopsAt(to);
    for (let at = to + step; stops.length === 0 && at >= 0 && at < list.count; at += step) stops = stopsAt(at);
    for (let at = to - step; stops.length === 0 && at >= 0 && at < list.count; at -= step) stops = stopsAt(at);
    const target = stopIn(stops, end, wanted);
    target?.focus();
    place.current = target && end === 'near' ? { at: target, x: wanted } : null;
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
      if (event.ctrlKey) focusIn(which === 'first' ? 0 : list.count - 1, stop, which);
      else focusIn(index, stop, which);
    };
    const moves: Record<string, () => void> = {
      ArrowLeft: () => along(-1),
      ArrowRight: () => along(1),
      ArrowUp: () => focusIn(index - 1, stop, 'near'),
      ArrowDown: () => focusIn(index + 1, stop, 'near'),
      PageUp: () => focusIn(index - PAGE, stop, 'near'),
      PageDown: () => focusIn(index + PAGE, stop, 'near'),
      Home: () => ends('first'),
      End: () => ends('last'),
    };
    const move = moves[event.key];
    if (!move || (event.ctrlKey && !['Home', 'End'].includes(event.key))) return;
    event.preventDefault();
    move();
  };

  return { onFocus, onKeyDown, keepStop };
}
