import { pushTo } from './lists.ts';

/**
 * De-duplication and merging of appointments (CAL-10 to CAL-12). Times are minutes; rows on different dates stay apart.
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

/** Two rows with the same Id are one appointment when no more than this many minutes lie between them. */
export const MERGE_MINUTES = 15;

const composite = (a: Mergeable): string =>
  JSON.stringify([a.date, a.start, a.end, a.client, a.therapist, a.location, a.subject]);

/**
 * Removes duplicate appointments. Rows with the same Id (or, without an Id, the same composite key) and the same times
 * become one row. Rows with the same Id on one date that overlap or lie within 15 minutes become one row that spans
 * them all and keeps the other fields of the earliest row. All other rows stay. The result keeps the order of first
 * appearance; rows passed in are never changed. `onMerge(kept, dropped, how)` is called for every row that is merged
 * into another.
 */
export function mergeAppointments<T extends Mergeable>(
  rows: readonly T[],
  onMerge?: (kept: T, dropped: T, how: 'same' | 'merged') => void,
): T[] {
  const alike = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const key = row.id === null || row.id === '' ? `c:${composite(row)}` : `i:${row.id}:${row.date}`;
    pushTo(alike, key, index);
  });
  // A merged row takes the place of the first of its rows.
  const out: (T | undefined)[] = [...rows];
  for (const indexes of alike.values()) {
    if (indexes.length > 1) mergeAlike(rows, indexes, out, onMerge);
  }
  return out.filter((row) => row !== undefined);
}

/** Merges the rows at `indexes` in `out`. These rows share an Id and a date, or a composite key. */
function mergeAlike<T extends Mergeable>(
  rows: readonly T[],
  indexes: readonly number[],
  out: (T | undefined)[],
  onMerge: ((kept: T, dropped: T, how: 'same' | 'merged') => void) | undefined,
): void {
  const ordered = indexes
    .map((index) => ({ row: rows[index] as T, index }))
    .sort((a, b) => a.row.start - b.row.start || a.index - b.index);
  const all: { kept: T; place: number }[] = [];
  for (const { row, index } of ordered) {
    out[index] = undefined;
    const near = all.find(({ kept }) => row.start <= kept.end + MERGE_MINUTES && kept.start <= row.end + MERGE_MINUTES);
    if (!near) {
      all.push({ kept: { ...row }, place: index });
      continue;
    }
    const { kept } = near;
    onMerge?.(kept, row, kept.start === row.start && kept.end === row.end ? 'same' : 'merged');
    kept.start = Math.min(kept.start, row.start);
    kept.end = Math.max(kept.end, row.end);
    near.place = Math.min(near.place, index);
  }
  for (const { kept, place } of all) out[place] = kept;
}
