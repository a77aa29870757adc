/**
 * The pricing subproblem of one open part (*From bound to proof*, step 2, in docs/cover-engine.md): all patterns of the
 * part as paths through a graph. A node is a moment and a state (`piece-states.ts`); an arc is a piece. With additive
 * slot prices, dynamic programming finds the cheapest path in a few thousand steps. Times here are offsets from the
 * part's start. A part has at most two substitutes, and they differ: where a second may follow, each node has two
 * labels, the cheapest path to it and the cheapest with another substitute. The file is over 250 lines because building
 * a part's graph and finding its cheapest path share the same arrays.
 */
import { HALF_HOUR, HOUR } from '../limits.ts';
import type { Part } from '../model.ts';
import { NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { TERMS } from '../terms.ts';
import type { Objective } from './objective.ts';
import { bcbaUnits, mustPoints, PRICE_WEIGHTS } from './objective.ts';
import type { Instance } from './instance.ts';
import { isShared } from './instance.ts';
import { layOut, type PieceLayout } from './piece-layout.ts';
import { IS_OPEN, KIND, MAY_REPEAT, RUN, STATES, statesAfter } from './piece-states.ts';
import type { Prices } from './prices.ts';
import { FAR, LENGTHS, noPrices } from './prices.ts';
import { layPoints, mixed, NO_POINTS, type PartPoints } from './part-points.ts';

/** The states whose nodes have a second label, and for each state the place of that label; -1 if it has none. */
const REPEATING = [...MAY_REPEAT.keys()].filter((state) => MAY_REPEAT[state]);
const SECOND = Int8Array.from(MAY_REPEAT, (may, state) => (may ? STATES + REPEATING.indexOf(state) : -1));
const LABELS = STATES + REPEATING.length;
/** The state of each label. */
const STATE = Int8Array.from({ length: LABELS }, (_, label) => (label < STATES ? label : REPEATING[label - STATES]!));

const AFTER_NOBODY = statesAfter(KIND.nobody, 1);
/** In a label's origin, this kind stands for the second best substitute of a piece. */
const ANOTHER = 3;
const KINDS = 4;

/** The last piece of the cheapest path to a label, and the label before it. */
export interface Step {
  readonly therapist: number;
  readonly from: number;
  readonly before: number;
}

export class PricingGraph {
  readonly part: Part;
  readonly length: number;
  readonly width: number;
  private readonly layout: PieceLayout;
  readonly candidates: readonly number[];
  readonly nodes: readonly number[];
  prices: Prices;
  /** The points of the part's pieces: at the objective's weights, as they count in the price, and at present prices. */
  private weighed: PartPoints;
  private priced: PartPoints | null = null;
  private points: PartPoints;
  /** For each slot: the extra points if it stays uncovered although it must have a therapist. */
  private readonly must: Float64Array;
  /** How many units of limited terms there are: in one slot without a therapist, … */
  private readonly leftUncovered: number;
  /** … at [from × width + to] in a piece without a therapist, and at [length × width + end] in a stretch of care. */
  private readonly gaps: Uint8Array;
  private readonly stubs: Uint8Array;
  change = 0;
  /** Reduced costs at the prices last passed to `price`. */
  private readonly red: Float64Array;
  private readonly ownRed: Float64Array;
  private readonly nobodySum: Float64Array;
  private readonly gapCosts: Float64Array;
  /** At [length × width + end]: the reduced cost of a stretch of care, if it is short. */
  private readonly stretchCosts: Float64Array;
  /**
   * At [candidate × length + slot]: the cost of first moving away another session of the candidate. `startExtra`
   * applies when a piece starts during that session, `enterExtra` when a piece begins earlier and reaches into it.
   */
  readonly startExtra: Float64Array;
  readonly enterExtra: Float64Array;
  /** For each candidate: the cost of their piece, whatever its times, at the current prices. */
  private readonly persons: Float64Array;
  private readonly personUnits: { readonly call: Int32Array; readonly face: Int32Array; readonly bcba: Int32Array };
  private readonly group: number;
  private readonly instance: Instance;
  /** At [from × width + to]: the cheapest piece and its substitute, and the cheapest of another substitute. */
  readonly bestOther: Float64Array;
  readonly bestWho: Int32Array;
  private readonly nextOther: Float64Array;
  private readonly nextWho: Int32Array;
  readonly bestOwn: Float64Array;
  /** At [label × width + moment]: the cheapest path to there, where it comes from, and its only substitute. */
  readonly ahead: Float64Array;
  private readonly cameFrom: Int32Array;
  private readonly met: Int32Array;
  /** At [state × width + moment], if a path leads there: the cheapest way to the end, whoever was there before. */
  readonly behind: Float64Array;

  constructor(instance: Instance, part: Part, group: number) {
    this.instance = instance;
    this.group = group;
    this.part = part;
    this.prices = noPrices(instance);
    this.must = Float64Array.from({ length: part.to - part.from }, (_, k) => mustPoints(instance, part, part.from + k));
    const length = (this.length = part.to - part.from);
    const width = (this.width = length + 1);
    this.layout = layOut(instance, part);
    const { candidates } = this.layout;
    this.candidates = candidates;
    this.nodes = this.layout.nodes;
    this.leftUncovered = TERMS.uncovered.of(part);
    this.gaps = new Uint8Array(width * width);
    this.stubs = new Uint8Array(HOUR * width);
    for (let from = 0; from < length; from++)
      for (let to = from + 1; to <= length; to++) {
        this.gaps[from * width + to] = TERMS.gap.of(part, part.from + from, part.from + to);
        if (to - from < HOUR)
          this.stubs[(to - from) * width + to] = TERMS.stub.of(part, part.from + from, part.from + to);
      }
    this.persons = new Float64Array(candidates.length);
    const unitsOf = (term: 'call' | 'face') =>
      Int32Array.from(candidates, (t) =>
        this.ownCharges(t).reduce((n, id) => n + (instance.charges[id]!.units[term] ?? 0), 0),
      );
    this.personUnits = {
      call: unitsOf('call'),
      face: unitsOf('face'),
      bcba: Int32Array.from(candidates, (t) => bcbaUnits(instance, part, t)),
    };
    this.points = this.weighed = NO_POINTS;
    this.red = new Float64Array(candidates.length * length);
    this.startExtra = new Float64Array(candidates.length * length);
    this.enterExtra = new Float64Array(candidates.length * length);
    this.ownRed = new Float64Array(length);
    this.nobodySum = new Float64Array(width);
    this.gapCosts = new Float64Array(width * width);
    this.stretchCosts = new Float64Array((HOUR + 1) * width);
    this.bestOther = new Float64Array(width * width);
    this.bestWho = new Int32Array(width * width);
    this.nextOther = new Float64Array(width * width);
    this.nextWho = new Int32Array(width * width);
    this.bestOwn = new Float64Array(width * width);
    this.ahead = new Float64Array(LABELS * width);
    this.cameFrom = new Int32Array(LABELS * width);
    this.met = new Int32Array(LABELS * width);
    this.behind = new Float64Array(STATES * width);
  }

  /** For each candidate: the charges that no other group can cause, so that the candidate's own pieces pay for them. */
  private readonly ownCharges = (t: number): number[] => {
    const { instance } = this;
    const ids = instance.chargesOf[this.group * instance.model.therapists.length + t] ?? [];
    return ids.filter((id) => !isShared(instance.charges[id]!));
  };

  /** Switches to an objective's weights. */
  weigh({ instance, weights }: Objective): void {
    this.weighed = layPoints(instance, this.part, this.candidates, this.ownCharges, weights);
  }

  /** The reduced cost of the cheapest pattern at these prices; `cheapestPattern` returns the pattern. */
  price(prices: Prices): number {
    this.prices = prices;
    const { part, length, candidates, instance } = this;
    const { slots, limits } = prices;
    this.priced ??= limits.price > 0 ? layPoints(instance, part, candidates, this.ownCharges, PRICE_WEIGHTS) : null;
    const points = limits.price > 0 && this.priced ? mixed(this.weighed, this.priced, limits.price) : this.weighed;
    this.points = points;
    this.change = points.handover + limits.change;
    for (let c = 0; c < candidates.length; c++) {
      const t = candidates[c]!;
      const row = t * SLOTS + part.from;
      const { call, face, bcba } = this.personUnits;
      const extra = limits.bcba * bcba[c]!;
      this.persons[c] =
        points.persons[c]! +
        prices.persons[this.group * instance.model.therapists.length + t]! +
        limits.call * call[c]! +
        limits.face * face[c]!;
      for (let k = 0; k < length; k++)
        this.red[c * length + k] = points.slots[c * length + k]! + extra + slots[row + k]!;
    }
    for (let k = 0; k < length; k++) {
      this.ownRed[k] = part.booked === NOBODY ? 0 : slots[part.booked * SLOTS + part.from + k]!;
      this.nobodySum[k + 1] =
        this.nobodySum[k]! + points.uncovered + this.must[k]! + this.leftUncovered * limits.uncovered;
    }
    for (let at = 0; at < this.gaps.length; at++)
      this.gapCosts[at] = points.openPieces[at]! + limits.gap * this.gaps[at]!;
    for (let at = 0; at < this.stubs.length; at++)
      this.stretchCosts[at] = points.stretches[at]! + limits.stub * this.stubs[at]!;
    for (const likeness of prices.likenesses) this.addLikeness(likeness.who, likeness.price);
    this.findBestPieces();
    this.runAhead();
    return this.costOf(this.end());
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
    const { length, width, prices, points } = this;
    const { ok, starts, ends, lunch: lunchSlots } = this.layout;
    for (let c = 0; c < this.candidates.length; c++) {
      const t = this.candidates[c]!;
      const lunchExcess = prices.lunchExcess[t]!;
      const lunchRoom = prices.lunchRoom[t]!;
      const most = prices.mostGiven[t]!;
      const person = this.persons[c]!;
      for (let from = 0; from < length; from++) {
        if (!starts[c * width + from] || !ok[c * length + from]) continue;
        let sum = this.startExtra[c * length + from]! + person;
        let lunch = 0;
        for (let k = from; k < length && ok[c * length + k]; k++) {
          sum += this.red[c * length + k]!;
          if (k > from) sum += this.enterExtra[c * length + k]!;
          if (sum >= FAR) break;
          const n = k + 1 - from;
          if (lunchSlots[c * length + k] && ++lunch > lunchRoom) sum += lunchExcess;
          if (n > most) break;
          if (!ends[c * width + k + 1]) continue;
          if (n < HALF_HOUR && n < length) continue;
          visit(c, from, k + 1, sum + prices.lengths[t * LENGTHS + n]! + points.pieces[from * width + k + 1]!);
        }
      }
    }
  }

  private findBestPieces(): void {
    const { length, width, bestOther, bestWho, nextOther, nextWho, bestOwn } = this;
    const { ownMarks, ownLunch, ownOk } = this.layout;
    bestOther.fill(FAR);
    nextOther.fill(FAR);
    bestOwn.fill(FAR);
    this.eachOther((c, from, to, cost) => {
      const at = from * width + to;
      if (cost < bestOther[at]!) {
        nextOther[at] = bestOther[at]!;
        nextWho[at] = bestWho[at]!;
        bestOther[at] = cost;
        bestWho[at] = c;
      } else if (cost < nextOther[at]!) {
        nextOther[at] = cost;
        nextWho[at] = c;
      }
    });
    for (let from = 0; from < length; from++) {
      if (!ownMarks[from]) continue;
      let sum = 0;
      let lunch = 0;
      for (let k = from; k < length && ownOk[k]; k++) {
        sum += this.ownRed[k]!;
        if (ownLunch[k] && ++lunch > this.prices.lunchRoom[this.part.booked]!)
          sum += this.prices.lunchExcess[this.part.booked]!;
        if (ownMarks[k + 1]) bestOwn[from * width + k + 1] = sum;
      }
    }
  }

  /** The reduced cost of a piece without a therapist, except for the handover before it. */
  nobodyCost(from: number, to: number): number {
    return this.nobodySum[to]! - this.nobodySum[from]! + this.gapCosts[from * this.width + to]!;
  }

  /** The reduced cost of the stretch of care that ends at a node. */
  closing(state: number, moment: number): number {
    return this.stretchCosts[RUN[state]! * this.width + moment]!;
  }

  /** Whether a piece without a therapist may follow. */
  mayOpen(state: number, moment: number): boolean {
    return moment === 0 || !IS_OPEN[state];
  }

  /** Keeps a path to a node if it is the cheapest, or the cheapest with another substitute. */
  private reach(state: number, to: number, cost: number, person: number, origin: number): void {
    const { width, ahead, cameFrom, met } = this;
    let at = state * width + to;
    const second = SECOND[state]!;
    if (cost >= ahead[at]!) {
      if (second < 0 || met[at] === person) return;
      at = second * width + to;
      if (cost >= ahead[at]!) return;
    } else if (second >= 0 && ahead[at]! < FAR && met[at] !== person) {
      const other = second * width + to;
      ahead[other] = ahead[at]!;
      cameFrom[other] = cameFrom[at]!;
      met[other] = met[at]!;
    }
    ahead[at] = cost;
    cameFrom[at] = origin;
    met[at] = person;
  }

  /** Finds the cheapest path from the start to each node; with two labels where another substitute may follow. */
  private runAhead(): void {
    const { length, width, nodes, ahead, met } = this;
    ahead.fill(FAR);
    ahead[0] = 0;
    for (let i = 0; i < nodes.length - 1; i++) {
      const from = nodes[i]!;
      const change = from > 0 ? this.change : 0;
      for (let label = 0; label < LABELS; label++) {
        const reached = ahead[label * width + from]!;
        if (reached >= FAR) continue;
        const state = STATE[label]!;
        const so = reached + change;
        const person = SECOND[state]! < 0 ? -1 : met[label * width + from]!;
        const origin = (from * LABELS + label) * KINDS;
        if (this.mayOpen(state, from)) {
          const closed = so + this.closing(state, from);
          const next = AFTER_NOBODY[state]!;
          for (let j = i + 1; j < nodes.length; j++)
            this.reach(next, nodes[j]!, closed + this.nobodyCost(from, nodes[j]!), person, origin + KIND.nobody);
        }
        for (let j = i + 1; j < nodes.length; j++) {
          const to = nodes[j]!;
          const at = from * width + to;
          const own = statesAfter(KIND.own, to - from)[state]!;
          if (own >= 0) this.reach(own, to, so + this.bestOwn[at]!, person, origin + KIND.own);
          const other = statesAfter(KIND.other, to - from)[state]!;
          if (other < 0) continue;
          const who = this.bestWho[at]!;
          if (who !== person) this.reach(other, to, so + this.bestOther[at]!, who, origin + KIND.other);
          if (who === person || SECOND[other]! >= 0)
            this.reach(other, to, so + this.nextOther[at]!, this.nextWho[at]!, origin + ANOTHER);
        }
      }
    }
    for (let label = 0; label < LABELS; label++) ahead[label * width + length]! += this.closing(STATE[label]!, length);
  }

  private readonly costOf = (label: number): number => this.ahead[label * this.width + this.length]!;

  /** The label in which the cheapest path ends. */
  end(): number {
    let best = 0;
    for (let label = 1; label < LABELS; label++) if (this.costOf(label) < this.costOf(best)) best = label;
    return best;
  }

  /** The last piece of the cheapest path to a label. */
  stepTo(label: number, moment: number): Step {
    const origin = this.cameFrom[label * this.width + moment]!;
    const kind = origin % KINDS;
    const before = Math.floor(origin / KINDS) % LABELS;
    const from = Math.floor(origin / KINDS / LABELS);
    const at = from * this.width + moment;
    if (kind === KIND.nobody) return { therapist: NOBODY, from, before };
    if (kind === KIND.own) return { therapist: this.part.booked, from, before };
    return { therapist: this.candidates[kind === ANOTHER ? this.nextWho[at]! : this.bestWho[at]!]!, from, before };
  }
}
