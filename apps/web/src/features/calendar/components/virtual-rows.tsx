import { useDeferredValue, useEffect, useImperativeHandle, useState, type Ref, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { selectionOf, touching } from '../model.ts';
import { HEAD_REM, useRem, useRowTops } from '../row-tops.ts';
import { rowsInView, type RowRange } from '../windowing.ts';
import type { RowsProps } from './row-block.tsx';
import { useRowElements } from './use-row-elements.ts';

export interface VirtualHandle {
  /** Unless the row is drawn, scrolls just far enough to show all of it, and draws it before returning. */
  reveal: (index: number) => void;
}

/**
 * Draws only the rows in view and about a screen around them. Row heights follow from the number of lanes, so nothing
 * is measured and nothing moves after the first rendering. The focused row stays drawn however far the list scrolls.
 */
export function VirtualRows({
  ref,
  scroll,
  onDrawn,
  rows,
  view,
  density,
  newest,
  selected,
  stored,
}: RowsProps & {
  ref: Ref<VirtualHandle>;
  scroll: RefObject<HTMLElement | null>;
  /** Called when the set of drawn rows changes. */
  onDrawn: () => void;
}) {
  const unit = useRem();
  const tops = useRowTops(rows, density, unit);
  const [place, focused, setFocused] = usePlace(scroll);
  // Draws the rows in view first, and the surrounding rows after the first paint.
  const wide = useDeferredValue(true, false);

  const [above, below] = wide ? [0.5, 1.75] : [0, 1];
  const range = rowsInView(tops, place.top - above * place.height, place.top + below * place.height);

  useImperativeHandle(ref, () => ({
    reveal: (index) => {
      if (index === focused || (index >= range.first && index < range.end)) return;
      const box = scroll.current;
      const top = tops[index];
      const bottom = tops[index + 1];
      if (!box || top === undefined || bottom === undefined) return;
      const last = HEAD_REM * unit + bottom - box.clientHeight;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (last > box.scrollTop) box.scrollTop = last;
      // Marks this row as the focused one. The caller focuses it next.
      flushSync(() => setFocused(index));
    },
  }));

  useEffect(onDrawn);

  const drawn = useRowElements(() =>
    indexes(range, focused, rows.length).flatMap((index) => {
      const row = rows[index];
      if (!row) return [];
      return {
        row,
        view,
        index,
        own: selectionOf(row, view, newest),
        selected: touching(row, view, selected),
        stored: touching(row, view, stored),
        top: tops[index],
      };
    }),
  );
  return <div ref={drawn} role="presentation" style={{ position: 'relative', height: tops.at(-1) }} />;
}

/** How far the list is scrolled and how much of it is in view, in px, and the index of the focused row; -1 for none. */
function usePlace(scroll: RefObject<HTMLElement | null>) {
  // Before the first rendering, the box's height is unknown; the window's height is its maximum.
  const [place, setPlace] = useState(() => ({ top: 0, height: window.innerHeight }));
  const [focused, setFocused] = useState(-1);
  useEffect(() => {
    const box = scroll.current;
    if (!box) return;
    const settle = (): void => {
      const row = box.contains(document.activeElement) ? document.activeElement?.closest('[data-row]') : null;
      setFocused(row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1);
      // Rounds the scroll position to quarters of the visible height, so that most scroll events redraw nothing.
      const step = Math.max(1, Math.floor(box.clientHeight / 4));
      const top = Math.floor(box.scrollTop / step) * step;
      setPlace((now) => (now.top === top && now.height === box.clientHeight ? now : { top, height: box.clientHeight }));
    };
    settle();
    const resized = new ResizeObserver(settle);
    resized.observe(box);
    box.addEventListener('scroll', settle, { passive: true });
    box.addEventListener('focusin', settle);
    return () => {
      resized.disconnect();
      box.removeEventListener('scroll', settle);
      box.removeEventListener('focusin', settle);
    };
  }, [scroll]);
  return [place, focused, setFocused] as const;
}

/** The indexes of a range of rows, plus the focused row's if it lies outside the range. */
function indexes({ first, end }: RowRange, focused: number, count: number): number[] {
  const all = Array.from({ length: end - first }, (_, i) => first + i);
  if (focused < 0 || focused >= count || (focused >= first && focused < end)) return all;
  return focused < first ? [focused, ...all] : [...all, focused];
}
