import { useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode, type RefObject } from 'react';
import type { SlotsReply } from '@clinic/contract';
import { DAY_END, DAY_START, SLOTS } from '@clinic/domain';
import grid from './calendar-grid.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { useAfterPaint } from '../../../shared/ui/use-after-paint.ts';
import type { Bar } from '../bars.ts';
import type { HandsProps } from '../gestures/gestures.tsx';
import { drawRow, touching } from '../model.ts';
import type { BaseRow } from '../rows.ts';
import { useRowTops } from '../row-tops.ts';
import { Filling } from './filling.ts';
import { Hours } from './hours.tsx';
import { RowBlock, blocksOf, type RowsProps } from './row-block.tsx';
import { useRoving, type RowList } from './use-roving.ts';

// Shown beside a bar once the day is painted, so it is not in the first load.
const HoverCard = lazyPart(() => import('./hover-card.tsx').then((m) => m.HoverCard), null, true);

const print = typeof matchMedia === 'undefined' ? null : matchMedia('print');

/**
 * The day as a grid (CAL-05, CAL-08). Names and hours stay in place while the rows scroll. All bars share one tab stop
 * and one card.
 */
export function CalendarGrid({
  label,
  now,
  corner,
  closed,
  credentialOf,
  onToggle,
  onOpen,
  hands,
  ...drawn
}: RowsProps & {
  label: string;
  /** Minutes after midnight when the grid shows today, otherwise null. */
  now: number | null;
  /** What is said above the names. */
  corner?: string;
  closed?: SlotsReply['closed'];
  credentialOf: (therapist: string) => string | null;
  /** Called when a person's name is clicked. */
  onToggle: (row: BaseRow) => void;
  /** Called on Enter or a double click on a bar. */
  onOpen: (bar: Bar) => void;
  /** What lets sessions be moved, once the grid is painted. */
  hands?: (grid: HandsProps) => ReactNode;
}) {
  const { rows } = drawn;
  const box = useRef<HTMLDivElement>(null);
  const filling = useFilling(box);
  const indexes = useMemo(() => new Map(rows.map((row, index) => [row.id, index])), [rows]);
  const indexOf = (id: string): number => indexes.get(id) ?? -1;
  const list: RowList = {
    count: rows.length,
    idAt: (index) => rows[index]?.id ?? '',
    indexOf,
    reveal: (index) => filling.drawRow(index),
  };
  const { onFocus, onKeyDown, keepStop } = useRoving(box, list);
  const isPainted = useAfterPaint(true, false);
  const barOf = (id: string) => barIn(rows[indexOf(rowOf(id))], drawn, id);

  const open = (target: EventTarget): void => {
    const bar = barOf(around(target, '[data-bar]')?.dataset['bar'] ?? '');
    if (bar) onOpen(bar);
  };

  const at = partOf(now);
  const style: CSSProperties = { '--at': at ?? undefined, '--total-lanes': rows.length + 4 };
  return (
    <div ref={box} className={grid.scroll} data-calendar="">
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={SLOTS + 1}
        className={cx(grid.grid, at !== null && grid.now)}
        data-density={drawn.density}
        style={style}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onDoubleClick={(event) => open(event.target)}
        onClick={(event) => {
          const name = around(event.target, '[data-name]');
          const row = name ? rows[indexOf(name.dataset['name'] ?? '')] : undefined;
          if (row) onToggle(row);
          // Opens the bar on Enter or Space; a mouse click only shows the card.
          else if (event.detail === 0) open(event.target);
        }}
      >
        <Hours now={at === null ? null : now} corner={corner} closed={closed} />
        <Rows filling={filling} onDrawn={keepStop} {...drawn} />
      </div>
      {isPainted ? <HoverCard box={box} barOf={barOf} credentialOf={credentialOf} /> : null}
      {isPainted && hands ? <WithHands {...{ hands, box, barOf, indexOf }} /> : null}
    </div>
  );
}

/** The row of a bar, whose id is `row:session:piece`, so that only the row under the pointer has to be read. */
const rowOf = (bar: string): string => bar.split(':').slice(0, -2).join(':');

/** How much of the day on the grid is over; null outside it. */
const partOf = (now: number | null): number | null =>
  now === null || now < DAY_START || now > DAY_END ? null : (now - DAY_START) / (DAY_END - DAY_START);

const WithHands = ({ hands, ...grid }: HandsProps & { hands: (grid: HandsProps) => ReactNode }) => hands(grid);

const around = (target: EventTarget, selector: string): HTMLElement | null =>
  (target as Element).closest<HTMLElement>(selector);

/** All rows, in blocks that the browser skips while they are out of view. */
function Rows({
  filling,
  onDrawn,
  rows,
  density,
  ...drawn
}: RowsProps & {
  filling: Filling;
  /** Called when rows were drawn later than the grid. */
  onDrawn: () => void;
}) {
  const blocks = useMemo(() => blocksOf(rows), [rows]);
  const tops = useRowTops(rows, density);
  // Runs after the effects of the blocks, which add themselves.
  useLayoutEffect(() => filling.settle(tops, onDrawn));
  return blocks.map((block) => <RowBlock key={block.first} {...block} {...drawn} filling={filling} />);
}

/** What draws the blocks of rows: it knows how far the list is scrolled, and draws all when the page is printed. */
function useFilling(scroll: RefObject<HTMLElement | null>): Filling {
  const [filling] = useState(() => new Filling());
  useLayoutEffect(() => {
    const box = scroll.current;
    if (!box) return;
    const onScroll = (): void => filling.scrolledTo(box.scrollTop);
    box.addEventListener('scroll', onScroll, { passive: true });
    const onPrint = (): void => filling.drawAll();
    print?.addEventListener('change', onPrint);
    return () => {
      box.removeEventListener('scroll', onScroll);
      print?.removeEventListener('change', onPrint);
    };
  }, [scroll, filling]);
  return filling;
}

function barIn(row: BaseRow | undefined, { view, selected, stored }: RowsProps, id: string): Bar | undefined {
  if (!row) return undefined;
  const drawn = drawRow(row, view, touching(row, view, selected), touching(row, view, stored));
  return drawn.bars.find((bar) => bar.id === id);
}
