import { compareText, nameKey, sortKey } from '../names.ts';

/** The facts that decide a person's place in the call list. */
export interface OrderedCall {
  /** The first minute of the person's day that changes. */
  readonly first: number;
  /** Whether the change is near and the person has not been reached yet. */
  readonly urgent: boolean;
  /** Whether the person is already in the building. */
  readonly here: boolean;
  readonly name: string;
}

/** A call is urgent when it is still open this many minutes or less before the change. */
const URGENT_MINUTES = 30;

/** @param present the current time in minutes after midnight; null for other dates, on which nothing is urgent */
export const isUrgent = (first: number, present: number | null): boolean =>
  present !== null && first - present <= URGENT_MINUTES;

/**
 * Sorts urgent lines first, then by the first minute that changes; at the same minute, people who are not in the
 * building yet come first.
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

/** Names by id: the first name, or the full name if someone else in the list has the same first name. */
export function spokenNames(
  people: readonly { readonly id: string; readonly firstName: string; readonly displayName: string }[],
): Map<string, string> {
  const shared = new Map<string, number>();
  for (const { firstName } of people) shared.set(nameKey(firstName), (shared.get(nameKey(firstName)) ?? 0) + 1);
  return new Map(
    people.map((p) => [p.id, (shared.get(nameKey(p.firstName)) ?? 0) > 1 ? p.displayName : p.firstName] as const),
  );
}
