/**
 * Finds the best plan of a tiny problem by trying every legal plan: every way to divide each part and every swap, with
 * branch and bound on the true score. It is written only from the problem's definition, which it reads as the
 * independent checker does. It shares nothing with the engine's model, bounds or search, so this solver and the engine
 * are unlikely to agree on a wrong result.
 */
import type { PlannedSession } from '../answer.ts';
import type { CoverProblem, Strategy } from '../problem.ts';
import { exactSlotOf, HELD, JUDGE_POINTS, judgeModel, loadPoints, timeOf, unitPoints } from './judge-model.ts';
import type { JudgeHeld, JudgeModel } from './judge-model.ts';
import { Ways, type Way } from './ways.ts';

export interface Best {
  /** The best score; null when no plan satisfies the pins and the rules. */
  total: number | null;
  sessions: PlannedSession[];
  /** How many nodes were visited, for choosing problem sizes. */
  nodes: number;
}

/** A stretch that must have a therapist; times are `HH:MM`. */
interface MustCover {
  session: string;
  start: string;
  end: string;
}

/** `limit`: the maximum number of nodes. `accept`: further conditions on a whole plan (with every session listed). */
interface Asked {
  limit?: number;
  /** Accept only plans that leave none of these stretches uncovered. */
  mustCover?: readonly MustCover[];
  accept?: (sessions: PlannedSession[]) => boolean;
  /** The maximum number of each unit, for a strategy that is limited by Option 1. */
  held?: JudgeHeld;
}

const leaves = (way: Way, must: MustCover): boolean =>
  way.pieces.some((p) => p.therapist === null && p.from < exactSlotOf(must.end) && exactSlotOf(must.start) < p.to);

const SUMMED = ['uncovered', 'swap', 'gap', 'stub', 'price'] as const;

class Exhaustive {
  readonly problem: CoverProblem;
  readonly model: JudgeModel;
  readonly strategy: Strategy;
  readonly held: JudgeHeld;
  readonly ways: Way[][];
  best: number | null = null;
  chosen: Way[] = [];
  bestChosen: Way[] = [];
  nodes = 0;
  readonly limit: number;
  readonly accept: (sessions: PlannedSession[]) => boolean;
  /** By therapist and slot: how many sessions the therapist serves as booked, and how many because of the plan. */
  readonly stay = new Map<string, Int8Array>();
  readonly changed = new Map<string, Int8Array>();
  readonly added = new Map<string, number>();
  /**
   * For each person, how many of the chosen ways make a call to them necessary (`told`). For each client and therapist
   * who have never met, how many ways bring them together (`faces`).
   */
  readonly told = new Map<string, number>();
  readonly faces = new Map<string, number>();
  readonly pairs = new Map<string, number>();
  readonly sums = { uncovered: 0, swap: 0, gap: 0, stub: 0, price: 0 };

  constructor(problem: CoverProblem, strategy: Strategy, asked: Asked) {
    this.problem = problem;
    this.limit = asked.limit ?? 3_000_000;
    this.accept = asked.accept ?? (() => true);
    const mustCover = asked.mustCover ?? [];
    this.model = judgeModel(problem);
    this.strategy = strategy;
    this.held = asked.held ?? {};
    for (const id of this.model.therapists.keys()) {
      this.stay.set(id, new Int8Array(64));
      this.changed.set(id, new Int8Array(64));
    }
    const ways = new Ways(problem, this.model, strategy);
    this.ways = this.model.parts.map((part) =>
      ways.of(part).filter((way) => mustCover.every((must) => must.session !== part.session.id || !leaves(way, must))),
    );
  }

  /** Whether every pin is on a session that can be planned, at times inside the session's parts. */
  pinsFit(): boolean {
    return (this.problem.pins ?? []).every((pin) => {
      const parts = this.model.parts.filter((p) => p.session.id === pin.session);
      const inside = (from: number, to: number): boolean =>
        parts.some((p) => p.from <= from && to <= p.to && from < to);
      const session = this.model.sessions.get(pin.session);
      if (!session || session.service === 'admin') return pin.pieces.length === 0;
      return pin.pieces.every((p) => inside(exactSlotOf(p.start), exactSlotOf(p.end)));
    });
  }

  fits(way: Way): boolean {
    return way.uses.every(({ therapist, from, to }) => {
      const [stay, changed] = [this.stay.get(therapist), this.changed.get(therapist)];
      for (let k = from; k < to; k++) if (changed?.[k] || (!way.stays && stay?.[k])) return false;
      return true;
    });
  }

  put(way: Way, by: 1 | -1): void {
    for (const { therapist, from, to } of way.uses) {
      const row = (way.stays ? this.stay : this.changed).get(therapist);
      for (let k = from; row && k < to; k++) row[k] = (row[k] as number) + by;
    }
    for (const [id, n] of way.added) this.added.set(id, (this.added.get(id) ?? 0) + by * n);
    for (const id of way.told) this.told.set(id, (this.told.get(id) ?? 0) + by);
    for (const pair of way.faces) this.faces.set(pair, (this.faces.get(pair) ?? 0) + by);
    for (const pair of way.pairs) this.pairs.set(pair, (this.pairs.get(pair) ?? 0) + by);
    for (const unit of SUMMED) this.sums[unit] += by * way[unit];
  }

  /** The points for overload so far. Choosing further ways never lowers them. */
  overload(): number {
    let sum = 0;
    for (const [id, n] of this.added) {
      const t = this.model.therapists.get(id);
      if (t) sum += loadPoints(t, n);
    }
    return sum;
  }

  /** The points for calls, new faces and substitutes so far. Choosing further ways never lowers them. */
  people(strategy: Strategy): number {
    let [calls, faces, pairs] = [0, 0, 0];
    for (const [id, n] of this.told)
      if (n > 0 && !this.model.told.has(id)) calls += this.model.therapists.get(id)?.call ?? 1;
    for (const n of this.faces.values()) if (n > 0) faces++;
    for (const n of this.pairs.values()) if (n > 0) pairs++;
    const points = calls * unitPoints(strategy, 'call') + faces * unitPoints(strategy, 'face');
    return points + pairs * JUDGE_POINTS.substitute;
  }

  /** Whether the chosen ways exceed a therapist's cap or a limit set by Option 1. */
  tooMuch(): boolean {
    const { held } = this;
    for (const [id, n] of this.added) {
      const t = this.model.therapists.get(id);
      if (t?.cap != null && n > t.cap + t.freed) return true;
    }
    const price = this.sums.price + this.overload() + this.lunch() + this.people('balanced');
    const units = { ...this.sums, lunch: this.lunchSlots(), price };
    return HELD.some((unit) => units[unit] > (held[unit] ?? Infinity));
  }

  /** The points for lost lunch so far. Choosing further ways never lowers them. */
  lunch(): number {
    return this.lunchSlots() * JUDGE_POINTS.lunch;
  }

  lunchSlots(): number {
    let sum = 0;
    for (const [id, t] of this.model.therapists) {
      if (t.free.filter(Boolean).length <= 24) continue;
      let [now, before] = [0, 0];
      for (let k = 16; k < 30; k++) {
        if (this.stay.get(id)?.[k] || this.changed.get(id)?.[k] || (t.admin[k] && !t.away[k])) now++;
        if (t.before[k]) before++;
      }
      sum += Math.max(0, now - Math.max(12, before));
    }
    return sum;
  }

  search(open: number[], cost: number): void {
    if (++this.nodes > this.limit) throw new Error('too big for an exhaustive search');
    if (this.tooMuch()) return;
    const global = cost + this.overload() + this.lunch() + this.people(this.strategy);
    if (this.best !== null && global >= this.best) return;
    if (open.length === 0) {
      if (!this.accept(this.written(this.chosen))) return;
      this.best = global;
      this.bestChosen = [...this.chosen];
      return;
    }
    // Find the ways that still fit, part by part. The cheapest way of each part gives a lower bound. The part with the
    // fewest ways is decided next.
    let floor = global;
    let next = -1;
    let nextWays: Way[] = [];
    for (const i of open) {
      const fitting = (this.ways[i] as Way[]).filter((way) => this.fits(way));
      const least = fitting[0];
      if (!least) return;
      floor += least.cost;
      if (next < 0 || fitting.length < nextWays.length) [next, nextWays] = [i, fitting];
    }
    if (this.best !== null && floor >= this.best) return;
    const rest = open.filter((i) => i !== next);
    const slack = floor - (nextWays[0] as Way).cost;
    for (const way of nextWays) {
      if (this.best !== null && slack + way.cost >= this.best) break;
      this.put(way, 1);
      this.chosen[next] = way;
      this.search(rest, cost + way.cost);
      this.put(way, -1);
    }
  }

  /** Writes the chosen ways as a plan that lists every session with a client. */
  written(chosen: readonly Way[]): PlannedSession[] {
    const sessions = new Map<string, PlannedSession>();
    this.model.parts.forEach((part, i) => {
      const id = part.session.id;
      const planned = sessions.get(id) ?? { session: id, pieces: [] };
      for (const p of chosen[i]?.pieces ?? [])
        planned.pieces.push({ therapist: p.therapist, start: timeOf(p.from), end: timeOf(p.to) });
      sessions.set(id, planned);
    });
    return [...sessions.values()];
  }

  answer(): Best {
    if (!this.pinsFit()) return { total: null, sessions: [], nodes: 0 };
    this.search(
      this.model.parts.map((_, i) => i),
      0,
    );
    return { total: this.best, sessions: this.best === null ? [] : this.written(this.bestChosen), nodes: this.nodes };
  }
}

/**
 * Returns the best score under a strategy, and a plan with that score (with every session listed). Meant for problems
 * with a few parts of up to two hours. Throws an `Error` beyond the node limit rather than return a wrong result.
 */
export function exhaustive(problem: CoverProblem, strategy: Strategy, asked: Asked = {}): Best {
  return new Exhaustive(problem, strategy, asked).answer();
}
