/** The searches that follow Option 1, one for each further strategy. They do not depend on each other. */
import type { Plan } from './model.ts';
import type { Strategy } from './problem.ts';
import type { SolveContext } from './search/alternatives.ts';
import { shareOf, type Outcome } from './search/column-generation.ts';
import { neverCost } from './search/dearest.ts';
import { knownHeld, solveHeld } from './search/held.ts';
import { Master } from './search/master.ts';
import { makeObjective } from './search/objective.ts';
import type { First } from './search/strategy.ts';
import { equalShare } from './shares.ts';
import { POINTS } from './terms.ts';

export interface LaterSearch {
  readonly strategy: Strategy;
  /** What a first search found; null for the first search. */
  readonly before: Outcome | null;
  /** The plans that the search may start from, besides Option 1's and its own. */
  readonly plans: readonly Plan[];
  /** The share of the remaining time; or an equal share among the searches that are left. */
  readonly share: number | 'equal';
}

const startsOf = ({ before, plans }: LaterSearch): readonly Plan[] => (before?.plan ? [before.plan, ...plans] : plans);

/**
 * Does one search, within its share of the time. It has a program of its own, which begins with Option 1's columns and
 * rows. When no time is left, returns `known`.
 */
function searchLater(
  bench: SolveContext,
  first: First,
  later: LaterSearch,
  known: Outcome,
  searchesLeft: number,
): Outcome {
  const { highs, instance } = bench;
  const { strategy, before, share } = later;
  if (bench.left() <= 0) return known;
  const left = shareOf(bench.left, share === 'equal' ? equalShare(searchesLeft) : share);
  const master = new Master(highs, makeObjective(instance, POINTS), neverCost(instance, POINTS), first.kept);
  try {
    return solveHeld({ ...bench, master }, strategy, first, startsOf(later), left, before);
  } finally {
    master.dispose();
  }
}

/** Does the searches in order. Yields each search's index and what it found. */
export function* searchInTurn(
  bench: SolveContext,
  first: First,
  searches: readonly LaterSearch[],
): Generator<[number, Outcome]> {
  const all = searches.map((search) => ({
    search,
    ...knownHeld(bench.instance, search.strategy, first, startsOf(search)),
  }));
  let searchesLeft = all.filter(({ worthSearching }) => worthSearching).length;
  for (const [i, { search, worthSearching, known }] of all.entries())
    yield [i, worthSearching ? searchLater(bench, first, search, known, searchesLeft--) : known];
}
