/**
 * Branch and price (*From bound to proof*, step 7, in docs/cover-engine.md). When too many columns lie within the gap,
 * a decision divides the plans into two branches. The branch with the lowest bound is searched first, until every
 * branch is solved or cannot contain a better plan.
 */
import type { Decision } from './branching.ts';
import { branchingDecision } from './branching.ts';
import { decide, mostInPool } from './close-gap.ts';
import { enumerateColumns } from './enumerate-columns.ts';
import type { Outcome, SearchContext } from './column-generation.ts';
import { solveRestrictedMip } from './restricted-mip.ts';
import { generateColumns, roundUp, takePlan, takeRounded } from './column-generation.ts';

/** A program may have at most this many columns when no decision is left to branch on. */
const LAST_RESORT = 50_000;

interface Node {
  readonly decisions: readonly Decision[];
  readonly bound: number;
}

function decideParts(context: SearchContext, decisions: readonly Decision[]): void {
  context.graphs.forEach((graph, i) => {
    graph.decide(decisions.filter((d) => d.kind === 'person').filter((d) => d.open === i));
    for (const d of decisions) if (d.kind === 'charge' && !d.goes) graph.bar(d.charge);
  });
}

function apply(context: SearchContext, decisions: readonly Decision[]): void {
  decideParts(context, decisions);
  context.master.decide(context.objective, decisions);
}

/**
 * Searches one node of the branching tree. Returns the nodes that are left to search, each with a valid bound; an empty
 * list when nothing is left.
 */
function open(context: SearchContext, out: Outcome, node: Node, moveBase: readonly Float64Array[]): Node[] {
  const { objective, master } = context;
  apply(context, node.decisions);
  out.effort.branches++;
  const { best, values, complete, plan } = generateColumns(
    context,
    moveBase,
    node.decisions,
    () => out.cost,
    out.effort,
  );
  if (!best) return [node];
  let bound = Math.max(node.bound, roundUp(best.bound));
  takePlan(objective, out, plan);
  if (bound >= Math.min(out.cost, master.never)) return [];
  if (!complete) return [{ ...node, bound }];
  // The decisions might leave a part without any pattern, so the heuristic ignores them.
  for (const graph of context.graphs) graph.decide([]);
  takeRounded(context, out, values);
  decideParts(context, node.decisions);
  if (bound >= out.cost) return [];
  const room = Math.min(out.cost, master.never) - best.bound - 1 + 1e-5;
  // `closeGap` has already tried the undivided problem.
  const whole = node.decisions.length === 0;
  const listed = whole
    ? null
    : enumerateColumns(context, best.pricing, room, moveBase, mostInPool(context), node.decisions);
  if (listed) {
    bound = Math.max(bound, decide(context, out, listed, best.bound + room, moveBase, node.decisions));
    if (bound >= Math.min(out.cost, master.never)) return [];
    if (context.left() <= 0) return [{ ...node, bound }];
  }
  const decision = branchingDecision(master.columns, values);
  if (!decision) {
    // Nothing is left to decide, but the relaxation still mixes plans: only an integer program can find the best one.
    const all = enumerateColumns(context, best.pricing, room, moveBase, LAST_RESORT, node.decisions);
    if (all) bound = Math.max(bound, solveRestrictedMip(context, out, all, best.bound + room));
    return bound >= Math.min(out.cost, master.never) ? [] : [{ ...node, bound }];
  }
  const other = decision.kind === 'person' ? { ...decision, has: false } : { ...decision, goes: false };
  return [other, decision].map((d) => ({ decisions: [...node.decisions, d], bound }));
}

/**
 * Branches until the current plan is proven, time is up, or a node cannot be divided further. `out.bound` is the lowest
 * bound of any open node.
 */
export function branchAndPrice(context: SearchContext, out: Outcome, moveBase: readonly Float64Array[]): void {
  const nodes: Node[] = [{ decisions: [], bound: out.bound }];
  try {
    for (;;) {
      const least = nodes.reduce((n, node) => Math.min(n, node.bound), Math.min(out.cost, context.master.never));
      out.bound = Math.max(out.bound, least);
      if (out.bound >= context.master.never) out.bound = Infinity;
      if (out.bound >= out.cost || context.left() <= 0) return;
      const at = nodes.findLastIndex((node) => node.bound <= least);
      const [node] = nodes.splice(at, 1);
      if (!node) return;
      const left = open(context, out, node, moveBase);
      nodes.push(...left);
      // The node came back unchanged, so searching it again would find nothing new.
      if (left.length === 1 && left[0]?.decisions === node.decisions && left[0].bound === node.bound) return;
    }
  } finally {
    apply(context, []);
  }
}
