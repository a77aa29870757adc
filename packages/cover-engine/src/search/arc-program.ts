/**
 * A program over single pieces instead of whole patterns (*From bound to proof*, step 3, in docs/cover-engine.md).
 * There may be too many patterns near the bound to list them all, but these patterns consist of few pieces. A part's
 * patterns are the paths through its graph, except that no substitute has two pieces (`once` rows). Pieces whose reduced cost shows that no better plan can use them are left
 * out. HiGHS does the rest with its own cuts.
 */
import { HOUR } from '../limits.ts';
import type { Column } from './column.ts';
import type { Outcome, Priced, SearchContext } from './column-generation.ts';
import { arcColumn } from './columns.ts';
import { eachMove, enumerateColumns } from './enumerate-columns.ts';
import { eachArc } from './enumerate-patterns.ts';
import { withDues, type Pricing } from './dual-prices.ts';
import type { Instance } from './instance.ts';
import { endNode, KIND, nodeOf, RUN } from './piece-states.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { solveRestrictedMip } from './restricted-mip.ts';

/**
 * Limits on the number of a program's columns, as multiples of `mostListed`. A program may have twice as many columns
 * as the one before it, from the first limit up to the second. If even the smallest step gives a larger program, the
 * whole gap is tried, up to the third limit.
 */
const FIRST_FOR_EACH = 4;
const FEW_FOR_EACH = 10;
const MOST_FOR_EACH = 20;
/** One step covers at least this share of the remaining gap; if a step may look only so far, of that distance. */
const SMALLEST = 0.1;
const SMALLEST_NEAR = 0.02;

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
 * Lists the columns of a program that contains every plan less than `room` above the bound; null if there would be more
 * than `most`.
 */
function listNear(
  context: SearchContext,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  most: number,
): Near[] | null {
  const near: Near[] = [];
  eachMove(context, pricing, room, moveBase, [], (column, excess) => near.push({ excess, column: () => column }));
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

/** Without a plan, the search first looks this far above the bound: this share of the bound, plus this many points. */
const FIRST_ROOM = { share: 0.02, points: 200 };

/**
 * Raises the bound, and keeps any better plan, until the plan is proven, time is up, the program is too large, or a
 * step changes nothing. Works in steps that look further and further above the bound, because the best plan is usually
 * near it, and programs grow quickly with the distance. A plan found within a step is the best plan. If a step contains
 * no plan, the bound rises by the step.
 */
export function solveArcs(context: SearchContext, out: Outcome, best: Priced, moveBase: readonly Float64Array[]): void {
  const { mostListed, inUnits = false, together } = context;
  const widest = together?.widest ?? Infinity;
  const share = together ? SMALLEST_NEAR : SMALLEST;
  let units = 0;
  let allowed = FIRST_FOR_EACH;
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
    for (let room = most; !listed || listed.room < room; room = least + (room - least) / 2) {
      const near = listNear(context, best.pricing, room, moveBase, MOST_FOR_EACH * mostListed);
      if (near) listed = { room, near };
      else if (room - least <= share * (most - least)) return;
    }
    if (!tried && listed.near.length > FIRST_FOR_EACH * mostListed) {
      tried = true;
      const before = out.cost;
      tryNearest(context, out, best, listed.near);
      if (out.cost < before) continue;
    }
    const room = roomFor(
      listed.near,
      least + share * (Math.min(most, listed.room) - least),
      Math.min(most, listed.room),
      (inUnits ? FEW_FOR_EACH : allowed) * mostListed,
      FEW_FOR_EACH * mostListed,
    );
    allowed = Math.min(2 * allowed, FEW_FOR_EACH);
    const columns =
      enumerateColumns(context, best.pricing, room, moveBase, context.fewPatterns) ??
      listed.near.filter(({ excess }) => excess <= room).map(({ column }) => column());
    const before = { bound: out.bound, cost: out.cost };
    const reached = solveRestrictedMip(context, out, columns, best.bound + room);
    out.bound = Math.max(out.bound, Math.min(out.cost, reached));
    if (room === all || (out.bound === before.bound && out.cost === before.cost)) break;
  }
  if (out.bound >= context.master.never) out.bound = Infinity;
}

/** The search for a better plan uses this many columns (a multiple), and looks this many times as far as they reach. */
const TRIED_FOR_EACH = 1;
const TRIED_REACH = 4;

/** Looks for a better plan among the columns nearest to the bound. */
function tryNearest(context: SearchContext, out: Outcome, { bound }: Priced, near: readonly Near[]): void {
  const tried = near.toSorted((a, b) => a.excess - b.excess).slice(0, TRIED_FOR_EACH * context.mostListed);
  const reach = Math.min(out.cost - 1, bound + TRIED_REACH * (tried.at(-1)?.excess ?? 0));
  const columns = tried.map(({ column }) => column());
  solveRestrictedMip(context, out, columns, reach, [], context.mostNodes);
}

/**
 * How far a step looks above the bound: at most `most`. If that gives a program of over `many` columns, not so far that
 * it has over `few`; but if a smallest step has over `many` too, there is no point in small steps.
 */
function roomFor(near: readonly Near[], smallest: number, most: number, few: number, many: number): number {
  const within = near.map(({ excess }) => excess).filter((excess) => excess <= most);
  if (within.length <= many) return most;
  within.sort((a, b) => a - b);
  const room = Math.max(smallest, within[few]! - 1e-6);
  return room > smallest || within[many] === undefined || within[many] > smallest ? room : most;
}
