/**
 * De-duplication and merging of appointments (CAL-10 to CAL-12). Times are minutes; `date` keeps days apart.
 */
export interface Mergeable {
  id: string | null;
  date: string;
  start: number;
  end: number;
  client: string;
  therapist: string;
  location: string;
  subject: string;
}

/** Same Id within so many minutes of each other is one appointment. */
export const MERGE_MINUTES = 15;

const composite = (a: Mergeable): string =>
  JSON.stringify([a.date, a.start, a.end, a.client, a.therapist, a.location, a.subject]);

/**
 * One appointment for each that is meant: rows with the same Id (or, without an Id, the same composite key) and the
 * same times are one; rows with the same Id on one date that overlap or lie within 15 minutes are merged to span both,
 * keeping the first row's other fields; the same Id further apart stays two. Order of first appearance is kept.
 * `onMerge(kept, dropped, how)` hears of every row that goes into another.
 */
export function mergeAppointments<T extends Mergeable>(
  rows: readonly T[],
  onMerge?: (kept: T, dropped: T, how: 'same' | 'merged') => void,
): T[] {
  const out: T[] = [];
  const seen = new Map<string, T[]>();
  const ordered = rows
    .map((row, index) => ({ row, index }))
    .sort(
      (a, b) =>
        (a.row.date < b.row.date ? -1 : a.row.date > b.row.date ? 1 : 0) ||
        a.row.start - b.row.start ||
        a.index - b.index,
    );
  const place = new Map<T, number>();
  for (const { row, index } of ordered) {
    const key = row.id === null || row.id === '' ? `c:${composite(row)}` : `i:${row.id}:${row.date}`;
    const group = seen.get(key) ?? [];
    const near = group.find((k) => row.start <= k.end + MERGE_MINUTES && k.start <= row.end + MERGE_MINUTES);
    if (near) {
      onMerge?.(near, row, near.start === row.start && near.end === row.end ? 'same' : 'merged');
      near.start = Math.min(near.start, row.start);
      near.end = Math.max(near.end, row.end);
      place.set(near, Math.min(place.get(near) ?? index, index));
      continue;
    }
    const kept = { ...row };
    place.set(kept, index);
    out.push(kept);
    seen.set(key, [...group, kept]);
  }
  return out.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}
