import { useImperativeHandle, useMemo, type Ref, type RefObject } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { View } from '../bars.ts';
import { drawRow } from '../model.ts';
import { type AwayWindow, type BaseRow } from '../rows.ts';
import type { Density } from './calendar-grid.tsx';
import { CalendarRow } from './calendar-row.tsx';

export interface VirtualHandle {
  reveal: (index: number) => void;
}

const HEAD_REM = 2.375;
/** Row and lane of each density, rem; as in calendar-grid.module.css. */
const MEASURES = { compact: { row: 1.75, lane: 1.5 }, roomy: { row: 2.25, lane: 2 } } as const;
const GAP_REM = 0.1875;
const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** Only the rows in view and a few around them; heights are known from the lanes, so nothing is measured. */
export function VirtualRows({
  ref,
  scroll,
  rows,
  view,
  density,
  selectedFor,
  storedFor,
  onToggle,
}: {
  ref: Ref<VirtualHandle>;
  scroll: RefObject<HTMLElement | null>;
  rows: readonly BaseRow[];
  view: View;
  density: Density;
  selectedFor: (row: BaseRow) => readonly AwayWindow[];
  storedFor: (row: BaseRow) => readonly AwayWindow[];
  onToggle: (row: BaseRow) => void;
}) {
  const unit = rem();
  const lanes = useMemo(() => rows.map((row) => drawRow(row, view, [], []).lanes), [rows, view]);
  const { row, lane } = MEASURES[density];
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called in this render alone
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: (index) => (row + ((lanes[index] ?? 1) - 1) * (lane + GAP_REM)) * unit,
    overscan: 12,
    scrollMargin: HEAD_REM * unit,
    scrollPaddingStart: HEAD_REM * unit,
  });
  useImperativeHandle(ref, () => ({
    reveal: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  }));
  return (
    <div role="presentation" style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const each = rows[item.index];
        return each ? (
          <CalendarRow
            key={item.key}
            row={each}
            view={view}
            index={item.index}
            selected={selectedFor(each)}
            stored={storedFor(each)}
            onToggle={onToggle}
            top={item.start - HEAD_REM * unit}
          />
        ) : null;
      })}
    </div>
  );
}
