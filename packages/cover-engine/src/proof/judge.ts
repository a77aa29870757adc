/**
 * The independent checker: finds every rule that a plan breaks, and computes the plan's score again by term. It makes
 * the same checks as the checker that comes with the problem's definition, and shares no code with the engine. The file
 * is over 250 lines because it repeats every rule, independently of the engine.
 */
import type { CoverOption } from '../answer.ts';
import type { CoverProblem, Strategy } from '../problem.ts';
import type { Term } from '../terms.ts';
import {
  barred,
  exactSlotOf,
  HELD,
  JUDGE_POINTS,
  JUDGE_STRATEGIES,
  judgeModel,
  loadPoints,
  mismatch,
  mostBeside,
  openSlotPoints,
  slotOf,
  SLOTS,
  timeOf,
  type JudgeModel,
  type JudgePart,
  type JudgeTherapist,
  type JudgeUnit,
} from './judge-model.ts';

const LUNCH = { from: slotOf('11:00'), to: slotOf('14:30'), free: 2, availableOver: 24 };
const NOTICE = 4;

export type JudgeScore = Record<Term | 'lead' | 'total', number>;
/**
 * `broken`: the rules that the plan breaks, in words that begin with `rule N` if the rule has a number; empty when the
 * plan is legal.
 */
export interface Verdict {
  broken: string[];
  score: JudgeScore;
  units: Record<JudgeUnit, number>;
}
interface SlotPiece {
  therapist: string | null;
  from: number;
  to: number;
}
export type Plan = Pick<CoverOption, 'sessions'>;
const TERMS: Term[] = [
  ...(['uncovered', 'gap', 'stub', 'change', 'swap', 'short', 'face', 'substitute', 'unfamiliar'] as const),
  ...(['new', 'known', 'bcba', 'admin', 'taken', 'callin', 'added', 'overload', 'lunch', 'call', 'match'] as const),
];

/** A check of one plan, in progress. */
class Trial {
  readonly problem: CoverProblem;
  readonly model: JudgeModel;
  readonly broken = new Set<string>();
  readonly score = Object.fromEntries([...TERMS, 'lead', 'total'].map((t) => [t, 0])) as JudgeScore;
  /** For each therapist and slot: the sessions that the therapist serves, and whether each of them is a change. */
  readonly place = new Map<string, { session: string; changed: boolean }[][]>();
  readonly added = new Map<string, number>();
  readonly calls = new Set<string>();
  readonly faces = new Set<string>();
  readonly substitutes = new Set<string>();
  readonly units: Record<JudgeUnit, number> = {
    ...{ uncovered: 0, call: 0, face: 0, change: 0, bcba: 0, swap: 0, lunch: 0 },
    ...{ gap: 0, stub: 0, price: 0 },
  };

  constructor(problem: CoverProblem, model: JudgeModel) {
    [this.problem, this.model] = [problem, model];
    for (const id of model.therapists.keys())
      this.place.set(
        id,
        Array.from({ length: SLOTS }, () => []),
      );
  }

  listed(plan: Plan): Map<string, SlotPiece[]> {
    const said = new Map<string, SlotPiece[]>();
    for (const x of plan.sessions) {
      const session = this.model.sessions.get(x.session);
      if (!session || session.service === 'admin') {
        this.broken.add(`no such session to plan: ${x.session}`);
        continue;
      }
      if (said.has(x.session)) this.broken.add(`session twice: ${x.session}`);
      const pieces = x.pieces
        .map((p) => ({ therapist: p.therapist ?? null, from: exactSlotOf(p.start), to: exactSlotOf(p.end) }))
        .sort((a, b) => a.from - b.from);
      const own = this.model.parts.filter((p) => p.session.id === x.session);
      for (const p of pieces)
        if (!own.some((q) => q.from <= p.from && p.to <= q.to && p.from < p.to))
          this.broken.add(`rule 1: piece ${timeOf(p.from)}-${timeOf(p.to)} of ${x.session} lies in no part of it`);
      for (const q of own)
        if (!pieces.some((p) => p.from < q.to && q.from < p.to))
          this.broken.add(`rule 1: ${x.session} is listed without its part ${timeOf(q.from)}-${timeOf(q.to)}`);
      said.set(x.session, pieces);
    }
    return said;
  }

  part(part: JudgePart, given: SlotPiece[] | undefined): void {
    const { session: s } = part;
    const label = `${s.id} ${timeOf(part.from)}-${timeOf(part.to)}`;
    if (part.affected && !given?.length) {
      this.broken.add(`rule 1: affected ${label} not planned`);
      return;
    }
    const pieces = given ?? [{ therapist: s.therapist, from: part.from, to: part.to }];
    let at = part.from;
    for (const p of pieces) {
      if (p.from !== at || p.to <= p.from || !Number.isInteger(p.from) || !Number.isInteger(p.to))
        this.broken.add(`rule 1: ${label} not divided without overlap or hole at ${timeOf(p.from)}`);
      at = p.to;
    }
    if (at !== part.to) this.broken.add(`rule 1: ${label} ends at ${timeOf(at)}`);
    const only = pieces.length === 1 ? pieces[0] : undefined;
    const stays = !part.affected && s.therapist !== null && only?.therapist === s.therapist;
    if (!part.affected && !stays) this.swap(part, label, only);
    const others = pieces.filter((p) => p.therapist !== null && p.therapist !== s.therapist).length;
    const own = pieces.filter((p) => p.therapist !== null && p.therapist === s.therapist).length;
    if (2 * others + own > 4 || own > 2)
      this.broken.add(`rule 4: ${label} has ${others} pieces of others and ${own} of its own therapist`);
    const seen = new Set<string>();
    for (const { therapist } of pieces) {
      if (therapist === null || therapist === s.therapist) continue;
      if (seen.has(therapist)) this.broken.add(`rule 4: ${therapist} has two pieces in ${label}`);
      seen.add(therapist);
    }
    this.stretches(part, pieces);
    pieces.forEach((p, i) => {
      if (i > 0) this.score.change += JUDGE_POINTS.change;
      if (i > 0) this.units.change++;
      if (i > 0 && pieces[i - 1]?.therapist === p.therapist)
        this.broken.add(`rule 4: ${label} neighbouring pieces alike`);
      if (p.therapist === null) this.nobody(part, p);
      else this.somebody(part, label, p, stays);
    });
  }

  /** Counts the short stretches with somebody, whoever they are, that have nobody beside them. */
  stretches(part: JudgePart, pieces: SlotPiece[]): void {
    let start: number | null = null;
    pieces.forEach((p, i) => {
      if (p.therapist === null) return;
      start ??= p.from;
      if (i + 1 < pieces.length && pieces[i + 1]?.therapist !== null) return;
      const whole = start === part.from && p.to === part.to;
      const running = part.begun && start === part.from;
      if (p.to - start < 4 && !whole && !running) {
        this.score.stub += JUDGE_POINTS.stub;
        this.units.stub++;
      }
      start = null;
    });
  }

  swap(part: JudgePart, label: string, only: SlotPiece | undefined): void {
    const to = only?.therapist;
    const knows = this.model.clients.get(part.session.client)?.knows ?? {};
    if (part.session.service !== 'direct' || to == null)
      this.broken.add(`rule 2: unaffected ${label} is split, cancelled or not direct`);
    else if (part.begun) this.broken.add(`rule 2: ${label} has begun and moves`);
    else if (!knows[to]) this.broken.add(`rule 2: ${label} moves to ${to}, whom the client does not know`);
    this.score.swap += JUDGE_POINTS.swap;
    this.units.swap++;
    this.calls.add(part.session.client);
    if (part.session.therapist !== null) this.calls.add(part.session.therapist);
  }

  nobody(part: JudgePart, p: SlotPiece): void {
    const points = openSlotPoints(part.session, this.model.clients.get(part.session.client));
    this.score.uncovered += (p.to - p.from) * points;
    if (p.to !== part.to && (p.from !== part.from || part.begun)) {
      this.score.gap += JUDGE_POINTS.gap;
      this.units.gap++;
    }
  }

  somebody(part: JudgePart, label: string, p: SlotPiece, stays: boolean): void {
    const { session: s } = part;
    const t = this.model.therapists.get(p.therapist ?? '');
    if (!t) {
      this.broken.add(`no such therapist: ${p.therapist ?? ''}`);
      return;
    }
    const slots = Array.from({ length: Math.max(0, p.to - p.from) }, (_, i) => p.from + i);
    if (!stays && slots.some((k) => t.away[k])) this.broken.add(`rule 3: ${t.id} absent in ${label}`);
    const booked = s.therapist === null ? undefined : this.model.therapists.get(s.therapist);
    const events = new Set([part.from, part.to, ...t.events, ...(booked?.events ?? [])]);
    for (const e of [p.from, p.to])
      if (e % 2 !== 0 && !events.has(e)) this.broken.add(`rule 5: ${label} changes at ${timeOf(e)}`);
    for (const k of slots) this.place.get(t.id)?.[k]?.push({ session: s.id, changed: !stays });
    if (t.id !== s.therapist) this.other(part, label, p, t, booked, slots);
  }

  other(
    part: JudgePart,
    label: string,
    p: SlotPiece,
    t: JudgeTherapist,
    booked: JudgeTherapist | undefined,
    slots: number[],
  ): void {
    const { session: s } = part;
    const { score } = this;
    const w = JUDGE_POINTS;
    const n = p.to - p.from;
    const whole = p.from === part.from && p.to === part.to;
    if (slots.some((k) => !t.free[k])) this.broken.add(`rule 3: ${t.id} not available in ${label}`);
    const why = barred(this.model, t, s);
    if (why !== null) this.broken.add(`rule 3: ${t.id} may not serve ${label}: ${why}`);
    if (n < 2 && !whole) this.broken.add(`rule 4: piece of ${t.id} in ${label} under 30 minutes`);
    if (s.service !== 'direct' && !whole) this.broken.add(`rule 3: ${label} (${s.service}) is not covered whole`);
    if (this.problem.now && p.from < this.model.now + NOTICE && !(t.dayFrom <= p.from && p.from < t.dayTo))
      this.broken.add(`rule 8: ${t.id} is called in at ${timeOf(p.from)} without notice`);
    const count = (which: (k: number) => boolean | undefined): number => slots.filter(which).length;
    if (part.affected && booked) score.taken += w.taken * count((k) => !booked.away[k]);
    score.callin += w.callin * count((k) => k < t.dayFrom || k >= t.dayTo);
    if (n < 4 && !whole) score.short += w.short;
    const known = this.model.clients.get(s.client)?.knows[t.id];
    if (known === 'known') score.known += n * w.known;
    else if (known !== 'team') {
      score.new += n * w.new;
      this.faces.add(`${s.client} ${t.id}`);
    }
    if (s.service === 'supervision' && known === undefined) score.unfamiliar += w.unfamiliar;
    this.substitutes.add(`${s.client} ${t.id}`);
    if (t.credential === 'BCBA' && s.service === 'direct') {
      score.bcba += n * w.bcba;
      this.units.bcba += n;
    }
    score.match += n * w.match * mismatch(this.model.clients.get(s.client), t);
    this.calls.add(t.id);
    score.admin += w.admin * count((k) => t.admin[k]);
    this.added.set(t.id, (this.added.get(t.id) ?? 0) + n);
  }

  together(): void {
    for (const [id, row] of this.place) {
      row.forEach((here, k) => {
        if (here.length > 1 && here.some((x) => x.changed))
          this.broken.add(
            `rule 6: ${id} in ${here.length} places at ${timeOf(k)} (${here.map((x) => x.session).join(', ')})`,
          );
      });
      const t = this.model.therapists.get(id);
      if (!t || t.free.filter(Boolean).length <= LUNCH.availableOver) continue;
      const work = (x: boolean[]): number => x.slice(LUNCH.from, LUNCH.to).filter(Boolean).length;
      const most = Math.max(LUNCH.to - LUNCH.from - LUNCH.free, work(t.before));
      const busy = row.map((here, k) => here.length > 0 || (t.admin[k] === true && !t.away[k]));
      const lost = Math.max(0, work(busy) - most);
      this.units.lunch += lost;
      this.score.lunch += lost * JUDGE_POINTS.lunch;
    }
    for (const [id, n] of this.added) {
      this.score.added += n * JUDGE_POINTS.added;
      const t = this.model.therapists.get(id);
      if (!t) continue;
      this.score.overload += loadPoints(t, n);
      if (t.cap != null && n > t.cap + t.freed)
        this.broken.add(`rule 9: ${id} is given ${n} slots, at most ${t.cap + t.freed}`);
    }
  }

  people(): void {
    for (const id of this.calls)
      if (!this.model.told.has(id)) this.units.call += this.model.therapists.get(id)?.call ?? 1;
    this.units.face = this.faces.size;
    this.units.uncovered = this.score.uncovered;
    this.score.call = this.units.call * JUDGE_POINTS.call;
    this.score.face = this.units.face * JUDGE_POINTS.face;
    this.score.substitute = this.substitutes.size * JUDGE_POINTS.substitute;
  }

  pins(said: Map<string, SlotPiece[]>): void {
    const write = (pieces: SlotPiece[]): string =>
      pieces.map((p) => `${p.therapist ?? 'null'}@${timeOf(p.from)}-${timeOf(p.to)}`).join(' ');
    for (const pin of this.problem.pins ?? []) {
      const asBooked = this.model.parts
        .filter((p) => p.session.id === pin.session && !p.affected)
        .map((p) => ({ therapist: p.session.therapist, from: p.from, to: p.to }));
      const got = write(said.get(pin.session) ?? asBooked);
      const want = write(
        pin.pieces
          .map((p) => ({ therapist: p.therapist ?? null, from: exactSlotOf(p.start), to: exactSlotOf(p.end) }))
          .sort((a, b) => a.from - b.from),
      );
      if (got !== want) this.broken.add(`rule 7: ${pin.session} pinned ${want}, planned ${got}`);
    }
  }
}

/**
 * Checks one plan under a strategy; `first` is the verdict on Option 1, for a strategy limited by it. Throws if the
 * problem itself cannot be read.
 */
export function judge(
  problem: CoverProblem,
  plan: Plan,
  strategy: Strategy,
  model = judgeModel(problem),
  first: Verdict | null = null,
): Verdict {
  const trial = new Trial(problem, model);
  const said = trial.listed(plan);
  for (const part of model.parts)
    trial.part(
      part,
      said.get(part.session.id)?.filter((p) => p.from < part.to && part.from < p.to),
    );
  trial.together();
  trial.people();
  trial.pins(said);
  trial.units.price = TERMS.reduce((sum, term) => sum + (term === 'uncovered' ? 0 : trial.score[term]), 0);
  const { lead, points, held } = JUDGE_STRATEGIES[strategy];
  if (lead) trial.score.lead = points * trial.units[lead];
  trial.score.total = TERMS.reduce((sum, term) => sum + trial.score[term], trial.score.lead);
  if (held && first)
    for (const unit of HELD)
      if (trial.units[unit] > mostBeside(unit, first.units[unit]))
        trial.broken.add(`${strategy}: ${unit} ${trial.units[unit]}, Option 1 has ${first.units[unit]}`);
  return { broken: [...trial.broken], score: trial.score, units: trial.units };
}
