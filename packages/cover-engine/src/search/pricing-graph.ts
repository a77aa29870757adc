// This file is over 250 lines because building a part's graph and finding its cheapest columns share the same arrays.
/**
 * The pricing subproblem of one open part (*From bound to proof*, step 2, in docs/cover-engine.md): all patterns of the
 * part as paths through a graph. A node is a moment, and how many pieces substitutes and the booked therapist have had
 * by then (rule 4: 2 × substitutes + own ≤ 4, own ≤ 2); an arc is a piece. With additive slot prices, dynamic
 * programming finds the cheapest path in a few thousand steps. Times here are offsets from the part's start.
 * NOTE: rule 4 also demands different people in neighboring pieces. The graph does not check this, since joining two
 * pieces of the same person saves a change and breaks no rule. Only prices that charge a piece's slots beyond an
 * allowance (`room`) can make two halves look cheaper than the whole; then `apart.ts` finds the cheapest pattern.
 * Elsewhere such pieces are joined when a pattern is read from a path, and `enumeratePatterns` leaves out patterns with
 * such pieces.
 */
import { HALF_HOUR } from '../limits.ts';
import type { Part, PlanPiece } from '../model.ts';
import { NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { TERMS, type Weights } from '../terms.ts';
import { cheapestApart, hasHalves } from './apart.ts';
import type { PersonDecision } from './branching.ts';
import type { Objective } from './objective.ts';
import { bcbaUnits, handoverCost, mustPoints, openPieceCost, openSlotCost, pieceCost, slotCost } from './objective.ts';
import type { Instance } from './instance.ts';
import { isShared } from './instance.ts';
import { layOut, type PieceLayout } from './piece-layout.ts';
import { AFTER_OTHER, AFTER_OWN, KIND, KINDS, nodeOf, STATES } from './piece-states.ts';
import type { Prices } from './prices.ts';
import { FAR, LENGTHS, noPrices } from './prices.ts';
import { chargeCost } from './rows.ts';
import { cheapestTwice } from './two-pieces.ts';

export class PricingGraph {
  readonly part: Part;
  readonly length: number;
  readonly width: number;
  readonly direct: boolean;
  private readonly layout: PieceLayout;
  readonly candidates: readonly number[];
  readonly nodes: readonly number[];
  /** The layout's `ok` and `ownOk`, without the pieces that the branching decisions forbid. */
  private readonly ok: Uint8Array;
  private readonly ownOk: Uint8Array;
  /** For each moment: how many earlier slots must have a therapist because of the decisions. */
  private readonly mayNot: Int32Array;
  /** At [candidate × length + slot]: the points, at the objective's weights, if the candidate has that slot. */
  private cost: Float64Array;
  prices: Prices;
  private uncovered = 0;
  /** How many units of `uncovered` a limit counts for one slot without a therapist. */
  private readonly leftUncovered: number;
  /** For each slot: the extra points if it stays uncovered although it must have a therapist. */
  private readonly must: Float64Array;
  change = 0;
  private handover = 0;
  /**
   * At [from × width + to]: the points of a piece as a whole, for a piece with a substitute and for one without a
   * therapist.
   */
  private readonly pieceCosts: Float64Array;
  private readonly openPieceCosts: Float64Array;
  /**
   * The lowest cost of a piece without a therapist between two other pieces, before the points of its slots are added.
   */
  private leastGap = 0;
  /** Reduced costs at the prices last passed to `price`. */
  private readonly red: Float64Array;
  private readonly ownRed: Float64Array;
  private readonly nobodySum: Float64Array;
  /**
   * At [candidate × length + slot]: the cost of first moving away another session of the candidate. `startExtra`
   * applies when a piece starts during that session, `enterExtra` when a piece begins earlier and reaches into it.
   */
  readonly startExtra: Float64Array;
  readonly enterExtra: Float64Array;
  /**
   * For each candidate: the cost that is charged once, however many pieces they get. `persons`: at the current prices.
   * `personCost`: in points. `personUnits`: in units of limited terms.
   */
  readonly persons: Float64Array;
  private readonly personCost: Float64Array;
  private readonly personUnits: { readonly call: Int32Array; readonly face: Int32Array; readonly bcba: Int32Array };
  /**
   * The cheapest pattern if the cheapest path is another one: a path may have two adjoining pieces of one person, which
   * no pattern has, and it charges a person with two pieces twice.
   */
  instead: readonly PlanPiece[] | null = null;
  /** For each candidate: the lowest reduced cost of any of their pieces. */
  readonly cheapest: Float64Array;
  private readonly group: number;
  private readonly instance: Instance;
  readonly bestOther: Float64Array;
  readonly bestWho: Int32Array;
  readonly bestOwn: Float64Array;
  readonly ahead: Float64Array;
  readonly aheadFrom: Int32Array;
  readonly behind: Float64Array;

  constructor(instance: Instance, part: Part, group: number) {
    this.instance = instance;
    this.group = group;
    this.part = part;
    this.prices = noPrices(instance);
    this.leftUncovered = TERMS.uncovered.of(part);
    this.must = Float64Array.from({ length: part.to - part.from }, (_, k) => mustPoints(instance, part, part.from + k));
    this.direct = part.session.service === 'direct';
    const length = (this.length = part.to - part.from);
    const width = (this.width = length + 1);
    this.layout = layOut(instance, part);
    const { candidates } = this.layout;
    this.candidates = candidates;
    this.nodes = this.layout.nodes;
    this.ok = this.layout.ok.slice();
    this.ownOk = this.layout.ownOk.slice();
    this.mayNot = new Int32Array(width);
    this.pieceCosts = new Float64Array(width * width);
    this.openPieceCosts = new Float64Array(width * width);
    this.persons = new Float64Array(candidates.length);
    this.cheapest = new Float64Array(candidates.length);
    this.personCost = new Float64Array(candidates.length);
    const unitsOf = (term: 'call' | 'face') =>
      Int32Array.from(candidates, (t) =>
        this.ownCharges(t).reduce(
          (n, id) => n + (instance.charges[id]!.term === term ? instance.charges[id]!.units : 0),
          0,
        ),
      );
    this.personUnits = {
      call: unitsOf('call'),
      face: unitsOf('face'),
      bcba: Int32Array.from(candidates, (t) => bcbaUnits(instance, part, t)),
    };
    this.cost = new Float64Array(candidates.length * length);
    this.red = new Float64Array(candidates.length * length);
    this.startExtra = new Float64Array(candidates.length * length);
    this.enterExtra = new Float64Array(candidates.length * length);
    this.ownRed = new Float64Array(length);
    this.nobodySum = new Float64Array(width);
    this.bestOther = new Float64Array(width * width);
    this.bestWho = new Int32Array(width * width);
    this.bestOwn = new Float64Array(width * width);
    this.ahead = new Float64Array(STATES * width);
    this.aheadFrom = new Int32Array(STATES * width);
    this.behind = new Float64Array(STATES * width);
  }

  /** For each candidate: the charges that no other group can cause, so that the candidate's own pieces pay for them. */
  private ownCharges(t: number): number[] {
    const { instance } = this;
    const ids = instance.chargesOf[this.group * instance.model.therapists.length + t] ?? [];
    return ids.filter((id) => !isShared(instance.charges[id]!));
  }

  /** Switches to an objective's weights. */
  weigh({ instance, weights }: Objective): void {
    const { part, length } = this;
    this.uncovered = openSlotCost(weights, part);
    this.handover = handoverCost(weights);
    this.weighPieces(weights);
    this.candidates.forEach((t, c) => {
      this.personCost[c] = this.ownCharges(t).reduce((n, id) => n + chargeCost(instance, weights, id), 0);
      for (let k = 0; k < length; k++) this.cost[c * length + k] = slotCost(instance, weights, part, t, part.from + k);
    });
  }

  private weighPieces(weights: Weights): void {
    const { part, length, width } = this;
    let leastGap = FAR;
    for (let from = 0; from < length; from++)
      for (let to = from + 1; to <= length; to++) {
        const open = openPieceCost(weights, part, part.from + from, part.from + to);
        this.openPieceCosts[from * width + to] = open;
        this.pieceCosts[from * width + to] = pieceCost(weights, part, part.from + from, part.from + to);
        if (from > 0 && to < length) leastGap = Math.min(leastGap, open);
      }
    this.leastGap = leastGap;
  }

  /** Allows only the patterns that follow these decisions; all patterns when there are none. */
  decide(decisions: readonly PersonDecision[]): void {
    const { part, length, candidates } = this;
    this.ok.set(this.layout.ok);
    this.ownOk.set(this.layout.ownOk);
    const barred = new Uint8Array(length);
    for (const { slot, therapist, has } of decisions) {
      const k = slot - part.from;
      candidates.forEach((t, c) => {
        if ((t === therapist) !== has) this.ok[c * length + k] = 0;
      });
      if ((part.booked !== NOBODY && part.booked === therapist) !== has) this.ownOk[k] = 0;
      if ((therapist === NOBODY) !== has) barred[k] = 1;
    }
    for (let k = 0; k < length; k++) this.mayNot[k + 1] = this.mayNot[k]! + barred[k]!;
  }

  /** Excludes all patterns that cause this charge. */
  bar(charge: number): void {
    const { instance, length } = this;
    this.candidates.forEach((t, c) => {
      if (instance.chargesOf[this.group * instance.model.therapists.length + t]?.includes(charge))
        this.ok.fill(0, c * length, (c + 1) * length);
    });
  }

  /** The reduced cost of the cheapest pattern at these prices; `cheapestPattern` returns the pattern. */
  price(prices: Prices): number {
    this.prices = prices;
    const { part, length, candidates } = this;
    const { slots, limits } = prices;
    this.change = this.handover + limits.change;
    for (let c = 0; c < candidates.length; c++) {
      const t = candidates[c]!;
      const row = t * SLOTS + part.from;
      const { call, face, bcba } = this.personUnits;
      const extra = limits.bcba * bcba[c]!;
      this.persons[c] =
        this.personCost[c]! +
        prices.persons[this.group * this.instance.model.therapists.length + t]! +
        limits.call * call[c]! +
        limits.face * face[c]!;
      for (let k = 0; k < length; k++) this.red[c * length + k] = this.cost[c * length + k]! + extra + slots[row + k]!;
    }
    for (let k = 0; k < length; k++) {
      this.ownRed[k] = part.booked === NOBODY ? 0 : slots[part.booked * SLOTS + part.from + k]!;
      this.nobodySum[k + 1] =
        this.nobodySum[k]! + this.uncovered + this.must[k]! + this.leftUncovered * limits.uncovered;
    }
    for (const likeness of prices.likenesses) this.addLikeness(likeness.who, likeness.price);
    this.findBestPieces();
    const least = this.runAhead();
    const apart = least < FAR && hasHalves(this, least) ? cheapestApart(this) : null;
    this.instead = apart?.pieces ?? null;
    return this.withTwice(apart?.cost ?? least);
  }

  /** Adds a price to each slot that would have the same person as in an earlier option. */
  private addLikeness(who: Int32Array, price: number): void {
    if (price === 0) return;
    const { part, length, candidates } = this;
    let nobody = 0;
    for (let k = 0; k < length; k++) {
      const person = who[part.index * SLOTS + part.from + k]!;
      if (person === NOBODY) nobody += price;
      else if (person === part.booked) this.ownRed[k]! += price;
      else {
        const c = candidates.indexOf(person);
        if (c >= 0) this.red[c * length + k]! += price;
      }
      this.nobodySum[k + 1]! += nobody;
    }
  }

  /** Calls `visit` for each possible piece of a substitute, with its reduced cost except for the handover before it. */
  eachOther(visit: (c: number, from: number, to: number, cost: number) => void): void {
    for (let c = 0; c < this.candidates.length; c++) this.eachOf(c, visit);
  }

  /** Like `eachOther`, but only for the pieces of one candidate. */
  eachOf(c: number, visit: (c: number, from: number, to: number, cost: number) => void): void {
    const { length, width, prices, pieceCosts } = this;
    const { starts, ends, lunch: lunchSlots } = this.layout;
    const t = this.candidates[c]!;
    const lunchExcess = prices.lunchExcess[t]!;
    const lunchRoom = prices.lunchRoom[t]!;
    const most = prices.mostGiven[t]!;
    const person = this.persons[c]!;
    for (let from = 0; from < length; from++) {
      if (!starts[c * width + from] || !this.ok[c * length + from]) continue;
      let sum = this.startExtra[c * length + from]! + person;
      let lunch = 0;
      for (let k = from; k < length && this.ok[c * length + k]; k++) {
        sum += this.red[c * length + k]!;
        if (k > from) sum += this.enterExtra[c * length + k]!;
        if (sum >= FAR) break;
        const n = k + 1 - from;
        if (lunchSlots[c * length + k] && ++lunch > lunchRoom) sum += lunchExcess;
        if (n > most) break;
        if (!ends[c * width + k + 1]) continue;
        if (n < HALF_HOUR && n < length) continue;
        visit(c, from, k + 1, sum + prices.lengths[t * LENGTHS + n]! + pieceCosts[from * width + k + 1]!);
      }
    }
  }

  /**
   * Looks for a pattern cheaper than `least` in which one person has two pieces. Returns its cost, or `least` if there
   * is none.
   */
  private withTwice(least: number): number {
    const found = cheapestTwice(this, least);
    if (found) this.instead = found.pieces;
    return found?.cost ?? least;
  }

  private findBestPieces(): void {
    const { length, width, bestOther, bestWho, bestOwn } = this;
    const { ownMarks, ownLunch } = this.layout;
    bestOther.fill(FAR);
    bestOwn.fill(FAR);
    this.cheapest.fill(FAR);
    this.eachOther((c, from, to, cost) => {
      if (cost < this.cheapest[c]!) this.cheapest[c] = cost;
      const at = from * width + to;
      if (cost >= bestOther[at]!) return;
      bestOther[at] = cost;
      bestWho[at] = c;
    });
    for (let from = 0; from < length; from++) {
      if (!ownMarks[from]) continue;
      let sum = 0;
      let lunch = 0;
      for (let k = from; k < length && this.ownOk[k]; k++) {
        sum += this.ownRed[k]!;
        if (ownLunch[k] && ++lunch > this.prices.lunchRoom[this.part.booked]!)
          sum += this.prices.lunchExcess[this.part.booked]!;
        if (ownMarks[k + 1]) bestOwn[from * width + k + 1] = sum;
      }
    }
  }

  /** A lower bound on the cost of the time without a therapist between two pieces. */
  leastBetween(): number {
    return this.uncovered + this.leftUncovered * this.prices.limits.uncovered + this.leastGap;
  }

  nobodyCost(from: number, to: number): number {
    if (this.mayNot[to]! > this.mayNot[from]!) return FAR;
    return this.nobodySum[to]! - this.nobodySum[from]! + this.openPieceCosts[from * this.width + to]!;
  }

  /**
   * Finds the cheapest path from the start to each node. `aheadFrom` stores, for each node, the previous node on that
   * path and the kind of the piece in between, as one number: node × 3 + kind.
   */
  private runAhead(): number {
    const { length, width, nodes, ahead, aheadFrom } = this;
    ahead.fill(FAR);
    ahead[0] = 0;
    const reach = (state: number, to: number, cost: number, from: number, before: number, kind: number) => {
      if (cost >= ahead[state * width + to]!) return;
      ahead[state * width + to] = cost;
      aheadFrom[state * width + to] = nodeOf(from, before) * KINDS + kind;
    };
    for (let i = 0; i < nodes.length - 1; i++) {
      const from = nodes[i]!;
      const change = from > 0 ? this.change : 0;
      for (let s = 0; s < STATES; s++) {
        const so = ahead[s * width + from]! + change;
        if (so >= FAR) continue;
        const other = AFTER_OTHER[s]!;
        const own = AFTER_OWN[s]!;
        for (let j = i + 1; j < nodes.length; j++) {
          const to = nodes[j]!;
          reach(s, to, so + this.nobodyCost(from, to), from, s, KIND.nobody);
          if (other >= 0) reach(other, to, so + this.bestOther[from * width + to]!, from, s, KIND.other);
          if (own >= 0) reach(own, to, so + this.bestOwn[from * width + to]!, from, s, KIND.own);
        }
      }
    }
    let best = FAR;
    for (let s = 0; s < STATES; s++) best = Math.min(best, ahead[s * width + length]!);
    return best;
  }

  /** Finds the cheapest path from every node to the end. */
  runBehind(): void {
    const { length, width, nodes, behind } = this;
    behind.fill(FAR);
    for (let s = 0; s < STATES; s++) behind[s * width + length] = 0;
    for (let i = nodes.length - 2; i >= 0; i--) {
      const from = nodes[i]!;
      const change = from > 0 ? this.change : 0;
      for (let s = 0; s < STATES; s++) {
        const other = AFTER_OTHER[s]!;
        const own = AFTER_OWN[s]!;
        let best = FAR;
        for (let j = i + 1; j < nodes.length; j++) {
          const to = nodes[j]!;
          best = Math.min(best, this.nobodyCost(from, to) + behind[s * width + to]!);
          if (other >= 0) best = Math.min(best, this.bestOther[from * width + to]! + behind[other * width + to]!);
          if (own >= 0) best = Math.min(best, this.bestOwn[from * width + to]! + behind[own * width + to]!);
        }
        behind[s * width + from] = best + change;
      }
    }
  }
}
