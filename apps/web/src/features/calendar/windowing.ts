/** The rows from `first` up to, but not including, `end`. */
export interface RowRange {
  first: number;
  end: number;
}

/** The last index whose value in the ascending list `tops` is at most `at`; 0 when every value is greater. */
function lastAtMost(tops: readonly number[], at: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The rows between two vertical positions. `tops` holds where each row begins and, as its last value, where the last
 * row ends. The result is empty if both positions lie above or below all rows.
 */
export function rowsInView(tops: readonly number[], from: number, to: number): RowRange {
  const count = tops.length - 1;
  if (count <= 0) return { first: 0, end: 0 };
  if (to <= 0) return { first: 0, end: 0 };
  if (from >= (tops[count] ?? 0)) return { first: count, end: count };
  const first = from <= 0 ? 0 : lastAtMost(tops, from);
  const last = Math.min(count - 1, lastAtMost(tops, to));
  return { first, end: (tops[last] ?? 0) < to ? last + 1 : last };
}
