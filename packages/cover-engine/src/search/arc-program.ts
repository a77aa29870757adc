/**
 * The program over pieces instead of patterns (*From bound to proof*, step 3, in docs/cover-engine.md). Where too many
 * patterns lie within the gap, their pieces are still few: a part's patterns are the paths through its graph, and the
 * same test by reduced cost leaves out every piece that no better plan uses. HiGHS's own cuts do the rest.
 */
import type { Column } from './column.ts';
import type { Outcome, Priced, SearchContext } from './column-generation.ts';
import { arcColumn, patternColumn } from './columns.ts';
import { enumerateColumns, listMoves } from './enumerate-columns.ts';
import { AFTER, eachArc } from './enumerate-patterns.ts';
import type { Pricing } from './dual-prices.ts';
import type { Instance } from './instance.ts';
import { endNode, nodeOf, type PricingGraph } from './pricing-graph.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import { eachTwice } from './two-pieces.ts';

/** Columns of a program that is solved at once, for each that `mostListed` allows; of one where no smaller will do. */
const FEW_FOR_EACH = 10;
const MOST_FOR_EACH = 20;
/** How much of the rest of the gap a step may take, until its program is small enough. */
const STEPS = [1, 0.5, 0.25, 0.1];

/**
 * The arcs of an open part, by its index, that are on some path with a reduced cost of at most `limit` at the prices of
 * the graph's last `price`.
 */
export function arcsOf(instance: Instance, graph: PricingGraph, i: number, limit: number): Column[] {
  const { part, width, length, ahead, behind } = graph;
  const columns: Column[] = [];
  eachArc(graph, limit, ({ kind, who, from, to, cost }) => {
    const piece = { therapist: who, from: part.from + from, to: part.from + to };
    AFTER[kind]!.forEach((next, state) => {
      if (next < 0 || ahead[state * width + from]! + cost + behind[next * width + to]! > limit) return;
      const head = to === length ? endNode(part) : nodeOf(to, next);
      columns.push(arcColumn(instance, i, piece, nodeOf(from, state), head));
    });
  });
  // A person who is charged has one piece in a path: where they have two, the pattern is listed by itself.
  eachTwice(
    graph,
    () => limit,
    false,
    (pieces) => columns.push(patternColumn(instance, i, pieces)),
  );
  return columns;
}

/** The columns of a program with every plan less than `room` above the bound; null when there are more than `most`. */
function listProgram(
  context: SearchContext,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  most: number,
): Column[] | null {
  const patterns = enumerateColumns(context, pricing, room, moveBase, context.fewPatterns);
  if (patterns) return patterns;
  const columns = listMoves(context, pricing, room, moveBase, []);
  for (const [i, graph] of context.graphs.entries()) {
    columns.push(...arcsOf(context.objective.instance, graph, i, graph.price(pricing.prices) + room));
    if (columns.length > most) return null;
  }
  return columns;
}

/** Without a plan to start from: how far above the bound to look first, as a share of it and in points. */
const FIRST_ROOM = { share: 0.02, points: 200 };

/**
 * Raises the bound, and keeps a better plan, until nothing better is left or the program is too large. Where the gap is
 * too wide for one program, or there is no plan yet, it goes in steps: a plan within a step is the best, and without one
 * the bound rises by it.
 */
export function solveArcs(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { mostListed } = context;
  while (out.bound < out.cost && context.left() > 0) {
    const all = Math.min(out.cost, context.master.never) - best.bound - 1 + 1e-5;
    const least = out.bound - best.bound + 1e-5;
    const list = (room: number, each: number) => listProgram(context, best.pricing, room, moveBase, each * mostListed);
    // Without a plan each step doubles what is known.
    const most = out.plan
      ? all
      : Math.min(all, 2 * least + FIRST_ROOM.share * Math.abs(best.bound) + FIRST_ROOM.points);
    let [room, columns]: [number, Column[] | null] = [most, null];
    for (const step of STEPS) {
      room = least + step * (most - least);
      columns = list(room, FEW_FOR_EACH);
      if (columns) break;
    }
    if (!columns) columns = list((room = most), MOST_FOR_EACH) ?? list((room = least), MOST_FOR_EACH);
    if (!columns) return;
    const before = { bound: out.bound, cost: out.cost };
    const reached = solveRestrictedMip(context, out, columns, best.bound + room);
    out.bound = Math.max(out.bound, Math.min(out.cost, reached));
    if (room === all || (out.bound === before.bound && out.cost === before.cost)) break;
  }
  if (out.bound >= context.master.never) out.bound = Infinity;
}
