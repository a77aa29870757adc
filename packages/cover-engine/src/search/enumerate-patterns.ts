/**
 * Reads patterns from a pricing graph: the cheapest pattern and some cheap patterns for column generation (step 2 of
 * *From bound to proof* in docs/cover-engine.md), or all patterns below a limit (step 4).
 */
import type { PlanPiece } from '../model.ts';
import { NOBODY } from '../model.ts';
import { SLOTS, type SlotRange } from '../slots.ts';
import { mergePieces } from './columns.ts';
import { AFTER, AFTER_OTHER, AFTER_OWN, KIND, KINDS, STATES } from './piece-states.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { FAR } from './prices.ts';
import { eachTwice } from './two-pieces.ts';

/**
 * An arc of the graph: one piece. Its reduced cost includes the handover at its start, and `kind` is an index in
 * `AFTER`.
 */
export interface Arc extends SlotRange {
  readonly kind: number;
  readonly who: number;
  readonly cost: number;
}

/** The cheapest pattern at the prices last passed to `price`. */
export function cheapestPattern(graph: PricingGraph): PlanPiece[] {
  if (graph.instead) return [...graph.instead];
  const { length, width } = graph;
  let state = 0;
  for (let s = 1; s < STATES; s++)
    if (graph.ahead[s * width + length]! < graph.ahead[state * width + length]!) state = s;
  return mergePieces(readTo(graph, length, state));
}

function readTo(graph: PricingGraph, moment: number, state: number): PlanPiece[] {
  const { part, width } = graph;
  const pieces: PlanPiece[] = [];
  while (moment > 0) {
    const code = graph.aheadFrom[state * width + moment]!;
    const kind = code % KINDS;
    const before = Math.floor(code / KINDS) % STATES;
    const from = Math.floor(code / KINDS / STATES);
    const other = () => graph.candidates[graph.bestWho[from * width + moment]!]!;
    const therapist = kind === KIND.nobody ? NOBODY : kind === KIND.own ? part.booked : other();
    pieces.push({ therapist, from: part.from + from, to: part.from + moment });
    moment = from;
    state = before;
  }
  return pieces.reverse();
}

/**
 * For each candidate, finds the cheapest pattern in which they have a piece. Returns the patterns that cost less than
 * `limit`, cheapest first and at most `most`.
 */
export function cheapPatterns(graph: PricingGraph, limit: number, most: number): PlanPiece[][] {
  const { width, candidates } = graph;
  graph.runBehind();
  const best = candidates.map(() => ({ cost: FAR, from: 0, to: 0, state: 0 }));
  graph.eachOther((c, from, to, cost) => {
    const seen = best[c];
    if (!seen) return;
    for (let s = 0; s < STATES; s++) {
      const next = AFTER_OTHER[s]!;
      if (next < 0) continue;
      const total =
        graph.ahead[s * width + from]! + cost + (from > 0 ? graph.change : 0) + graph.behind[next * width + to]!;
      if (total < seen.cost) Object.assign(seen, { cost: total, from, to, state: s });
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
        { therapist: candidates[b.c]!, from: graph.part.from + b.from, to: graph.part.from + b.to },
        ...readFrom(graph, b.to, AFTER_OTHER[b.state]!),
      ]),
    );
}

/** Follows the stored costs from a node to the end of the part, and returns the cheapest pieces on the way. */
function readFrom(graph: PricingGraph, moment: number, state: number): PlanPiece[] {
  const { part, length, width, nodes, behind } = graph;
  const pieces: PlanPiece[] = [];
  while (moment < length) {
    const left = behind[state * width + moment]! - (moment > 0 ? graph.change : 0);
    let next: { therapist: number; to: number; state: number; off: number } = {
      therapist: NOBODY,
      to: length,
      state,
      off: FAR,
    };
    const consider = (therapist: number, to: number, after: number, cost: number) => {
      const off = Math.abs(cost + behind[after * width + to]! - left);
      if (off < next.off) next = { therapist, to, state: after, off };
    };
    for (const to of nodes) {
      if (to <= moment) continue;
      consider(NOBODY, to, state, graph.nobodyCost(moment, to));
      const at = moment * width + to;
      const other = AFTER_OTHER[state]!;
      const own = AFTER_OWN[state]!;
      if (other >= 0 && graph.bestOther[at]! < FAR)
        consider(graph.candidates[graph.bestWho[at]!]!, to, other, graph.bestOther[at]!);
      if (own >= 0 && graph.bestOwn[at]! < FAR) consider(part.booked, to, own, graph.bestOwn[at]!);
    }
    pieces.push({ therapist: next.therapist, from: part.from + moment, to: part.from + next.to });
    moment = next.to;
    state = next.state;
  }
  return pieces;
}

/** A limit on the slots of a pattern that have no therapist, or the same person as in an earlier option. */
export interface Cap {
  /** The therapist in the earlier option, at [part × 48 + slot]; null to count slots without a therapist. */
  readonly who: Int32Array | null;
  /** What each counted slot adds to the sum. */
  readonly each: number;
  readonly most: number;
}

/** How much a piece adds to a capped sum. */
function counted({ who, each }: Cap, part: number, person: number, from: number, to: number): number {
  if (!who) return person === NOBODY ? each * (to - from) : 0;
  let n = 0;
  for (let k = from; k < to; k++) if (who[part * SLOTS + k] === person) n += each;
  return n;
}

/** Calls `visit` for every piece that is part of a pattern with a reduced cost of at most `limit`. */
export function eachArc(graph: PricingGraph, limit: number, visit: (arc: Arc) => void): void {
  const { part, width, nodes, ahead, behind } = graph;
  graph.runBehind();
  const consider = (kind: number, who: number, from: number, to: number, alone: number) => {
    const cost = alone + (from > 0 ? graph.change : 0);
    const after = AFTER[kind]!;
    let best = FAR;
    for (let s = 0; s < STATES; s++) {
      const next = after[s]!;
      if (next >= 0) best = Math.min(best, ahead[s * width + from]! + behind[next * width + to]!);
    }
    if (best + cost <= limit) visit({ kind, who, from, to, cost });
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

/**
 * Lists every pattern whose reduced cost is at most `limit` (at the prices last passed to `price`) and that stays
 * within the caps; null when there are more than `most`.
 */
export function enumeratePatterns(
  graph: PricingGraph,
  limit: number,
  most: number,
  caps: readonly Cap[] = [],
): PlanPiece[][] | null {
  const { part, length, width } = graph;
  const arcs: Arc[][] = Array.from({ length: width }, () => []);
  eachArc(graph, limit, (arc) => arcs[arc.from]?.push(arc));
  const found: PlanPiece[][] = [];
  const pattern: PlanPiece[] = [];
  const used = caps.map(() => 0);
  const fits = (arc: Arc, sign: 1 | -1): boolean => {
    let fit = true;
    caps.forEach((cap, i) => {
      const n = counted(cap, part.index, arc.who, part.from + arc.from, part.from + arc.to);
      used[i]! += sign * n;
      if (used[i]! > cap.most + 1e-6) fit = false;
    });
    return fit;
  };
  const walk = (moment: number, state: number, spent: number): boolean => {
    if (moment === length) {
      found.push([...pattern]);
      return found.length <= most;
    }
    for (const arc of arcs[moment] ?? []) {
      const next = AFTER[arc.kind]![state]!;
      if (next < 0 || spent + arc.cost + graph.behind[next * width + arc.to]! > limit) continue;
      // Leaves out patterns in which a person has two pieces, since the person would be charged twice here. Such
      // patterns are listed below.
      if (
        arc.kind === KIND.other ? pattern.some((p) => p.therapist === arc.who) : pattern.at(-1)?.therapist === arc.who
      )
        continue;
      pattern.push({ therapist: arc.who, from: part.from + moment, to: part.from + arc.to });
      const going = (caps.length > 0 && !fits(arc, 1)) || walk(arc.to, next, spent + arc.cost);
      pattern.pop();
      if (caps.length > 0) fits(arc, -1);
      if (!going) return false;
    }
    return true;
  };
  if (!walk(0, 0, 0)) return null;
  eachTwice(
    graph,
    () => limit,
    false,
    (pieces) => {
      const counts = caps.map((cap) =>
        pieces.reduce((n, p) => n + counted(cap, part.index, p.therapist, p.from, p.to), 0),
      );
      if (counts.every((n, i) => n <= caps[i]!.most + 1e-6)) found.push([...pieces]);
    },
  );
  return found.length <= most ? found : null;
}
