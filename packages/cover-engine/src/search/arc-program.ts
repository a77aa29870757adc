/**
 * A program over single pieces instead of whole patterns (*From bound to proof*, step 3, in docs/cover-engine.md).
 * There may be too many patterns near the bound to list them all, but these patterns consist of few pieces. A part's
 * patterns are the paths through its graph. Pieces whose reduced cost shows that no better plan can use them are left
 * out. HiGHS does the rest with its own cuts.
 */
import type { Column } from './column.ts';
import type { Outcome, Priced, SearchContext } from './column-generation.ts';
import { arcColumn, patternColumn } from './columns.ts';
import { enumerateColumns, listMoves } from './enumerate-columns.ts';
import { eachArc } from './enumerate-patterns.ts';
import type { Pricing } from './dual-prices.ts';
import type { Instance } from './instance.ts';
import { AFTER, endNode, nodeOf } from './piece-states.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import { eachTwice } from './two-pieces.ts';

/**
 * Limits on the number of a program's columns, as multiples of `mostListed`. The search takes smaller steps until a
 * program is within the first limit. If even the smallest step gives a larger program, the second limit applies.
 */
const FEW_FOR_EACH = 10;
const MOST_FOR_EACH = 20;
/**
 * The share of the remaining gap that one step may cover. These shares are tried in order until the program is small
 * enough.
 */
const STEPS = [1, 0.5, 0.25, 0.1];

/**
 * Lists the arcs (single pieces) of the open part with index `i` that a plan below `limit` can use: arcs on a path
 * whose reduced cost is at most `limit`, at the prices last passed to the graph's `price`.
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
  // Patterns in which one person has two pieces become columns of their own, because a path of arcs would charge the
  // person twice.
  eachTwice(
    graph,
    () => limit,
    false,
    (pieces) => columns.push(patternColumn(instance, i, pieces)),
  );
  return columns;
}

/**
 * Lists the columns of a program that contains every plan less than `room` above the bound; null if there would be more
 * than `most`.
 */
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

/** Without a plan, the search first looks this far above the bound: this share of the bound, plus this many points. */
const FIRST_ROOM = { share: 0.02, points: 200 };

/**
 * Raises the bound, and keeps any better plan, until the plan is proven, time is up, the program is too large, or a
 * step changes nothing. Works in steps in three cases: there is no plan yet, the whole gap gives too large a program,
 * or the costs are only units of one term. A plan found within a step is the best plan. If a step contains no plan, the
 * bound rises by the step.
 */
export function solveArcs(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { mostListed, inUnits = false } = context;
  let units = 0;
  while (out.bound < out.cost && context.left() > 0) {
    const all = Math.min(out.cost, context.master.never) - best.bound - 1 + 1e-5;
    const least = out.bound - best.bound + 1e-5;
    const list = (room: number, each: number) => listProgram(context, best.pricing, room, moveBase, each * mostListed);
    // Each step looks further above the bound than the previous one. If the costs are units, the first step looks only
    // at the bound itself, and the following steps look 1, 2, 4, … units above it.
    const points = 2 * least + FIRST_ROOM.share * Math.abs(best.bound) + FIRST_ROOM.points;
    const most = inUnits ? Math.min(all, least + units) : out.plan ? all : Math.min(all, points);
    units = Math.max(1, 2 * units);
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
