/** A range of 15-minute columns from 7:00 AM, possibly with fractions. The end is exclusive. */
export interface ColumnRange {
  from: number;
  to: number;
}

/**
 * Gives each span the lowest free lane, so that spans in one lane never overlap; earlier spans choose first. Returns
 * each span's lane and the number of lanes.
 */
export function assignLanes(spans: readonly ColumnRange[]): { lanes: number[]; count: number } {
  const taken: ColumnRange[][] = [];
  const lanes = spans.map((span) => {
    let lane = 0;
    while (taken[lane]?.some((other) => other.from < span.to && span.from < other.to)) lane++;
    (taken[lane] ??= []).push(span);
    return lane;
  });
  return { lanes, count: Math.max(1, taken.length) };
}
