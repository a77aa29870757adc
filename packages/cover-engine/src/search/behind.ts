/** The second half of the dynamic programming in a part's graph: from every node to the end. */
import { KIND, STATES, statesAfter } from './piece-states.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { FAR } from './prices.ts';

const AFTER_NOBODY = statesAfter(KIND.nobody, 1);

/**
 * Finds the cheapest way to the end from every node to which a path leads, and fills `behind` with it. Here a substitute
 * may have two pieces, so this is a lower bound.
 */
export function runBehind(graph: PricingGraph): void {
  const { length, width, nodes, ahead, behind, bestOther, bestOwn } = graph;
  behind.fill(FAR);
  for (let s = 0; s < STATES; s++) behind[s * width + length] = graph.closing(s, length);
  for (let i = nodes.length - 2; i >= 0; i--) {
    const from = nodes[i]!;
    const change = from > 0 ? graph.change : 0;
    for (let s = 0; s < STATES; s++) {
      if (ahead[s * width + from]! >= FAR) continue;
      const closing = graph.closing(s, from);
      const open = graph.mayOpen(s, from) ? AFTER_NOBODY[s]! : -1;
      let best = FAR;
      for (let j = i + 1; j < nodes.length; j++) {
        const to = nodes[j]!;
        const other = statesAfter(KIND.other, to - from)[s]!;
        const own = statesAfter(KIND.own, to - from)[s]!;
        if (open >= 0) best = Math.min(best, closing + graph.nobodyCost(from, to) + behind[open * width + to]!);
        if (other >= 0) best = Math.min(best, bestOther[from * width + to]! + behind[other * width + to]!);
        if (own >= 0) best = Math.min(best, bestOwn[from * width + to]! + behind[own * width + to]!);
      }
      behind[s * width + from] = best + change;
    }
  }
}
