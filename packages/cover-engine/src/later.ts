/**
 * The searches that follow Option 1, one for each further strategy. They do not depend on each other, so other threads
 * can take some of them over, and unless time runs out, whoever does a search finds the same (*Several threads* in
 * docs/cover-engine.md).
 */
import type { Plan } from './model.ts';
import type { Strategy } from './problem.ts';
import type { SolveContext } from './search/alternatives.ts';
import { shareOf, type Outcome } from './search/column-generation.ts';
import type { Column } from './search/column.ts';
import { knownHeld, solveHeld } from './search/held.ts';
import type { Instance } from './search/instance.ts';
import type { Basis } from './search/basis.ts';
import { Master } from './search/master.ts';
import { makeObjective } from './search/objective.ts';
import { neverCost } from './search/dearest.ts';
import type { First } from './search/strategy.ts';
import { equalShare } from './shares.ts';
import { POINTS } from './terms.ts';

export interface LaterSearch {
  readonly strategy: Strategy;
  /** What a first search found; null for the first search. */
  readonly before: Outcome | null;
  /** The plans that the search may start from, besides Option 1's and its own. */
  readonly plans: readonly Plan[];
  /** The share of the remaining time; or an equal share among the searches that no thread has taken. */
  readonly share: number | 'equal';
}

/** What a search needs, except its master program. */
export type Bench = Omit<SolveContext, 'master'>;

/** What another thread must know to do searches. It can be sent to another thread. */
export interface LaterWork {
  readonly first: First;
  readonly searches: readonly LaterSearch[];
  /** The indexes of the searches, in the order in which other threads should take them. */
  readonly order: readonly number[];
}

/** The searches that were offered to other threads. */
export interface OfferedSearches {
  /** Takes a search for this thread; false if another thread has it. */
  claim(i: number): boolean;
  /** Waits for what another thread finds; null when this thread must search after all. */
  result(i: number): Outcome | null;
  /** How many threads search at the moment. */
  threads(): number;
  /** How many searches no thread has taken yet. */
  unclaimed(): number;
  /** Ends the offer: other threads stop what they still do of it. */
  end(): void;
}

/** Other threads that help with one solve. */
export interface Helpers {
  /** Offers searches to other threads, until its `end`. */
  offer(work: LaterWork): OfferedSearches;
}

/** How a helping thread takes searches, and returns what they found. */
export interface HelperDesk extends Pick<OfferedSearches, 'threads' | 'unclaimed'> {
  /** Takes the next search; null if none is left. */
  next(): number | null;
  give(i: number, outcome: Outcome): void;
}

/** Where no other thread helps. */
function searchAlone({ searches }: LaterWork): OfferedSearches {
  let claimed = 0;
  return {
    claim() {
      claimed++;
      return true;
    },
    result: () => null,
    threads: () => 1,
    unclaimed: () => searches.length - claimed,
    end: () => undefined,
  };
}

const startsOf = ({ before, plans }: LaterSearch): readonly Plan[] => (before?.plan ? [before.plan, ...plans] : plans);

/** Returns what is known of a strategy without a search, and whether a search could find more. */
const knownOf = (instance: Instance, first: First, later: LaterSearch) =>
  knownHeld(instance, later.strategy, first, startsOf(later));

/**
 * Does one search, within its share of the time. It has a program of its own, which begins with Option 1's columns and
 * rows. When no time is left, returns what is known.
 */
export function searchLater(
  bench: Bench,
  first: First,
  later: LaterSearch,
  { threads, unclaimed }: Pick<OfferedSearches, 'threads' | 'unclaimed'>,
): Outcome {
  const { highs, instance } = bench;
  const { strategy, before, share } = later;
  if (bench.left() <= 0) return knownOf(instance, first, later).known;
  const left = shareOf(bench.left, share === 'equal' ? equalShare(unclaimed() + 1, threads()) : share);
  const master = new Master(highs, makeObjective(instance, POINTS), neverCost(instance, POINTS), first.kept);
  try {
    return solveHeld({ ...bench, master }, strategy, first, startsOf(later), left, before);
  } finally {
    master.dispose();
  }
}

/**
 * Does the searches in order, with the help of other threads if there are any. Yields each search's index and what it
 * found. `needed`: how many of the first searches are sure to be needed; other threads begin with the last of these.
 */
export function* searchInTurn(
  bench: Bench,
  helpers: Helpers | undefined,
  first: First,
  searches: readonly LaterSearch[],
  needed: number,
): Generator<[number, Outcome]> {
  const { instance } = bench;
  const all = searches.map((search, i) => ({ search, i, ...knownOf(instance, first, search) }));
  const long = all.filter(({ worthSearching }) => worthSearching);
  const sure = long.filter(({ i }) => i < needed).length;
  const at = [...long.keys()];
  const work = {
    first,
    searches: long.map(({ search }) => search),
    order: [...at.slice(0, sure).reverse(), ...at.slice(sure)],
  };
  const offered = helpers && long.length > 1 ? helpers.offer(packWork(work)) : searchAlone(work);
  /** Does the long search at an index, unless another thread does; then waits for what it finds. */
  const find = (search: LaterSearch, longIndex: number): Outcome => {
    const taken = offered.claim(longIndex) ? null : offered.result(longIndex);
    return taken ? unpackOutcome(instance, taken) : searchLater(bench, first, search, offered);
  };
  try {
    for (const each of all) yield [each.i, each.worthSearching ? find(each.search, long.indexOf(each)) : each.known];
  } finally {
    offered.end();
  }
}

function repackBasis(basis: Basis | null, repack: (column: Column) => Column): Basis | null {
  if (!basis) return null;
  const columns = [...basis.columns].map(
    ([key, { column, status }]) => [key, { column: repack(column), status }] as const,
  );
  return { ...basis, columns: new Map(columns) };
}

const repackHanded = ({ handed }: First, repack: (column: Column) => Column): First['handed'] =>
  new Map([...handed].map(([strategy, h]) => [strategy, { ...h, basis: repackBasis(h.basis, repack) }]));

function repackWork({ first, searches, order }: LaterWork, repack: (column: Column) => Column): LaterWork {
  const kept = { ...first.kept, columns: first.kept.columns.map(repack) };
  return {
    first: { ...first, kept, basis: repackBasis(first.basis, repack), handed: repackHanded(first, repack) },
    searches: searches.map((search) => ({
      ...search,
      before: search.before && { ...search.before, basis: repackBasis(search.before.basis, repack) },
    })),
    order,
  };
}

/** A column without its part, since a copy of a part is not that part. */
const packed = (column: Column): Column => ({ ...column, part: null });

/** A column with its part, which the other thread knows too. */
function unpackedIn({ open, movable }: Instance): (column: Column) => Column {
  return (column) => {
    const { kind, owner } = column;
    if (kind === 'move') return { ...column, part: movable[owner]!.part };
    return kind === 'pattern' || kind === 'arc' ? { ...column, part: open[owner]! } : column;
  };
}

/** Prepares work for another thread; and back. */
const packWork = (work: LaterWork): LaterWork => repackWork(work, packed);
export const unpackWork = (instance: Instance, work: LaterWork): LaterWork => repackWork(work, unpackedIn(instance));

/** Prepares what a search found for another thread; and back. */
export const packOutcome = (outcome: Outcome): Outcome => ({
  ...outcome,
  basis: repackBasis(outcome.basis, packed),
});
const unpackOutcome = (instance: Instance, outcome: Outcome): Outcome => ({
  ...outcome,
  basis: repackBasis(outcome.basis, unpackedIn(instance)),
});
