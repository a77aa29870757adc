import { lineOf } from '../read/line-of.ts';
import type { RawRow } from '../import-types.ts';

/** Our names for the columns with days, times, lengths and counts. */
const FIGURES = /date|time$|hours|minutes|^duration$|units|^consistency$|_(?:from|until)$|^cancelled at$/i;

/** Whether a cell of this column is a date, a time or a figure, whatever text its format adds: `8 h` is 8. */
export const isFigure = (column: string): boolean => FIGURES.test(column);

/**
 * In names, identifiers and everything else that is read as text, puts what the sheet shows: `K-17`, not the 17 that is
 * stored.
 */
export function asShown(rows: readonly RawRow[], found: ReadonlyMap<string, number>): readonly RawRow[] {
  const figures = new Set([...found].flatMap(([name, at]) => (isFigure(name) ? [at] : [])));
  return rows.map((row) => {
    if (!row.shown) return row;
    const cells = row.cells.map((text, at) => (figures.has(at) ? text : (row.shown?.get(at) ?? text)));
    return { ...row, cells, original: lineOf(cells) };
  });
}
