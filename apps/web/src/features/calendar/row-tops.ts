import { useMemo, useState } from 'react';
import { lanesOf } from './model.ts';
import type { BaseRow } from './rows.ts';
import type { RowHeight } from './use-density.ts';

/** The height of a row and of a lane at each density, in rem; the same numbers are in calendar-grid.module.css. */
const MEASURES = {
  compact: { row: 1.75, lane: 1.5 },
  roomy: { row: 2.25, lane: 2 },
  week: { row: 5, lane: 2.5 },
} as const;
const GAP_REM = 0.1875;

const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** Where each row begins, and where the last row ends, in px. Follows from the number of lanes; nothing is measured. */
export function useRowTops(rows: readonly BaseRow[], density: RowHeight): readonly number[] {
  const [unit] = useState(rem);
  return useMemo(() => {
    const { row, lane } = MEASURES[density];
    const all = [0];
    let top = 0;
    for (const each of rows) {
      top += (row + (lanesOf(each).count - 1) * (lane + GAP_REM)) * unit;
      all.push(top);
    }
    return all;
  }, [rows, density, unit]);
}
