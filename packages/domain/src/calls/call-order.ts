import { compareText, listWords, nameKey, sortKey } from '../names.ts';
import type { CallKind } from './call-kind.ts';

/** The facts that decide a person's place in the call list. */
export interface OrderedCall {
  readonly call: CallKind;
  /** The first minute of the person's day that changes. */
  readonly first: number;
  /** Whether the change is near and the person has not been reached yet. */
  readonly urgent: boolean;
  /** Whether the person is already in the building. */
  readonly here: boolean;
  readonly name: string;
}

/** A line in its place. */
export interface PlacedCall<T> {
  readonly line: T;
  /** The lines that ask someone who must say yes before this one is told. */
  readonly after: readonly T[];
  /** Whether the line, or one that waits for it, is urgent. */
  readonly urgent: boolean;
}

/** A call is urgent when it is still open this many minutes or less before the change. */
const URGENT_MINUTES = 30;

/** @param present the current time in minutes after midnight; null for other dates, on which nothing is urgent */
export const isUrgent = (first: number, present: number | null): boolean =>
  present !== null && first - present <= URGENT_MINUTES;

/**
 * Puts the lines in the order in which people are called. Urgent lines come first, with the asks that they wait for; then
 * the other asks, by the first minute of anything that hangs on them; then everyone else, by minute. At the same minute,
 * people who are not in the building yet come first. A line that hangs on an ask stands under it and waits.
 * @param hangs the asks that each line hangs on. If two asks hang on each other, the earlier one does not wait.
 */
export function inCallOrder<T extends OrderedCall>(
  lines: readonly T[],
  hangs: (line: T) => readonly T[],
): PlacedCall<T>[] {
  const keys = new Map(lines.map((line) => [line, sortKey(line.name)]));
  const compare = (a: Rank<T>, b: Rank<T>): number =>
    Number(b.urgent) - Number(a.urgent) ||
    Number(b.line.call === 'ask') - Number(a.line.call === 'ask') ||
    a.first - b.first ||
    Number(a.line.here) - Number(b.line.here) ||
    compareText(keys.get(a.line) ?? '', keys.get(b.line) ?? '');
  const plain = lines.map((line): Rank<T> => ({ line, first: line.first, urgent: line.urgent })).sort(compare);
  const waiting = waitingFor(
    plain.map(({ line }) => line),
    hangs,
  );
  const ranked = lines.map((line) => withWaiting(line, lines, waiting)).sort(compare);
  const placed: PlacedCall<T>[] = [];
  const done = new Set<T>();
  const place = (rank: Rank<T>): void => {
    const waits = waiting.get(rank.line) ?? [];
    if (done.has(rank.line) || waits.some((ask) => !done.has(ask))) return;
    done.add(rank.line);
    const after = placed.flatMap(({ line }) => (waits.includes(line) ? [line] : []));
    placed.push({ line: rank.line, after, urgent: rank.urgent });
    for (const next of ranked) if (waiting.get(next.line)?.includes(rank.line)) place(next);
  };
  ranked.forEach(place);
  return placed;
}

interface Rank<T> {
  readonly line: T;
  readonly first: number;
  readonly urgent: boolean;
}

/** For each line, the asks that it waits for, without circles: given the lines in order, an earlier ask does not wait. */
function waitingFor<T>(sorted: readonly T[], hangs: (line: T) => readonly T[]): Map<T, readonly T[]> {
  const after = new Map<T, readonly T[]>();
  for (const line of sorted.toReversed())
    after.set(
      line,
      sorted.filter((ask) => hangs(line).includes(ask) && !isBehind(ask, line, after)),
    );
  return after;
}

/** Whether a line waits for this ask, or for one that does. */
const isBehind = <T>(line: T, ask: T, after: ReadonlyMap<T, readonly T[]>): boolean =>
  line === ask || (after.get(line) ?? []).some((each) => isBehind(each, ask, after));

/** A line's rank together with everything that waits for it. */
function withWaiting<T extends OrderedCall>(
  line: T,
  lines: readonly T[],
  after: ReadonlyMap<T, readonly T[]>,
): Rank<T> {
  const all = lines.filter((each) => isBehind(each, line, after));
  return { line, first: Math.min(...all.map(({ first }) => first)), urgent: all.some(({ urgent }) => urgent) };
}

/** Whose yes a line waits for: `after Yuki says yes`, `after Yuki and Omar say yes`. */
export const afterWords = (names: readonly string[]): string =>
  `after ${listWords(names)} ${names.length === 1 ? 'says' : 'say'} yes`;

/** What to do before a call that a new plan may change: `Kai Wood is away: see the new options before you call.` */
export const planFirstWords = (why: string): string => `${why}: see the new options before you call.`;
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
