/**
 * The insertion heuristic (*From bound to proof*, step 1, in docs/cover-engine.md). It builds a plan by taking parts
 * out and putting them back one at a time, each with the pattern that is cheapest while all others stay. It moves
 * unaffected sessions out of the way where that makes the plan cheaper. The result is a legal plan whenever `holds()`
 * is true. The file is over 250 lines because inserting, moving and rounding share one state.
 */
import type { Part, Plan, PlanPiece } from '../model.ts';
import { emptyPlan, NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import type { Column } from './column.ts';
import { moveColumn } from './columns.ts';
import { chargeCost, planCost, type Objective } from './objective.ts';
import { isShared } from './instance.ts';
import { columnCost } from './rows.ts';
import { slotsInTheWay, type InTheWay } from './in-the-way.ts';
import type { PricingGraph } from './pricing-graph.ts';
import { cheapestPattern } from './enumerate-patterns.ts';
import type { Prices } from './prices.ts';
import { FAR, layLengths, lunchRoom, noPrices } from './prices.ts';

interface Move {
  readonly target: number;
  readonly cost: number;
}

export class Insertion {
  readonly objective: Objective;
  private readonly graphs: readonly PricingGraph[];
  /** The pattern of each open part. */
  patterns: (readonly PlanPiece[])[];
  /** The therapist to whom each movable part moves; NOBODY if it stays. */
  moves: Int32Array;
  private readonly busy: Uint8Array;
  /** For each therapist: how many lunch slots the patterns and moves take. */
  private readonly lunchWork: Int32Array;
  private readonly prices: Prices;
  private readonly memo: (Move | null | undefined)[];
  /** For each movable part, its moves, cheapest first: the points, and the charges that others can cause too. */
  private readonly moveColumns: readonly (readonly {
    readonly target: number;
    readonly cost: number;
    readonly shared: readonly number[];
  }[])[];
  /** How many pieces and moves cause each charge. */
  private readonly charged: Int32Array;
  /** How many slots of others' work each therapist has. */
  private readonly given: Int32Array;
  /** The points of each charge that several groups can cause; 0 for the others. */
  private readonly chargeCosts: Float64Array;
  /** For each open part whose price was asked: the sessions in its way. */
  private readonly ways: InTheWay[][] = [];
  /** For each therapist: the slots of others' work for which `prices.lengths` holds their prices; -1 at first. */
  private readonly laid: Int32Array;

  constructor(objective: Objective, graphs: readonly PricingGraph[]) {
    const { instance } = objective;
    this.objective = objective;
    this.graphs = graphs;
    this.patterns = instance.open.map((part) => [{ therapist: NOBODY, from: part.from, to: part.to }]);
    this.moves = new Int32Array(instance.movable.length).fill(NOBODY);
    this.busy = new Uint8Array(instance.hard.length);
    this.lunchWork = new Int32Array(instance.model.therapists.length);
    this.prices = noPrices(instance);
    this.memo = new Array<Move | null | undefined>(instance.movable.length);
    this.charged = new Int32Array(instance.charges.length);
    this.given = new Int32Array(instance.model.therapists.length);
    this.chargeCosts = Float64Array.from(instance.charges, (charge, id) =>
      isShared(charge) ? chargeCost(instance, objective.weights, id) : 0,
    );
    this.laid = new Int32Array(instance.model.therapists.length).fill(-1);
    this.moveColumns = instance.movable.map((m, i) =>
      m.targets
        .map((target) => {
          const column = moveColumn(instance, i, target);
          return { target, cost: columnCost(objective, column, 0), shared: column.shared };
        })
        .sort((a, b) => a.cost - b.cost),
    );
  }

  /**
   * Moves away the sessions that are booked at the times of pinned pieces. Returns false if such a session has nowhere
   * to go yet, or if a therapist exceeds their cap.
   */
  begin(): boolean {
    this.recount();
    this.objective.instance.movable.forEach((m, i) => {
      if (!m.must || this.moves[i] !== NOBODY) return;
      this.memo.fill(undefined);
      this.countGiven();
      const move = this.bestMove(i);
      if (move) this.setMove(i, move.target);
    });
    return this.holds();
  }

  /** Whether every session that must move has moved, and no therapist exceeds their cap. */
  holds(): boolean {
    const { capRoom, movable } = this.objective.instance;
    return (
      movable.every((m, i) => !m.must || this.moves[i] !== NOBODY) &&
      this.countGiven().every((n, t) => n <= capRoom[t]!)
    );
  }

  /**
   * Starts from a relaxed solution, which chooses patterns and moves only in part. If a part's moves together have a
   * share of at least one half, the part moves. If a pattern has a share above one half and still fits, the pattern is
   * kept. The other parts are inserted in the order of their shares.
   */
  round(columns: readonly Column[], values: Float64Array): void {
    const { open, movable } = this.objective.instance;
    this.patterns = open.map((part) => [{ therapist: NOBODY, from: part.from, to: part.to }]);
    this.moves.fill(NOBODY);
    this.recount();
    const chosen = columns
      .map((column, j) => ({ column, value: values[j]! }))
      .filter(({ column, value }) => value > 1e-6 && (column.kind === 'pattern' || column.kind === 'move'))
      .sort((a, b) => b.value - a.value);
    const moving = new Float64Array(movable.length);
    for (const { column, value } of chosen) if (column.kind === 'move') moving[column.owner]! += value;
    // Make all of the chosen moves first, because one move may need time that another frees.
    for (const { column } of chosen) {
      const target = column.pieces[0]?.therapist ?? NOBODY;
      if (column.kind !== 'move' || moving[column.owner]! < 0.5 || this.moves[column.owner] !== NOBODY) continue;
      if (!column.uses.some((at) => this.busy[at])) this.setMove(column.owner, target);
    }
    this.settleMoves();
    const placed = new Set<number>();
    const rest: number[] = [];
    for (const { column, value } of chosen) {
      if (column.kind !== 'pattern' || placed.has(column.owner)) continue;
      placed.add(column.owner);
      const fits =
        value > 0.5 && column.pieces.every((p) => p.therapist === NOBODY || this.isFree(p.therapist, p.from, p.to));
      if (!fits) rest.push(column.owner);
      else {
        this.patterns[column.owner] = column.pieces;
        for (const p of column.pieces) this.occupy(p.therapist, p.from, p.to, 1);
      }
    }
    for (const i of rest) this.insert(i, true);
    this.remove([]);
  }

  /** Undoes each move that clashes with a session of its new therapist, until the remaining moves are consistent. */
  private settleMoves(): void {
    const { movable, stays } = this.objective.instance;
    for (let again = true; again;) {
      again = false;
      movable.forEach((m, i) => {
        const target = this.moves[i]!;
        if (target === NOBODY) return;
        for (let at = target * SLOTS + m.part.from; at < target * SLOTS + m.part.to; at++) {
          if (!stays[at]?.some((p) => this.moves[this.stayIndex(p)] === NOBODY)) continue;
          this.setMove(i, NOBODY);
          again = true;
          return;
        }
      });
    }
    this.begin();
  }

  /** Goes back to patterns and moves that were saved earlier. */
  restore(patterns: readonly (readonly PlanPiece[])[], moves: Int32Array): void {
    this.patterns = [...patterns];
    this.moves.set(moves);
    this.recount();
  }

  plan(): Plan {
    const { instance } = this.objective;
    const plan: PlanPiece[][] = emptyPlan(instance.model);
    for (const { part, pieces } of instance.fixed) plan[part.index] = [...pieces];
    instance.open.forEach((part, i) => (plan[part.index] = [...(this.patterns[i] ?? [])]));
    instance.movable.forEach((m, i) => {
      const therapist = this.moves[i] ?? NOBODY;
      if (therapist !== NOBODY) plan[m.part.index] = [{ therapist, from: m.part.from, to: m.part.to }];
    });
    return plan;
  }

  cost(): number {
    return planCost(this.objective, this.plan());
  }

  private recount(): void {
    const { instance } = this.objective;
    this.busy.fill(0);
    this.lunchWork.fill(0);
    for (const pattern of this.patterns) for (const p of pattern) this.occupy(p.therapist, p.from, p.to, 1);
    instance.movable.forEach((m, i) => this.occupy(this.moves[i] ?? NOBODY, m.part.from, m.part.to, 1));
  }

  private occupy(therapist: number, from: number, to: number, value: 0 | 1): void {
    if (therapist === NOBODY) return;
    const { lunchSlot } = this.objective.instance;
    for (let at = therapist * SLOTS + from; at < therapist * SLOTS + to; at++) {
      if (this.busy[at] === value) continue;
      this.busy[at] = value;
      if (lunchSlot[at]) this.lunchWork[therapist]! += value ? 1 : -1;
    }
  }

  private setMove(i: number, target: number): void {
    const part = this.objective.instance.movable[i]?.part;
    if (!part) return;
    this.occupy(this.moves[i] ?? NOBODY, part.from, part.to, 0);
    this.moves[i] = target;
    this.occupy(target, part.from, part.to, 1);
  }

  private stayIndex(partIndex: number): number {
    return this.objective.instance.movableOf[partIndex] ?? -1;
  }

  /** Whether a therapist can take a piece at this time without any session having to move. */
  private isFree(therapist: number, from: number, to: number): boolean {
    const { hard, stays } = this.objective.instance;
    for (let at = therapist * SLOTS + from; at < therapist * SLOTS + to; at++) {
      if (hard[at] || this.busy[at]) return false;
      if (stays[at]?.some((p) => this.moves[this.stayIndex(p)] === NOBODY)) return false;
    }
    return true;
  }

  /** Finds the cheapest move that a movable part could make now; null if there is none. */
  private bestMove(i: number): Move | null {
    const known = this.memo[i];
    if (known !== undefined) return known;
    const { instance } = this.objective;
    const part = instance.movable[i]!.part;
    let best: Move | null = null;
    for (const { target, cost: base, shared } of this.moveColumns[i] ?? []) {
      if (best && base >= best.cost) break;
      if (this.given[target]! + part.to - part.from > instance.capRoom[target]!) continue;
      if (!this.isFree(target, part.from, part.to)) continue;
      let cost = base;
      for (const id of shared) if (!this.charged[id]) cost += this.chargeCosts[id]!;
      if (!best || cost < best.cost) best = { target, cost };
    }
    return (this.memo[i] = best);
  }

  /** Takes parts out of the plan; sessions that had moved only to make room for these parts go back. */
  remove(indices: readonly number[]): void {
    const { instance } = this.objective;
    for (const i of indices) {
      const part = instance.open[i] as Part;
      for (const p of this.patterns[i] ?? []) this.occupy(p.therapist, p.from, p.to, 0);
      this.patterns[i] = [{ therapist: NOBODY, from: part.from, to: part.to }];
    }
    for (let again = true; again;) {
      again = false;
      instance.movable.forEach((m, i) => {
        if (m.must || this.moves[i] === NOBODY) return;
        for (let k = m.part.from; k < m.part.to; k++) if (this.busy[m.part.booked * SLOTS + k]) return;
        this.setMove(i, NOBODY);
        again = true;
      });
    }
  }

  /**
   * Puts a part back with its cheapest pattern. With `mayMove`, sessions in the way may move. If one of them has
   * nowhere to go, the part is put back without further moves.
   */
  insert(i: number, mayMove: boolean): void {
    const graph = this.graphs[i] as PricingGraph;
    const part = graph.part;
    this.memo.fill(undefined);
    this.layPrices(part, graph, i);
    this.layMoves(graph, i, mayMove);
    graph.price(this.prices);
    const pattern = cheapestPattern(graph);
    graph.startExtra.fill(0);
    graph.enterExtra.fill(0);
    this.patterns[i] = pattern;
    for (const p of pattern) this.occupy(p.therapist, p.from, p.to, 1);
    if (this.clearPattern(pattern)) return;
    for (const p of pattern) this.occupy(p.therapist, p.from, p.to, 0);
    this.patterns[i] = [{ therapist: NOBODY, from: part.from, to: part.to }];
    this.remove([]);
    this.insert(i, false);
  }

  /** Moves the sessions that are in the way of an inserted pattern; returns false if one of them has nowhere to go. */
  private clearPattern(pattern: readonly PlanPiece[]): boolean {
    const { stays } = this.objective.instance;
    for (const p of pattern) {
      if (p.therapist === NOBODY) continue;
      for (let at = p.therapist * SLOTS + p.from; at < p.therapist * SLOTS + p.to; at++)
        for (const stay of stays[at] ?? []) {
          const m = this.stayIndex(stay);
          if (this.moves[m] !== NOBODY) continue;
          this.memo[m] = undefined;
          this.countGiven();
          const move = this.bestMove(m);
          if (!move) return false;
          this.setMove(m, move.target);
        }
    }
    return true;
  }

  private layPrices(part: Part, graph: PricingGraph, index: number): void {
    const { instance, weights } = this.objective;
    const { slots, lengths, lunchExcess, mostGiven, persons } = this.prices;
    const { charged, laid } = this;
    const given = this.countGiven();
    // The graph reads only the prices of people who may serve its part.
    for (const t of part.booked === NOBODY ? graph.candidates : [...graph.candidates, part.booked]) {
      const row = t * SLOTS;
      mostGiven[t] = instance.capRoom[t]! - given[t]!;
      if (laid[t] !== given[t]) layLengths(instance, weights, lengths, t, (laid[t] = given[t]!));
      lunchExcess[t] = weights.lunch;
      this.prices.lunchRoom[t] = Math.max(0, lunchRoom(instance, t) - this.lunchWork[t]!);
      for (let k = part.from; k < part.to; k++) slots[row + k] = this.busy[row + k] ? FAR : 0;
    }
    for (const t of graph.candidates) {
      const at = index * instance.model.therapists.length + t;
      persons[at] = 0;
      for (const id of instance.chargesOf[at] ?? []) if (!charged[id]) persons[at] += this.chargeCosts[id]!;
    }
  }

  /** Counts each therapist's slots of others' work, and the charges that the plan causes. */
  private countGiven(): Int32Array {
    const { instance } = this.objective;
    const { given, charged } = this;
    const { length } = instance.model.therapists;
    given.fill(0);
    charged.fill(0);
    const touch = (ids: readonly number[] | undefined) => {
      for (const id of ids ?? []) charged[id]! += 1;
    };
    this.patterns.forEach((pattern, i) => {
      for (const p of pattern) {
        if (p.therapist === NOBODY || p.therapist === instance.open[i]?.booked) continue;
        given[p.therapist]! += p.to - p.from;
        touch(instance.chargesOf[i * length + p.therapist]);
      }
    });
    instance.movable.forEach(({ part }, i) => {
      const target = this.moves[i]!;
      if (target === NOBODY) return;
      given[target]! += part.to - part.from;
      touch(instance.chargesOf[(instance.open.length + i) * length + target]);
      touch(instance.chargesOfMove[i]);
    });
    return given;
  }

  /** Raises the price of time that a movable session occupies, by the cost of moving that session away. */
  private layMoves(graph: PricingGraph, index: number, mayMove: boolean): void {
    const { startExtra, enterExtra } = graph;
    const ways = (this.ways[index] ??= slotsInTheWay(this.objective.instance, graph));
    for (const { at, movable, cell, begins } of ways) {
      if (this.moves[movable] !== NOBODY) continue;
      if (cell < 0) this.prices.slots[at] = FAR;
      else {
        const cost = mayMove ? (this.bestMove(movable)?.cost ?? FAR) : FAR;
        startExtra[cell]! += cost;
        if (begins) enterExtra[cell]! += cost;
      }
    }
  }
}
