/**
 * A time range from `start` up to, but not including, `end`, in minutes after midnight, or in slots where a comment
 * says so. Empty when `end` is not after `start`.
 */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

export const overlaps = (a: Interval, b: Interval): boolean => a.start < b.end && b.start < a.end;
export const contains = (outer: Interval, inner: Interval): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;
export const minutesOf = (list: readonly Interval[]): number =>
  list.reduce((sum, i) => sum + Math.max(0, i.end - i.start), 0);

/** The time that both intervals contain; null when they do not overlap. */
export function intersect(a: Interval, b: Interval): Interval | null {
  const start = Math.max(a.start, b.start);
  const end = Math.min(a.end, b.end);
  return start < end ? { start, end } : null;
}

/** Joins intervals that overlap or touch, and sorts them. */
export function union(list: readonly Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const i of list.filter((x) => x.start < x.end).toSorted((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last && i.start <= last.end) out[out.length - 1] = { start: last.start, end: Math.max(last.end, i.end) };
    else out.push({ start: i.start, end: i.end });
  }
  return out;
}

/** The parts of `from` that no interval of `taken` contains, sorted. */
export function subtract(from: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const away = union(taken);
  return union(from).flatMap((i) => {
    const left: Interval[] = [];
    let at = i.start;
    for (const t of away) {
      if (t.end <= at || t.start >= i.end) continue;
      if (t.start > at) left.push({ start: at, end: t.start });
      at = Math.max(at, t.end);
    }
    if (at < i.end) left.push({ start: at, end: i.end });
    return left;
  });
}
