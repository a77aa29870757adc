/** Rows `first` to before `end`. */
export interface RowRange {
  first: number;
  end: number;
}

/** The last index in the ascending `tops` with a value of at most `at`; 0 when all are greater. Binary search. */
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
 * The rows that touch the stretch from `from` to `to`. `tops` holds where each row begins and, last, where the last row
 * ends; ascending, in any unit. A stretch outside all rows returns an empty range at that end.
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
