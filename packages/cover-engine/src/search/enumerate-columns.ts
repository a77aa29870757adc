/**
 * Lists every column that a better plan could use, judging by reduced costs (*From bound to proof*, step 4, in
 * docs/cover-engine.md).
 */
import type { Column } from './column.ts';
import { moveColumn, patternColumn } from './columns.ts';
import type { Decision } from './branching.ts';
import { keeps, movesDecided } from './branching.ts';
import { withDues, type Pricing } from './dual-prices.ts';
import type { SearchContext } from './column-generation.ts';
import { movePrice } from './column-generation.ts';
import { enumeratePatterns } from './enumerate-patterns.ts';

/**
 * Lists all columns that a plan less than `room` above the bound can use: the columns with a reduced cost of at most
 * `room`. Null when there are more than `most`.
 */
export function enumerateColumns(
  context: SearchContext,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  most: number,
  decisions: readonly Decision[] = [],
): Column[] | null {
  const { instance } = context.objective;
  const columns: Column[] = [];
  const dear = withDues(instance, pricing).prices;
  for (const [i, graph] of context.graphs.entries()) {
    const least = graph.price(pricing.prices);
    graph.price(dear);
    const patterns = enumeratePatterns(graph, least + room, most - columns.length, context.caps[i]);
    if (!patterns) return null;
    for (const pattern of patterns) columns.push(patternColumn(instance, i, pattern));
  }
  columns.push(...listMoves(context, pricing, room, moveBase, decisions));
  return columns;
}

/** Lists all moves that a plan less than `room` above the bound can use. */
function listMoves(
  context: SearchContext,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  decisions: readonly Decision[],
): Column[] {
  const columns: Column[] = [];
  eachMove(context, pricing, room, moveBase, decisions, (column) => columns.push(column));
  return columns;
}

/**
 * Calls `visit` for each move that a plan less than `room` above the bound can use. A plan with the move is at least
 * `excess` above the bound.
 */
export function eachMove(
  context: SearchContext,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  decisions: readonly Decision[],
  visit: (column: Column, excess: number) => void,
): void {
  const goes = movesDecided(decisions);
  const { instance } = context.objective;
  const dear = withDues(instance, pricing);
  instance.movable.forEach((m, i) => {
    const moves = m.targets.map((target) => moveColumn(instance, i, target));
    const costsAt = (at: Pick<Pricing, 'prices' | 'credits'>): number[] =>
      moves.map((column, j) => (keeps(column, decisions) ? movePrice(context, at, moveBase, column, j) : Infinity));
    const costs = costsAt(dear);
    if (goes.get(i) === false) return;
    const least = Math.min(m.must || goes.get(i) ? Infinity : 0, ...costsAt(pricing));
    moves.forEach((column, j) => {
      if (costs[j]! - least <= room) visit(column, costs[j]! - least);
    });
  });
}
