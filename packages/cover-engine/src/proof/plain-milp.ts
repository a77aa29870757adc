/**
 * The whole cover problem as one plain mixed-integer program: a variable for every legal piece, a flow through every
 * part, and a row for every therapist and slot. It has no bounds, pricing or tricks. It shows how long a competent
 * first attempt takes with the same solver, and gives a third opinion on the best score. It reads the problem as the
 * independent checker does.
 */
import type { CoverProblem, Strategy } from '../problem.ts';
import { barred, HELD, JUDGE_POINTS, judgeModel, mismatch, openSlotPoints, unitPoints } from './judge-model.ts';
import type { JudgeHeld, JudgeModel, JudgePart, JudgeTherapist } from './judge-model.ts';

export const LUNCH = { from: 16, to: 30, work: 12, availableOver: 24 };

/** A program under construction: its costs, its rows and its integer variables. */
class Program {
  readonly costs: string[] = [];
  readonly prices: string[] = [];
  readonly rows: string[] = [];
  readonly whole: string[] = [];
  private names = 0;
  /** Adds a variable. `price`: its points without those for uncovered time and a lead; the cost if left out. */
  variable(cost: number, whole: boolean, price = cost): string {
    const name = `x${this.names++}`;
    if (cost !== 0) this.costs.push(`+ ${cost} ${name}`);
    if (price !== 0) this.prices.push(`+ ${price} ${name}`);
    if (whole) this.whole.push(name);
    return name;
  }
  row(terms: readonly string[], sense: '=' | '<=', right: number): void {
    if (terms.length > 0) this.rows.push(` r${this.rows.length}: ${wrapped(terms)} ${sense} ${right}`);
  }
  text(constant: number): string {
    const objective = this.costs.length > 0 ? wrapped(this.costs) : '+ 0 zero';
    const rows = this.rows.length > 0 ? this.rows : [' r0: zero >= 0'];
    return `Minimize\n obj: ${objective} + ${constant} one\nSubject To\n${rows.join('\n')}\n fix: one = 1\nBinary\n${wrapped(this.whole)}\nEnd\n`;
  }
}

/** Breaks terms into lines, because LP files limit a line's length. */
function wrapped(terms: readonly string[]): string {
  const lines: string[] = [];
  for (let i = 0; i < terms.length; i += 12) lines.push(terms.slice(i, i + 12).join(' '));
  return lines.join('\n  ');
}

/**
 * The variables that occupy therapists or cause calls and new faces: collected while the variables are created, and
 * turned into rows at the end.
 */
interface Use {
  /** At [therapist][slot]: the variables of the changed pieces that occupy the therapist in that slot. */
  changed: Map<string, string[][]>;
  /**
   * At [therapist][slot]: for each part that is booked with the therapist in that slot and may stay, the variables that
   * move the part away.
   */
  staying: Map<string, string[][][]>;
  /**
   * By therapist: for each possible piece of others' work, the number of its slots times its variable, written as in
   * the program (`+ 4 x17`).
   */
  added: Map<string, string[]>;
  /**
   * For each part: the variables of the pieces that make a call to a person necessary, or that bring together a
   * therapist and a client who have never met.
   */
  told: Map<string, string[][]>;
  faces: Map<string, string[][]>;
  /**
   * For each unit that Option 1 can limit: the terms, written as in the program (`+ 2 x17`), whose sum is the plan's
   * number of units.
   */
  held: Record<(typeof HELD)[number], string[]>;
  pairs: Map<string, string[][]>;
}

/** The points that a strategy adds for each unit of its lead. */
const leadOf = (strategy: Strategy, unit: 'call' | 'face' | 'change' | 'bcba'): number =>
  unitPoints(strategy, unit) - JUDGE_POINTS[unit];

const into = (map: Map<string, string[][]>, key: string, variables: string[]): void => {
  if (variables.length > 0) map.set(key, [...(map.get(key) ?? []), variables]);
};

export function slotCost(model: JudgeModel, part: JudgePart, t: JudgeTherapist, k: number): number {
  const w = JUDGE_POINTS;
  const client = model.clients.get(part.session.client);
  const known = client?.knows[t.id];
  let cost = w.added + (known === 'team' ? 0 : known === 'known' ? w.known : w.new);
  if (t.credential === 'BCBA' && part.session.service === 'direct') cost += w.bcba;
  cost += w.match * mismatch(client, t);
  if (t.admin[k]) cost += w.admin;
  if (k < t.dayFrom || k >= t.dayTo) cost += w.callin;
  const booked = model.therapists.get(part.session.therapist ?? '');
  if (part.affected && booked && !booked.away[k]) cost += w.taken;
  return cost;
}

/** Whether a therapist may take a piece, as far as its hours and the time of day decide. */
export function mayTake(
  problem: CoverProblem,
  model: JudgeModel,
  part: JudgePart,
  t: JudgeTherapist,
  from: number,
  to: number,
): boolean {
  const own = t.id === part.session.therapist;
  const whole = from === part.from && to === part.to;
  const booked = model.therapists.get(part.session.therapist ?? '');
  for (let k = from; k < to; k++) if (t.away[k] || (!own && !t.free[k])) return false;
  for (const k of [from, to])
    if (k % 2 !== 0 && k !== part.from && k !== part.to && !t.events.has(k) && !booked?.events.has(k)) return false;
  if (own) return true;
  if (!whole && (to - from < 2 || part.session.service !== 'direct')) return false;
  return !problem.now || from >= model.now + 4 || (t.dayFrom <= from && from < t.dayTo);
}

function addPart(
  problem: CoverProblem,
  model: JudgeModel,
  strategy: Strategy,
  program: Program,
  use: Use,
  part: JudgePart,
): void {
  const inflow = new Map<number, string[]>();
  const outflow = new Map<number, string[]>();
  /** Adds a piece. `price`: its points without those for uncovered time and the lead, which are `beside`. */
  const arc = (from: number, to: number, price: number, beside: number): string => {
    const joins = from > part.from ? 1 : 0;
    const all = price + joins * JUDGE_POINTS.change;
    const x = program.variable(all + beside + joins * leadOf(strategy, 'change'), true, all);
    outflow.set(from, [...(outflow.get(from) ?? []), x]);
    inflow.set(to, [...(inflow.get(to) ?? []), x]);
    return x;
  };
  const people: string[] = [];
  const owns: string[] = [];
  /** At [slot]: the pieces without a therapist there. */
  const nobody = Array.from({ length: part.to }, (): string[] => []);
  const empty = openSlotPoints(part.session, model.clients.get(part.session.client));
  const byTherapist = new Map<string, string[]>();
  const who = [...model.therapists.values()].filter(
    (t) => t.id === part.session.therapist || barred(model, t, part.session) === null,
  );
  for (let from = part.from; from < part.to; from++) {
    for (let to = from + 1; to <= part.to; to++) {
      const isGap = (from > part.from || part.begun) && to < part.to;
      const open = arc(from, to, isGap ? JUDGE_POINTS.gap : 0, (to - from) * empty * unitPoints(strategy, 'uncovered'));
      use.held.uncovered.push(`+ ${(to - from) * empty} ${open}`);
      if (isGap) use.held.gap.push(`+ 1 ${open}`);
      for (let k = from; k < to; k++) nobody[k]!.push(open);
      for (const t of who) {
        if (!mayTake(problem, model, part, t, from, to)) continue;
        const own = t.id === part.session.therapist;
        const whole = from === part.from && to === part.to;
        const known = model.clients.get(part.session.client)?.knows[t.id];
        let price = !own && to - from < 4 && !whole ? JUDGE_POINTS.short : 0;
        if (!own && part.session.service === 'supervision' && !known) price += JUDGE_POINTS.unfamiliar;
        for (let k = from; !own && k < to; k++) price += slotCost(model, part, t, k);
        const isBcba = !own && t.credential === 'BCBA' && part.session.service === 'direct';
        const x = arc(from, to, price, isBcba ? (to - from) * leadOf(strategy, 'bcba') : 0);
        people.push(`+ ${own ? 1 : 2} ${x}`);
        if (own) owns.push(`+ 1 ${x}`);
        else {
          use.added.get(t.id)?.push(`+ ${to - from} ${x}`);
          byTherapist.set(t.id, [...(byTherapist.get(t.id) ?? []), x]);
        }
        for (let k = from; k < to; k++) use.changed.get(t.id)?.[k]?.push(x);
      }
    }
  }
  for (const [id, xs] of byTherapist) {
    program.row(
      xs.map((x) => `+ 1 ${x}`),
      '<=',
      1,
    );
    into(use.told, id, xs);
    into(use.pairs, `${part.session.client} ${id}`, xs);
    if (!model.clients.get(part.session.client)?.knows[id]) into(use.faces, `${part.session.client} ${id}`, xs);
  }
  for (let k = part.from; k < part.to; k++) {
    const arriving = k === part.from ? [] : (inflow.get(k) ?? []);
    program.row(
      [...(outflow.get(k) ?? []).map((x) => `+ 1 ${x}`), ...arriving.map((x) => `- 1 ${x}`)],
      '=',
      k === part.from ? 1 : 0,
    );
  }
  program.row(people, '<=', 4);
  program.row(owns, '<=', 2);
  addStubs(program, use, part, nobody);
}

/** A short stretch with somebody is paid for if nobody is on both its sides and not within it. */
function addStubs(program: Program, use: Use, part: JudgePart, nobody: readonly string[][]): void {
  for (let from = part.from; from < part.to; from++)
    for (let to = from + 1; to <= Math.min(part.to, from + 3); to++) {
      const [starts, ends] = [from === part.from, to === part.to];
      if ((starts && ends) || (starts && part.begun)) continue;
      const stub = program.variable(JUDGE_POINTS.stub, false);
      use.held.stub.push(`+ 1 ${stub}`);
      const beside = [...(starts ? [] : nobody[from - 1]!), ...(ends ? [] : nobody[to]!)];
      // One piece may cover several of these slots, but then it is within the stretch, too.
      const within = Array.from({ length: to - from }, (_, i) => nobody[from + i]!).flat();
      const sums = new Map<string, number>();
      for (const x of beside) sums.set(x, (sums.get(x) ?? 0) + 1);
      for (const x of within) sums.set(x, (sums.get(x) ?? 0) - 2);
      program.row(
        [...[...sums].map(([x, n]) => `${n < 0 ? '-' : '+'} ${Math.abs(n)} ${x}`), `- 1 ${stub}`],
        '<=',
        starts || ends ? 0 : 1,
      );
    }
}

function addMoves(
  problem: CoverProblem,
  model: JudgeModel,
  strategy: Strategy,
  program: Program,
  use: Use,
  part: JudgePart,
): void {
  const leaves: string[] = [];
  const client = model.clients.get(part.session.client);
  for (const t of model.therapists.values()) {
    if (part.begun || part.session.service !== 'direct' || t.id === part.session.therapist || !client?.knows[t.id])
      continue;
    if (barred(model, t, part.session) !== null || !mayTake(problem, model, part, t, part.from, part.to)) continue;
    let price = JUDGE_POINTS.swap;
    for (let k = part.from; k < part.to; k++) price += slotCost(model, part, t, k);
    const lead = t.credential === 'BCBA' ? (part.to - part.from) * leadOf(strategy, 'bcba') : 0;
    const x = program.variable(price + lead, true, price);
    leaves.push(x);
    use.held.swap.push(`+ 1 ${x}`);
    into(use.told, t.id, [x]);
    into(use.pairs, `${part.session.client} ${t.id}`, [x]);
    use.added.get(t.id)?.push(`+ ${part.to - part.from} ${x}`);
    for (let k = part.from; k < part.to; k++) use.changed.get(t.id)?.[k]?.push(x);
  }
  program.row(
    leaves.map((x) => `+ 1 ${x}`),
    '<=',
    1,
  );
  into(use.told, part.session.client, leaves);
  into(use.told, part.session.therapist ?? '', leaves);
  for (let k = part.from; k < part.to; k++) use.staying.get(part.session.therapist ?? '')?.[k]?.push(leaves);
}

function addTherapist(program: Program, use: Use, t: JudgeTherapist): void {
  const changed = use.changed.get(t.id) ?? [];
  const staying = use.staying.get(t.id) ?? [];
  changed.forEach((xs, k) => {
    const terms = xs.map((x) => `+ 1 ${x}`);
    if (xs.length > 1) program.row(terms, '<=', 1);
    for (const leaves of xs.length > 0 ? (staying[k] ?? []) : [])
      program.row([...terms, ...leaves.map((x) => `- 1 ${x}`)], '<=', 0);
  });
  const added = use.added.get(t.id) ?? [];
  if (t.cap != null) program.row(added, '<=', t.cap + t.freed);
  for (const [from, points] of t.load ?? [[8, 4]])
    if (added.length > 0) program.row([...added, `- 1 ${program.variable(points, false)}`], '<=', from + t.freed);
  if (t.free.filter(Boolean).length <= LUNCH.availableOver) return;
  const before = t.before.slice(LUNCH.from, LUNCH.to).filter(Boolean).length;
  let most = Math.max(LUNCH.work, before);
  const busy: string[] = [];
  for (let k = LUNCH.from; k < LUNCH.to; k++) {
    if (t.admin[k] && !t.away[k]) {
      most--;
      continue;
    }
    const b = program.variable(0, false);
    busy.push(`+ 1 ${b}`);
    program.row([...(changed[k] ?? []).map((x) => `+ 1 ${x}`), `- 1 ${b}`], '<=', 0);
    for (const leaves of staying[k] ?? []) program.row([`- 1 ${b}`, ...leaves.map((x) => `- 1 ${x}`)], '<=', -1);
  }
  const lost = program.variable(JUDGE_POINTS.lunch, false);
  use.held.lunch.push(`+ 1 ${lost}`);
  program.row([...busy, `- 1 ${lost}`], '<=', most);
}

/** Writes the program in CPLEX LP format. Throws if the problem has pins. */
export function plainMilp(problem: CoverProblem, strategy: Strategy, held: JudgeHeld = {}): string {
  if (problem.pins?.length) throw new Error('the plain program does not support pins');
  const model = judgeModel(problem);
  const program = new Program();
  const rows = <T>(): Map<string, T[][]> =>
    new Map([...model.therapists.keys()].map((id) => [id, Array.from({ length: 48 }, (): T[] => [])]));
  const use: Use = {
    changed: rows(),
    staying: rows(),
    added: new Map([...model.therapists.keys()].map((id) => [id, []])),
    told: new Map(),
    faces: new Map(),
    pairs: new Map(),
    held: { uncovered: [], swap: [], lunch: [], gap: [], stub: [], price: [] },
  };
  for (const part of model.parts) (part.affected ? addPart : addMoves)(problem, model, strategy, program, use, part);
  for (const t of model.therapists.values()) addTherapist(program, use, t);
  const once = (price: number, lead: number, parts: readonly string[][]): void => {
    const paid = program.variable(price + lead, false, price);
    for (const xs of parts) for (const x of xs) program.row([`+ 1 ${x}`, `- 1 ${paid}`], '<=', 0);
  };
  for (const [id, parts] of use.told)
    if (!model.told.has(id)) {
      const calls = model.therapists.get(id)?.call ?? 1;
      once(calls * JUDGE_POINTS.call, calls * leadOf(strategy, 'call'), parts);
    }
  for (const parts of use.faces.values()) once(JUDGE_POINTS.face, leadOf(strategy, 'face'), parts);
  for (const parts of use.pairs.values()) once(JUDGE_POINTS.substitute, 0, parts);
  use.held.price = program.prices;
  for (const unit of HELD) if (held[unit] !== undefined) program.row(use.held[unit], '<=', held[unit]);
  return program.text(0);
}
