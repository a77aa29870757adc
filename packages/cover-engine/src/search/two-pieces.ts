/**
 * Patterns in which one person has two pieces (*The bound* in docs/cover-engine.md). By rule 4, a substitute who has
 * two pieces of a part is the part's only therapist; the rest of the part is uncovered. The graph would charge the
 * person twice, so these patterns are priced here, and left out when patterns are read from the graph.
 */
import type { Part, PlanPiece } from '../model.ts';
import { NOBODY } from '../model.ts';
import { SLOTS, type SlotRange } from '../slots.ts';
import { FAR, type Prices } from './prices.ts';

/** The fields of a pricing graph that this file needs. */
interface PricedPart {
  readonly part: Part;
  readonly length: number;
  readonly width: number;
  readonly nodes: readonly number[];
  readonly candidates: readonly number[];
  readonly direct: boolean;
  readonly change: number;
  readonly persons: Float64Array;
  readonly cheapest: Float64Array;
  readonly prices: Prices;
  readonly leastBetween: () => number;
  readonly nobodyCost: (from: number, to: number) => number;
  readonly eachOf: (c: number, visit: (c: number, from: number, to: number, cost: number) => void) => void;
}

const before = (graph: PricedPart, from: number): number => (from > 0 ? graph.nobodyCost(0, from) + graph.change : 0);

const after = (graph: PricedPart, to: number): number =>
  to < graph.length ? graph.change + graph.nobodyCost(to, graph.length) : 0;

/**
 * Arrays that are reused for each person. At each moment: the lowest cost up to the end of a first piece that ends
 * there (`first`), and from the start of a second piece that starts there (`second`).
 */
const first = new Float64Array(SLOTS + 1);
const second = new Float64Array(SLOTS + 1);

/** The lowest cost of a pattern with two pieces of this candidate. */
function leastTwice(graph: PricedPart, c: number): number {
  const { length, width, nodes, change } = graph;
  first.fill(FAR, 0, width);
  second.fill(FAR, 0, width);
  graph.eachOf(c, (_c, from, to, cost) => {
    if (to < length) first[to] = Math.min(first[to]!, cost + before(graph, from));
    if (from > 0) second[from] = Math.min(second[from]!, change + cost + after(graph, to));
  });
  let least = FAR;
  for (const to of nodes) {
    if (first[to]! >= FAR) continue;
    for (const from of nodes)
      if (from > to && second[from]! < FAR)
        least = Math.min(least, first[to]! + change + graph.nobodyCost(to, from) + second[from]!);
  }
  return least - graph.persons[c]!;
}

/**
 * Calls `visit` for each pattern that costs at most `limit` and in which a candidate has two pieces, at the prices last
 * passed to `price`. The value of `limit` may fall between visits. With `chargedOnly`, candidates are skipped unless
 * some cost is charged only once however many pieces they get.
 */
export function eachTwice(
  graph: PricedPart,
  limit: () => number,
  chargedOnly: boolean,
  visit: (pieces: readonly PlanPiece[], cost: number) => void,
): void {
  const { length, prices, candidates, change, part } = graph;
  if (!graph.direct) return;
  const at = (therapist: number, from: number, to: number): PlanPiece => ({
    therapist,
    from: part.from + from,
    to: part.from + to,
  });
  const between = 2 * change + graph.leastBetween();
  candidates.forEach((t, c) => {
    if (chargedOnly && graph.persons[c]! < 1e-9) return;
    // Even two of the candidate's cheapest pieces plus the gap between them nearly always cost too much. If so, the
    // candidate is skipped.
    if (2 * graph.cheapest[c]! + between - graph.persons[c]! > limit()) return;
    if (leastTwice(graph, c) > limit()) return;
    const pieces: (SlotRange & { readonly cost: number })[] = [];
    graph.eachOf(c, (_c, from, to, cost) => pieces.push({ from, to, cost }));
    for (const a of pieces)
      for (const b of pieces) {
        if (b.from <= a.to || a.to - a.from + b.to - b.from > prices.mostGiven[t]!) continue;
        const inner = change + graph.nobodyCost(a.to, b.from) + change;
        const cost = before(graph, a.from) + a.cost + inner + b.cost + after(graph, b.to) - graph.persons[c]!;
        if (cost > limit()) continue;
        const all = [
          at(NOBODY, 0, a.from),
          at(t, a.from, a.to),
          at(NOBODY, a.to, b.from),
          at(t, b.from, b.to),
          at(NOBODY, b.to, length),
        ];
        visit(
          all.filter((p) => p.from < p.to),
          cost,
        );
      }
  });
}

/**
 * Finds the cheapest pattern in which one candidate has two pieces; null if none costs less than `least`. Considers
 * only candidates with a cost that is charged once, however many pieces the candidate gets.
 */
export function cheapestTwice(graph: PricedPart, least: number): { pieces: readonly PlanPiece[]; cost: number } | null {
  let best = least - 1e-9;
  let found: { pieces: readonly PlanPiece[]; cost: number } | null = null;
  eachTwice(
    graph,
    () => best,
    true,
    (pieces, cost) => {
      if (cost >= best) return;
      best = cost;
      found = { pieces, cost };
    },
  );
  return found;
}
