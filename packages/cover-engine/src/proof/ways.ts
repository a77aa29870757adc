/**
 * Lists every legal way to serve one part, with the cost of each way, for the exhaustive solver. It is written from the
 * problem's definition and shares no code with the engine.
 */
import type { CoverProblem, Strategy } from '../problem.ts';
import { barred, exactSlotOf, JUDGE_POINTS, mismatch, openSlotPoints, unitPoints } from './judge-model.ts';
import type { JudgeModel, JudgePart, JudgeTherapist } from './judge-model.ts';

/**
 * One way to divide or move one part. `cost` is the way's own points. Overload, lunch, calls and new faces are not
 * included, because they depend on the whole plan.
 */
export interface Way {
  pieces: { therapist: string | null; from: number; to: number }[];
  cost: number;
  /**
   * The slots in which the way occupies therapists. A way that changes something may not overlap any other way; ways
   * that leave their part as booked may overlap each other.
   */
  uses: { therapist: string; from: number; to: number }[];
  /** How many slots of others' work the way gives each therapist. */
  added: Map<string, number>;
  stays: boolean;
  /**
   * Who must be told because of this way, and which pairs of client and therapist are new to each other. Each person
   * and each pair counts once in a whole plan.
   */
  told: string[];
  faces: string[];
  /** The pairs of a client and a substitute, which also count once each. */
  pairs: string[];
  /** The way's units that Option 1 can limit; of the price, only the way's own points. */
  uncovered: number;
  swap: number;
  gap: number;
  stub: number;
  price: number;
}

const NOTHING = { told: [], faces: [], pairs: [], uncovered: 0, swap: 0, gap: 0, stub: 0, price: 0 };

/** How many short stretches with somebody have nobody beside them. */
function stubsIn(part: JudgePart, pieces: Way['pieces']): number {
  const covered = new Set(
    pieces.flatMap((p) => (p.therapist === null ? [] : Array.from({ length: p.to - p.from }, (_, i) => p.from + i))),
  );
  let stubs = 0;
  for (const start of covered) {
    if (covered.has(start - 1)) continue;
    let end = start;
    while (covered.has(end)) end++;
    const whole = start === part.from && end === part.to;
    if (end - start < 4 && !whole && !(part.begun && start === part.from)) stubs++;
  }
  return stubs;
}

export class Ways {
  readonly problem: CoverProblem;
  readonly model: JudgeModel;
  readonly strategy: Strategy;

  constructor(problem: CoverProblem, model: JudgeModel, strategy: Strategy) {
    [this.problem, this.model, this.strategy] = [problem, model, strategy];
  }

  /** The ways to serve a part, cheapest first; empty when a pin asks for something that the rules forbid. */
  of(part: JudgePart): Way[] {
    return this.pinned(part, part.affected ? this.divisions(part) : this.moves(part));
  }

  /** Keeps only the ways that match the pins of the part's session exactly, and sorts them by cost. */
  pinned(part: JudgePart, ways: Way[]): Way[] {
    let left = ways;
    for (const pin of this.problem.pins ?? []) {
      if (pin.session !== part.session.id) continue;
      const want = pin.pieces
        .map((p) => ({ therapist: p.therapist ?? null, from: exactSlotOf(p.start), to: exactSlotOf(p.end) }))
        .filter((p) => p.from < part.to && part.from < p.to)
        .sort((a, b) => a.from - b.from);
      left = left.filter((way) => JSON.stringify(way.pieces) === JSON.stringify(want));
    }
    return left.sort((a, b) => a.cost - b.cost);
  }

  moves(part: JudgePart): Way[] {
    const s = part.session;
    const { from, to } = part;
    const own = s.therapist as string;
    const asBooked = { pieces: [{ therapist: own, from, to }], cost: 0, uses: [{ therapist: own, from, to }] };
    const ways: Way[] = [{ ...asBooked, added: new Map(), stays: true, ...NOTHING }];
    if (s.service !== 'direct' || part.begun) return ways;
    for (const t of this.model.therapists.values()) {
      if (t.id === own || !this.model.clients.get(s.client)?.knows[t.id] || !this.mayOther(part, t, from, to)) continue;
      ways.push(this.way(part, [{ therapist: t.id, from, to }]));
    }
    return ways;
  }

  /** Whether rules 3, 4, 5 and 8 let a substitute take this piece. */
  mayOther(part: JudgePart, t: JudgeTherapist, from: number, to: number): boolean {
    const whole = from === part.from && to === part.to;
    if (barred(this.model, t, part.session) !== null) return false;
    if (part.session.service !== 'direct' && !whole) return false;
    if (to - from < 2 && !whole) return false;
    for (let k = from; k < to; k++) if (!t.free[k] || t.away[k]) return false;
    const called = this.problem.now && from < this.model.now + 4;
    if (called && !(t.dayFrom <= from && from < t.dayTo)) return false;
    return this.onEvent(part, t, from) && this.onEvent(part, t, to);
  }

  onEvent(part: JudgePart, t: JudgeTherapist, k: number): boolean {
    const booked = this.model.therapists.get(part.session.therapist ?? '');
    return k % 2 === 0 || k === part.from || k === part.to || t.events.has(k) || (booked?.events.has(k) ?? false);
  }

  mayOwn(part: JudgePart, from: number, to: number): boolean {
    const own = this.model.therapists.get(part.session.therapist ?? '');
    if (!own) return false;
    for (let k = from; k < to; k++) if (own.away[k]) return false;
    return this.onEvent(part, own, from) && this.onEvent(part, own, to);
  }

  /** Every way to divide an affected part into legal pieces. */
  divisions(part: JudgePart): Way[] {
    const ways: Way[] = [];
    const own = part.session.therapist;
    const grow = (pieces: Way['pieces'], at: number, others: number, owns: number): void => {
      if (at === part.to) {
        ways.push(this.way(part, pieces));
        return;
      }
      const last = pieces.at(-1)?.therapist;
      for (let to = at + 1; to <= part.to; to++) {
        if (last !== null) grow([...pieces, { therapist: null, from: at, to }], to, others, owns);
        for (const t of this.model.therapists.values()) {
          if (last === t.id) continue;
          if (t.id !== own && pieces.some((p) => p.therapist === t.id)) continue;
          const [o, w] = t.id === own ? [others, owns + 1] : [others + 1, owns];
          if (2 * o + w > 4 || w > 2) continue;
          const may = t.id === own ? this.mayOwn(part, at, to) : this.mayOther(part, t, at, to);
          if (may) grow([...pieces, { therapist: t.id, from: at, to }], to, o, w);
        }
      }
    };
    grow([], part.from, 0, 0);
    return ways;
  }

  /**
   * Builds a way and its cost. Overload, lunch, calls and new faces are not included, because they depend on the whole
   * plan.
   */
  way(part: JudgePart, pieces: Way['pieces']): Way {
    const { model, strategy } = this;
    const w = JUDGE_POINTS;
    const s = part.session;
    const client = model.clients.get(s.client);
    const booked = model.therapists.get(s.therapist ?? '');
    const swap = part.affected ? 0 : 1;
    const stub = stubsIn(part, pieces);
    let [price, gap, bcba] = [(pieces.length - 1) * w.change + swap * w.swap + stub * w.stub, 0, 0];
    const told = part.affected || s.therapist === null ? [] : [s.client, s.therapist];
    const [faces, pairs]: [string[], string[]] = [[], []];
    let uncovered = 0;
    const added = new Map<string, number>();
    for (const p of pieces) {
      const n = p.to - p.from;
      if (p.therapist === null) {
        uncovered += n * openSlotPoints(s, client);
        if ((p.from > part.from || part.begun) && p.to < part.to) gap++;
        continue;
      }
      const t = model.therapists.get(p.therapist);
      if (!t || p.therapist === s.therapist) continue;
      const known = client?.knows[t.id];
      price += n * (known === 'team' ? 0 : known === 'known' ? w.known : w.new) + n * w.added;
      if (known === undefined) faces.push(`${s.client} ${t.id}`);
      if (known === undefined && s.service === 'supervision') price += w.unfamiliar;
      pairs.push(`${s.client} ${t.id}`);
      told.push(t.id);
      price += n * w.match * mismatch(client, t);
      if (t.credential === 'BCBA' && s.service === 'direct') bcba += n;
      if (n < 4 && n < part.to - part.from) price += w.short;
      for (let k = p.from; k < p.to; k++) {
        if (t.admin[k]) price += w.admin;
        if (k < t.dayFrom || k >= t.dayTo) price += w.callin;
        if (part.affected && booked && !booked.away[k]) price += w.taken;
      }
      added.set(t.id, (added.get(t.id) ?? 0) + n);
    }
    price += bcba * w.bcba + gap * w.gap;
    const uses = pieces.flatMap((p) => (p.therapist === null ? [] : [{ ...p, therapist: p.therapist }]));
    const leads =
      (pieces.length - 1) * (unitPoints(strategy, 'change') - w.change) +
      bcba * (unitPoints(strategy, 'bcba') - w.bcba);
    const cost = price + leads + uncovered * unitPoints(strategy, 'uncovered');
    return { pieces, cost, uses, added, stays: false, told, faces, pairs, uncovered, swap, gap, stub, price };
  }
}
