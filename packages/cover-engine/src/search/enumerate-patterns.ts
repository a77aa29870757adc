/**
 * Reads a pricing graph (*From bound to proof* in docs/cover-engine.md): the cheapest pattern and some cheap patterns
 * for column generation (step 2), or all pieces below a limit (step 3).
 */
import type { Part, PlanPiece } from '../model.ts';
import { NOBODY } from '../model.ts';
import type { SlotRange } from '../slots.ts';
import { runBehind } from './behind.ts';
import { mergePieces } from './columns.ts';
import { KIND, STATES, statesAfter } from './piece-states.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { FAR } from './prices.ts';

/** An arc of the graph: one piece, between two nodes. Times are offsets from the part's start. */
export interface Arc extends SlotRange {
  readonly kind: number;
  readonly who: number;
  /** The states before and after the piece. */
  readonly state: number;
  readonly next: number;
  /** The reduced cost, with the handover at its start and the stretch of care that the piece closes. */
  readonly cost: number;
  /** The lowest reduced cost of the paths with this arc. */
  readonly path: number;
}

/** The cheapest pattern at the prices last passed to `price`. */
export const cheapestPattern = (graph: PricingGraph): PlanPiece[] => readTo(graph, graph.length, graph.end());

function readTo(graph: PricingGraph, moment: number, label: number): PlanPiece[] {
  const { part } = graph;
  const pieces: PlanPiece[] = [];
  while (moment > 0) {
    const { therapist, from, before } = graph.stepTo(label, moment);
    pieces.push({ therapist, from: part.from + from, to: part.from + moment });
    moment = from;
    label = before;
  }
  return pieces.reverse();
}

/** Whether a substitute has two pieces; then these pieces are no pattern. */
const comesTwice = ({ booked }: Part, pieces: readonly PlanPiece[]): boolean =>
  pieces.some(
    ({ therapist: t }, i) =>
      t !== NOBODY && t !== booked && pieces.slice(0, i).some(({ therapist }) => therapist === t),
  );

/**
 * For each candidate, finds the cheapest pattern in which they have a piece. Returns the patterns that cost less than
 * `limit`, cheapest first and at most `most`.
 */
export function cheapPatterns(graph: PricingGraph, limit: number, most: number): PlanPiece[][] {
  const { part, width, candidates, ahead, behind } = graph;
  runBehind(graph);
  const best = candidates.map(() => ({ cost: FAR, from: 0, to: 0, state: 0 }));
  const states = reachedStates(graph);
  graph.eachOther((c, from, to, cost) => {
    const seen = best[c]!;
    const after = statesAfter(KIND.other, to - from);
    const alone = cost + (from > 0 ? graph.change : 0);
    for (const state of states[from]!) {
      const next = after[state]!;
      if (next < 0) continue;
      const total = ahead[state * width + from]! + alone + behind[next * width + to]!;
      if (total < seen.cost) Object.assign(seen, { cost: total, from, to, state });
    }
  });
  return best
    .map((b, c) => ({ ...b, c }))
    .filter((b) => b.cost < limit)
    .sort((a, b) => a.cost - b.cost || a.c - b.c)
    .slice(0, most)
    .map((b) =>
      mergePieces([
        ...readTo(graph, b.from, b.state),
        { therapist: candidates[b.c]!, from: part.from + b.from, to: part.from + b.to },
        ...readFrom(graph, b.to, statesAfter(KIND.other, b.to - b.from)[b.state]!),
      ]),
    )
    .filter((pieces) => !comesTwice(part, pieces));
}

/** For each moment: the states to which a path leads. */
function reachedStates({ width, nodes, ahead }: PricingGraph): number[][] {
  const states: number[][] = [];
  for (const moment of nodes) {
    const here: number[] = (states[moment] = []);
    for (let state = 0; state < STATES; state++) if (ahead[state * width + moment]! < FAR) here.push(state);
  }
  return states;
}

/** Follows the stored costs from a node to the end of the part, and returns the cheapest pieces on the way. */
function readFrom(graph: PricingGraph, moment: number, state: number): PlanPiece[] {
  const { part, length, width, nodes, behind } = graph;
  const pieces: PlanPiece[] = [];
  while (moment < length) {
    const left = behind[state * width + moment]! - (moment > 0 ? graph.change : 0);
    let next = { therapist: NOBODY, to: length, state, off: FAR };
    const consider = (therapist: number, to: number, after: number, cost: number) => {
      if (after < 0 || cost >= FAR) return;
      const off = Math.abs(cost + behind[after * width + to]! - left);
      if (off < next.off) next = { therapist, to, state: after, off };
    };
    for (const to of nodes) {
      if (to <= moment) continue;
      const at = moment * width + to;
      const after = (kind: number) => statesAfter(kind, to - moment)[state]!;
      if (graph.mayOpen(state, moment))
        consider(NOBODY, to, after(KIND.nobody), graph.closing(state, moment) + graph.nobodyCost(moment, to));
      consider(graph.candidates[graph.bestWho[at]!]!, to, after(KIND.other), graph.bestOther[at]!);
      consider(part.booked, to, after(KIND.own), graph.bestOwn[at]!);
    }
    pieces.push({ therapist: next.therapist, from: part.from + moment, to: part.from + next.to });
    moment = next.to;
    state = next.state;
  }
  return pieces;
}

/**
 * Calls `visit` for every arc on a path with a reduced cost of at most `limit`, at the prices last passed to `price`. On
 * such a path a substitute may have two pieces.
 */
export function eachArc(graph: PricingGraph, limit: number, visit: (arc: Arc) => void): void {
  const { part, width, nodes, ahead, behind } = graph;
  runBehind(graph);
  const states = reachedStates(graph);
  const consider = (kind: number, who: number, from: number, to: number, alone: number) => {
    const after = statesAfter(kind, to - from);
    const change = from > 0 ? graph.change : 0;
    for (const state of states[from] ?? []) {
      const next = after[state]!;
      if (next < 0 || (kind === KIND.nobody && !graph.mayOpen(state, from))) continue;
      const cost = alone + change + (kind === KIND.nobody ? graph.closing(state, from) : 0);
      const path = ahead[state * width + from]! + cost + behind[next * width + to]!;
      if (path <= limit) visit({ kind, who, from, to, state, next, cost, path });
    }
  };
  graph.eachOther((c, from, to, cost) => consider(KIND.other, graph.candidates[c]!, from, to, cost));
  for (const from of nodes)
    for (const to of nodes) {
      if (to <= from) continue;
      const own = graph.bestOwn[from * width + to]!;
      if (own < FAR) consider(KIND.own, part.booked, from, to, own);
      consider(KIND.nobody, NOBODY, from, to, graph.nobodyCost(from, to));
    }
}
