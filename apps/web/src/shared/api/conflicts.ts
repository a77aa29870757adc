import type { Conflict } from '@clinic/contract';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The conflicts that a 409 or 410 lists (DATA-06), or null if its `detail` lists none that can be read. */
export function conflictsIn(detail: unknown): Conflict[] | null {
  const list: unknown = (detail as { conflicts?: unknown } | null)?.conflicts;
  if (!Array.isArray(list)) return null;
  const read = list.filter((entry: Partial<Conflict> | null): entry is Conflict =>
    Boolean(entry && isText(entry.date) && isText(entry.time) && isText(entry.therapist)),
  );
  return read.length === list.length ? read : null;
}
