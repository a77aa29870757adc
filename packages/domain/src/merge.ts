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
 * keeping the earliest row's other fields; the same Id further apart stays two. Order of first appearance is kept; a
 * row that nothing goes into is answered itself, no row given is changed. `onMerge(kept, dropped, how)` hears of every
 * row that goes into another.
 */
export function mergeAppointments<T extends Mergeable>(
  rows: readonly T[],
  onMerge?: (kept: T, dropped: T, how: 'same' | 'merged') => void,
): T[] {
  const alike = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const key = row.id === null || row.id === '' ? `c:${composite(row)}` : `i:${row.id}:${row.date}`;
    const known = alike.get(key);
    if (known) known.push(index);
    else alike.set(key, [index]);
  });
  // Each at the place where the first of its rows was.
  const out: (T | undefined)[] = [...rows];
  for (const indexes of alike.values()) {
    if (indexes.length > 1) mergeAlike(rows, indexes, out, onMerge);
  }
  return out.filter((row) => row !== undefined);
}

/** Merges the rows at `indexes`, all of one Id and date, in `out`. */
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
