/**
 * A program over single pieces instead of whole patterns (*From bound to proof*, step 3, in docs/cover-engine.md).
 * There may be too many patterns near the bound to list them all, but these patterns consist of few pieces. A part's
 * patterns are the paths through its graph, except that no substitute has two pieces (`once` rows). Pieces whose reduced cost shows that no better plan can use them are left
 * out. HiGHS does the rest with its own cuts.
 */
import { HOUR } from '../limits.ts';
import type { Column } from './column.ts';
import { movePrice, shareOf, type Outcome, type Priced, type SearchContext } from './column-generation.ts';
import { arcColumn, moveColumn } from './columns.ts';
import { eachArc } from './enumerate-patterns.ts';
import { withDues, type Pricing } from './dual-prices.ts';
import type { Instance } from './instance.ts';
import { endNode, KIND, nodeOf, RUN } from './piece-states.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import { FIRST_ROOM, FOR_EACH, PROGRAM, SMALLEST, TRIED, TRIED_NODES, TRIED_REACH } from './tuned.ts';

/** A column of a program. A plan with this column is at least `excess` above the bound. */
interface Near {
  readonly excess: number;
  readonly column: () => Column;
}

/**
 * Calls `visit` for each arc of the open part with index `i` that a plan below `limit` can use: arcs on a path whose
 * reduced cost is at most `limit`, at the prices last passed to the graph's `price`. `cost` is the lowest reduced cost
 * of these paths.
 */
export function eachPiece(
  instance: Instance,
  graph: PricingGraph,
  i: number,
  limit: number,
  visit: (cost: number, column: () => Column) => void,
): void {
  const { part, length } = graph;
  eachArc(graph, limit, ({ kind, who, from, to, state, next, path }) => {
    const piece = { therapist: who, from: part.from + from, to: part.from + to };
    const head = to === length ? endNode(part) : nodeOf(to, next);
    const [end, run] = kind === KIND.nobody ? [piece.from, RUN[state]!] : [piece.to, RUN[next]!];
    const closes = kind === KIND.nobody || to === length;
    const ends = {
      tail: nodeOf(from, state),
      head,
      care: closes && run > 0 && run < HOUR ? { from: end - run, to: end } : null,
    };
    visit(path, () => arcColumn(instance, i, piece, ends));
  });
}

/**
 * Calls `visit` for each move that a plan less than `room` above the bound can use. A plan with the move is at least
 * `excess` above the bound.
 */
function eachMove(
  context: SearchContext,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  visit: (column: Column, excess: number) => void,
): void {
  const { instance } = context.objective;
  const dear = withDues(instance, pricing);
  instance.movable.forEach((m, i) => {
    const moves = m.targets.map((target) => moveColumn(instance, i, target));
    const costsAt = (at: Pick<Pricing, 'prices' | 'credits'>): number[] =>
      moves.map((column, j) => movePrice(context, at, moveBase, column, j));
    const costs = costsAt(dear);
    const least = Math.min(m.must ? Infinity : 0, ...costsAt(pricing));
    moves.forEach((column, j) => {
      if (costs[j]! - least <= room) visit(column, costs[j]! - least);
    });
  });
}

/**
 * Lists the columns of a program that contains every plan less than `room` above the bound; null if there would be more
 * than `most`.
 */
export function listNear(
  context: SearchContext,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  most: number,
): Near[] | null {
  const near: Near[] = [];
  eachMove(context, pricing, room, moveBase, (column, excess) => near.push({ excess, column: () => column }));
  const dear = withDues(context.objective.instance, pricing).prices;
  for (const [i, graph] of context.graphs.entries()) {
    const least = graph.price(pricing.prices);
    graph.price(dear);
    eachPiece(context.objective.instance, graph, i, least + room, (cost, column) =>
      near.push({ excess: cost - least, column }),
    );
    if (near.length > most) return null;
  }
  return near;
}

/**
 * Lists the columns of a program that looks up to `most` above the bound; not as far if there are too many of them.
 * Null if there are too many even for plans at the bound (`least`), unless time does not matter.
 */
function listUpTo(
  context: SearchContext,
  { pricing }: Priced,
  moveBase: readonly Float64Array[],
  least: number,
  most: number,
): { room: number; near: Near[] } | null {
  for (let room = most; ; room = least + (room - least) / 2) {
    const last = room - least < 0.5;
    const all = last && context.left() === Infinity;
    const near = listNear(context, pricing, room, moveBase, all ? Infinity : FOR_EACH.seen * context.mostListed);
    if (near || last) return near && { room, near };
  }
}

/**
 * Raises the bound, and keeps any better plan, until the plan is proven, time is up, or a step changes nothing. Works in
 * steps that look further and further above the bound, because the best plan is usually near it, and programs grow
 * quickly with the distance. A plan found within a step is the best plan. If a step contains no plan, the bound rises by
 * the step.
 */
export function solveArcs(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { mostListed, inUnits = false, together } = context;
  const widest = together?.widest ?? Infinity;
  const share = together ? SMALLEST.together : SMALLEST.usual;
  let units = 0;
  let allowed = FOR_EACH.first;
  let tried = inUnits;
  let listed: { room: number; near: Near[] } | null = null;
  while (out.bound < out.cost && context.left() > 0) {
    const all = Math.min(Math.min(out.cost, context.master.never) - best.bound - 1, widest) + 1e-5;
    const least = out.bound - best.bound + 1e-5;
    if (least > widest) return;
    // If the costs are units, the first step looks only at the bound itself, and the following steps look 1, 2, 4, …
    // units above it.
    const points = 2 * least + FIRST_ROOM.share * Math.abs(best.bound) + FIRST_ROOM.points;
    const most = inUnits ? Math.min(all, least + units) : out.plan ? all : Math.min(all, points);
    units = Math.max(1, 2 * units);
    const smallest = least + share * (most - least);
    if (!listed || listed.room < smallest) listed = listUpTo(context, best, moveBase, least, most);
    if (!listed) return;
    if (!tried && listed.near.length > FOR_EACH.first * mostListed) {
      tried = true;
      const before = out.cost;
      tryNearest(context, out, best, listed.near, TRIED.pieces);
      if (out.cost < before) continue;
    }
    const room = roomFor(
      listed.near,
      smallest,
      Math.min(most, listed.room),
      (inUnits ? FOR_EACH.most : allowed) * mostListed,
      FOR_EACH.most * mostListed,
    );
    allowed = Math.min(2 * allowed, FOR_EACH.most);
    const columns = listed.near.filter(({ excess }) => excess <= room).map(({ column }) => column());
    const before = { bound: out.bound, cost: out.cost };
    const few = columns.length <= FOR_EACH.first * mostListed;
    const hurried = few ? context : { ...context, left: shareOf(context.left, PROGRAM) };
    const reached = solveRestrictedMip(hurried, out, columns, best.bound + room);
    out.bound = Math.max(out.bound, Math.min(out.cost, reached));
    if (hurried.left() <= 0) {
      tryNearest(context, out, best, listed.near, 2 * TRIED.pieces);
      break;
    }
    if (room === all || (out.bound === before.bound && out.cost === before.cost)) break;
  }
  if (out.bound >= context.master.never) out.bound = Infinity;
}

/** Looks for a better plan among the columns nearest to the bound. */
function tryNearest(
  context: SearchContext,
  out: Outcome,
  { bound }: Priced,
  near: readonly Near[],
  most: number,
): void {
  if (out.bound >= out.cost || context.left() <= 0) return;
  const tried = near.toSorted((a, b) => a.excess - b.excess).slice(0, most);
  const reach = Math.min(out.cost - 1, bound + TRIED_REACH * (tried.at(-1)?.excess ?? 0));
  const columns = tried.map(({ column }) => column());
  solveRestrictedMip(context, out, columns, reach, TRIED_NODES);
}

/**
 * How far a step looks above the bound: at most `most`. If that gives a program of over `many` columns, not so far that
 * it has over `few`, but as far as `smallest` if so many are listed.
 */
function roomFor(near: readonly Near[], smallest: number, most: number, few: number, many: number): number {
  const within = near.map(({ excess }) => excess).filter((excess) => excess <= most);
  if (within.length <= many) return most;
  within.sort((a, b) => a - b);
  return Math.min(most, Math.max(smallest, within[few]! - 1e-6));
}
