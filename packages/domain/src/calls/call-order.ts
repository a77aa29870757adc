import { compareText, nameKey, sortKey } from '../names.ts';

/** What decides a line's place in the call list. */
export interface OrderedCall {
  /** The first minute that changes. */
  readonly first: number;
  /** Still open shortly before that minute. */
  readonly urgent: boolean;
  /** In the building already. */
  readonly here: boolean;
  readonly name: string;
}

/** A line still open this many minutes before its first minute is urgent. */
const URGENT_MINUTES = 30;

/** @param present minutes after midnight; null: another date, or a day that is not cut */
export const isUrgent = (first: number, present: number | null): boolean =>
  present !== null && first - present <= URGENT_MINUTES;

/**
 * Urgent lines first; then by the first minute that changes; at the same minute, people not yet in the building come
 * first.
 */
export function inCallOrder<T extends OrderedCall>(lines: readonly T[]): T[] {
  return lines
    .map((line) => ({ line, key: sortKey(line.name) }))
    .sort(
      (a, b) =>
        Number(b.line.urgent) - Number(a.line.urgent) ||
        a.line.first - b.line.first ||
        Number(a.line.here) - Number(b.line.here) ||
        compareText(a.key, b.key),
    )
    .map(({ line }) => line);
}

/** Names by id: the first name, or the full name if someone else here has the same first name. */
export function spokenNames(
  people: readonly { readonly id: string; readonly firstName: string; readonly displayName: string }[],
): Map<string, string> {
  const shared = new Map<string, number>();
  for (const { firstName } of people) shared.set(nameKey(firstName), (shared.get(nameKey(firstName)) ?? 0) + 1);
  return new Map(
    people.map((p) => [p.id, (shared.get(nameKey(p.firstName)) ?? 0) > 1 ? p.displayName : p.firstName] as const),
  );
}
