/** A basis in which columns and rows are named, so that another program can start from it. */
import type { Column, Row } from './column.ts';
import { columnKey } from './columns.ts';
import { rowKey } from './rows.ts';

/** HiGHS's codes for the status of a column or row in a basis. */
const AT_LOWER = 0;
const BASIC = 1;

/** HiGHS's basis of a program: the status of each column and row, by position. */
export interface Statuses {
  readonly colStatus: Int32Array;
  readonly rowStatus: Int32Array;
}

/** A basis of an earlier solution, from which another program of the same day can start, too. */
export interface Basis {
  /**
   * The columns that were basic or at their upper bound, by key. If the relaxation was not finished, also those nearest
   * to its last solution.
   */
  readonly columns: ReadonlyMap<string, { readonly column: Column; readonly status: number }>;
  /** All rows, by key. */
  readonly rows: ReadonlyMap<string, { readonly row: Row; readonly status: number }>;
}

/** The basis of a program. Columns and rows that are newer than the statuses change nothing. */
export function basisOf(
  columns: readonly Column[],
  rows: readonly Row[],
  { colStatus, rowStatus }: Statuses,
  alsoKeep: (j: number) => boolean,
): Basis {
  const basis = {
    columns: new Map<string, { readonly column: Column; readonly status: number }>(),
    rows: new Map<string, { readonly row: Row; readonly status: number }>(),
  };
  columns.forEach((column, j) => {
    const status = colStatus[j] ?? AT_LOWER;
    if (status !== AT_LOWER || alsoKeep(j)) basis.columns.set(columnKey(column), { column, status });
  });
  rows.forEach((row, r) => {
    basis.rows.set(rowKey(row), { row, status: rowStatus[r] ?? BASIC });
  });
  return basis;
}

/** The statuses that a basis gives to these columns and rows. Those that it does not have change nothing. */
export const statusesIn = (basis: Basis, columns: readonly Column[], rows: readonly Row[]): Statuses => ({
  colStatus: Int32Array.from(columns, (column) => basis.columns.get(columnKey(column))?.status ?? AT_LOWER),
  rowStatus: Int32Array.from(rows, (row) => basis.rows.get(rowKey(row))?.status ?? BASIC),
});
