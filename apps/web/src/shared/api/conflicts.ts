import type { Conflict } from '@clinic/contract';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The conflicts listed in a refusal with status 409 or 410 (DATA-06); null when it lists none. */
export function conflictsIn(detail: unknown): Conflict[] | null {
  const list: unknown = (detail as { conflicts?: unknown } | null)?.conflicts;
  if (!Array.isArray(list)) return null;
  const read = list.filter((entry: Partial<Conflict> | null): entry is Conflict =>
    Boolean(entry && isText(entry.date) && isText(entry.time) && isText(entry.therapist)),
  );
  return read.length === list.length ? read : null;
}
