/**
 * Where too many columns lie within the gap: the plans are cut in two by a decision, the half with the lower bound
 * first, until each half is dearer than the plan at hand or small enough to be listed and solved.
 */
import type { Decision } from './decisions.ts';
import { leastDecided } from './decisions.ts';
import { decide, mostInPool } from './finish.ts';
import { listColumns } from './list.ts';
import type { Outcome, Workshop } from './relax.ts';
import { relax, roundUp, takePlan, takeRounded } from './relax.ts';

interface Node {
  readonly decisions: readonly Decision[];
  readonly bound: number;
}

function decideParts(shop: Workshop, decisions: readonly Decision[]): void {
  shop.graphs.forEach((graph, i) =>
    graph.decide(decisions.filter((d) => d.kind === 'person').filter((d) => d.open === i)),
  );
}

function apply(shop: Workshop, decisions: readonly Decision[]): void {
  decideParts(shop, decisions);
  shop.master.decide(shop.field, decisions);
}

/** Solves one node: what is left of it, as nodes whose bounds hold; nothing when it is done with. */
function open(shop: Workshop, out: Outcome, node: Node, moveBase: readonly Float64Array[]): Node[] {
  const { field, master } = shop;
  apply(shop, node.decisions);
  out.effort.branches++;
  const { best, values, complete, plan } = relax(shop, moveBase, node.decisions, () => out.cost, out.effort);
  if (!best) return [node];
  let bound = Math.max(node.bound, roundUp(best.bound));
  takePlan(field, out, plan);
  if (bound >= Math.min(out.cost, master.never)) return [];
  if (!complete) return [{ ...node, bound }];
  // By hand plans are made of everything: under decisions a part might have no way at all that is free.
  for (const graph of shop.graphs) graph.decide([]);
  takeRounded(shop, out, values);
  decideParts(shop, node.decisions);
  if (bound >= out.cost) return [];
  const room = Math.min(out.cost, master.never) - best.bound - 1 + 1e-5;
  // All plans together have been tried before (`finish`).
  const whole = node.decisions.length === 0;
  const listed = whole ? null : listColumns(shop, best.pricing, room, moveBase, mostInPool(shop), node.decisions);
  if (listed) {
    bound = Math.max(bound, decide(shop, out, listed, best.bound + room, moveBase, node.decisions));
    if (bound >= Math.min(out.cost, master.never)) return [];
    if (shop.left() <= 0) return [{ ...node, bound }];
  }
  const decision = leastDecided(master.columns, values);
  if (!decision) return [{ ...node, bound }];
  const other = decision.kind === 'move' ? { ...decision, goes: false } : { ...decision, has: false };
  return [other, decision].map((d) => ({ decisions: [...node.decisions, d], bound }));
}

/** Goes on until the plan at hand is proven or time is up; `out.bound` is the least of what is still open. */
export function branch(shop: Workshop, out: Outcome, moveBase: readonly Float64Array[]): void {
  const nodes: Node[] = [{ decisions: [], bound: out.bound }];
  try {
    for (;;) {
      const least = nodes.reduce((n, node) => Math.min(n, node.bound), Math.min(out.cost, shop.master.never));
      out.bound = Math.max(out.bound, least);
      if (out.bound >= shop.master.never) out.bound = Infinity;
      if (out.bound >= out.cost || shop.left() <= 0) return;
      const at = nodes.findLastIndex((node) => node.bound <= least);
      const [node] = nodes.splice(at, 1);
      if (!node) return;
      const left = open(shop, out, node, moveBase);
      nodes.push(...left);
      // The same node again: nothing more can be learnt of it.
      if (left.length === 1 && left[0]?.decisions === node.decisions && left[0].bound === node.bound) return;
    }
  } finally {
    apply(shop, []);
  }
}
