/**
 * The cheapest path through a pricing graph whose neighboring pieces have different people (*The bound* in
 * docs/cover-engine.md). Prices that charge each piece beyond some room make two adjoining halves of one person look
 * cheaper than the whole piece. Such a path is no pattern, so a bound that counts its cost is too low.
 */
import type { Part, PlanPiece } from '../model.ts';
import { NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { AFTER_OTHER, AFTER_OWN, KIND, KINDS, STATES } from './piece-states.ts';
import { FAR } from './prices.ts';

/** The fields of a pricing graph that this file needs. */
interface PricedGraph {
  readonly part: Part;
  readonly length: number;
  readonly width: number;
  readonly nodes: readonly number[];
  readonly candidates: readonly number[];
  readonly change: number;
  readonly bestWho: Int32Array;
  readonly bestOwn: Float64Array;
  readonly ahead: Float64Array;
  readonly aheadFrom: Int32Array;
  readonly nobodyCost: (from: number, to: number) => number;
  readonly eachOther: (visit: (c: number, from: number, to: number, cost: number) => void) => void;
}

/** Whether the graph's cheapest path, which costs `least`, has two adjoining pieces of one person. */
export function hasHalves(
  { length, width, candidates, bestWho, ahead, aheadFrom }: PricedGraph,
  least: number,
): boolean {
  let state = 0;
  while (ahead[state * width + length] !== least) state++;
  let after = -1;
  for (let to = length; to > 0;) {
    const code = aheadFrom[state * width + to]!;
    const kind = code % KINDS;
    const from = Math.floor(code / KINDS / STATES);
    const who = kind === KIND.other ? bestWho[from * width + to]! : kind === KIND.own ? candidates.length : -1;
    if (who >= 0 && who === after) return true;
    after = who;
    state = Math.floor(code / KINDS) % STATES;
    to = from;
  }
  return false;
}

/**
 * Two labels for each node, at 2 × node and 2 × node + 1: the cheapest path to the node, and the cheapest one that ends
 * with another person. With both, a piece always finds the cheapest path that may come before it.
 */
const NODES = STATES * (SLOTS + 1);
const costs = new Float64Array(2 * NODES);
const people = new Int32Array(2 * NODES);
/** The label from which each label was reached, and the moment at which its last piece starts. */
const cameFrom = new Int32Array(2 * NODES);
const startedAt = new Int32Array(2 * NODES);

/** No person, before the first piece. */
const START = -3;

function reach(node: number, person: number, cost: number, before: number, from: number): void {
  const [first, second] = [2 * node, 2 * node + 1];
  let at = first;
  if (people[first] === person) {
    if (cost >= costs[first]!) return;
  } else if (cost < costs[first]!) {
    costs[second] = costs[first]!;
    people[second] = people[first]!;
    cameFrom[second] = cameFrom[first]!;
    startedAt[second] = startedAt[first]!;
  } else {
    if (cost >= costs[second]!) return;
    at = second;
  }
  costs[at] = cost;
  people[at] = person;
  cameFrom[at] = before;
  startedAt[at] = from;
}

/** The cheapest pattern, at the prices last passed to the graph's `price`, in which no two adjoining pieces are alike. */
export function cheapestApart(graph: PricedGraph): { pieces: PlanPiece[]; cost: number } {
  const { part, length, width, nodes, candidates, bestOwn } = graph;
  const starting: number[][] = Array.from({ length: width }, () => []);
  graph.eachOther((c, from, to, cost) => starting[from]!.push(c, to, cost));
  costs.fill(FAR, 0, 2 * STATES * width);
  people.fill(START, 0, 2 * STATES * width);
  costs[0] = 0;
  const go = (from: number, state: number, next: number, to: number, person: number, cost: number) => {
    const node = from * STATES + state;
    const before = people[2 * node] === person ? 2 * node + 1 : 2 * node;
    const so = costs[before]!;
    if (so < FAR && cost < FAR) reach(to * STATES + next, person, so + cost, before, from);
  };
  for (const from of nodes) {
    if (from === length) break;
    const change = from > 0 ? graph.change : 0;
    const pieces = starting[from]!;
    for (let state = 0; state < STATES; state++) {
      if (costs[2 * (from * STATES + state)]! >= FAR) continue;
      const other = AFTER_OTHER[state]!;
      const own = AFTER_OWN[state]!;
      for (const to of nodes) {
        if (to <= from) continue;
        go(from, state, state, to, NOBODY, change + graph.nobodyCost(from, to));
        if (own >= 0) go(from, state, own, to, part.booked, change + bestOwn[from * width + to]!);
      }
      if (other < 0) continue;
      for (let i = 0; i < pieces.length; i += 3)
        go(from, state, other, pieces[i + 1]!, candidates[pieces[i]!]!, change + pieces[i + 2]!);
    }
  }
  let at = 2 * length * STATES;
  for (let state = 1; state < STATES; state++) {
    const end = 2 * (length * STATES + state);
    if (costs[end]! < costs[at]!) at = end;
  }
  const cost = costs[at]!;
  const pieces: PlanPiece[] = [];
  if (cost >= FAR) return { pieces: [{ therapist: NOBODY, from: part.from, to: part.to }], cost };
  for (let to = length; to > 0;) {
    const from = startedAt[at]!;
    pieces.push({ therapist: people[at]!, from: part.from + from, to: part.from + to });
    at = cameFrom[at]!;
    to = from;
  }
  return { pieces: pieces.reverse(), cost };
}
