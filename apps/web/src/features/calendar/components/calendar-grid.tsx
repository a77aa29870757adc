import { useMemo, useRef, useSyncExternalStore, type CSSProperties } from 'react';
import { DAY_END, DAY_START } from '@clinic/domain';
import grid from './calendar-grid.module.css';
import { cx } from '../../../shared/ui/class-names.ts';
import type { Bar, View } from '../bars.ts';
import { drawRow, touching } from '../model.ts';
import { type AwayWindow, type BaseRow } from '../rows.ts';
import type { Density } from '../use-density.ts';
import { Hours } from './hours.tsx';
import { HoverCard } from './hover-card.tsx';
import { RowBlock, blocksOf } from './row-block.tsx';
import { useRoving, type RowList } from './use-roving.ts';
import { VirtualRows, type VirtualHandle } from './virtual-rows.tsx';

// With more rows than this, only the rows in view are drawn. The code for this is loaded with the page: if it were
// loaded later, React would take 300 ms longer to show such a day.
const PLAIN_ROWS = 300;

const print = typeof matchMedia === 'undefined' ? null : matchMedia('print');
const onPrint = (listener: () => void): (() => void) => {
  print?.addEventListener('change', listener);
  return () => print?.removeEventListener('change', listener);
};

/**
 * The day as a grid (CAL-05, CAL-08). Names and hours stay in place while the rows scroll. All bars share one tab stop
 * and one card.
 */
export function CalendarGrid({
  label,
  rows,
  view,
  newest,
  selected,
  stored,
  now,
  density,
  credentialOf,
  onToggle,
  onOpen,
}: {
  label: string;
  rows: readonly BaseRow[];
  view: View;
  /** The selected absences, for marking the names at once. */
  newest: readonly AwayWindow[];
  /** The selected absences for drawing the bars; may be one frame behind `newest`. */
  selected: readonly AwayWindow[];
  stored: readonly AwayWindow[];
  /** Minutes after midnight when the grid shows today, otherwise null. */
  now: number | null;
  density: Density;
  credentialOf: (therapist: string) => string | null;
  onToggle: (row: BaseRow) => void;
  /** Called on Enter or a double click on a bar. */
  onOpen: (bar: Bar) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useRef<VirtualHandle>(null);
  const printing = useSyncExternalStore(onPrint, () => print?.matches ?? false);
  const isVirtual = rows.length > PLAIN_ROWS && !printing;
  const blocks = useMemo(() => (isVirtual ? [] : blocksOf(rows)), [isVirtual, rows]);

  const indexes = useMemo(() => new Map(rows.map((row, index) => [row.id, index])), [rows]);
  const list: RowList = {
    count: rows.length,
    idAt: (index) => rows[index]?.id ?? '',
    indexOf: (id) => indexes.get(id) ?? -1,
    reveal: (index) => virtual.current?.reveal(index),
  };
  const { onFocus, onKeyDown } = useRoving(box, list);

  // A bar's id is `row:session:piece`, so only the row under the pointer has to be read.
  const barOf = (id: string) => {
    const row = rows[indexes.get(id.split(':').slice(0, -2).join(':')) ?? -1];
    if (!row) return undefined;
    const drawn = drawRow(row, view, touching(row, view, selected), touching(row, view, stored));
    return drawn.bars.find((bar) => bar.id === id);
  };

  const open = (target: EventTarget): void => {
    const bar = barOf((target as Element).closest<HTMLElement>('[data-bar]')?.dataset['bar'] ?? '');
    if (bar) onOpen(bar);
  };

  const at = now === null || now < DAY_START || now > DAY_END ? null : (now - DAY_START) / (DAY_END - DAY_START);
  const style: CSSProperties = { '--at': at ?? undefined, '--total-lanes': rows.length + 4 };
  return (
    <div ref={box} className={grid.scroll} data-calendar="">
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={49}
        className={cx(grid.grid, at !== null && grid.now)}
        data-density={density}
        style={style}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onDoubleClick={(event) => open(event.target)}
        onClick={(event) => {
          // Opens the bar on Enter or Space; a mouse click only shows the card.
          if (event.detail === 0) open(event.target);
        }}
      >
        <Hours now={at === null ? null : now} />
        {isVirtual ? (
          <VirtualRows
            ref={virtual}
            scroll={box}
            rows={rows}
            view={view}
            density={density}
            newest={newest}
            selected={selected}
            stored={stored}
            onToggle={onToggle}
          />
        ) : (
          blocks.map((block) => (
            <RowBlock
              key={block.first}
              {...block}
              view={view}
              newest={newest}
              selected={selected}
              stored={stored}
              onToggle={onToggle}
            />
          ))
        )}
      </div>
      <HoverCard box={box} barOf={barOf} credentialOf={credentialOf} />
    </div>
  );
}
