/**
 * The whole cover problem as one plain mixed-integer program: a variable for every legal piece, a flow through every
 * part, a row for every therapist and slot, no bounds, no pricing, no tricks. What a competent first attempt with the
 * same solver costs, and a third opinion on the best score. Reads the problem as the outside judge does.
 */
import type { CoverProblem, Strategy } from '../problem.ts';
import { barred, JUDGE_STRATEGIES, judgeModel } from './judge-model.ts';
import type { JudgeModel, JudgePart, JudgeTherapist, JudgeWeights } from './judge-model.ts';

const LUNCH = { from: 16, to: 30, work: 12, availableOver: 24 };

/** A program in the making: costs, rows and which variables are whole. */
class Program {
  readonly costs: string[] = [];
  readonly rows: string[] = [];
  readonly whole: string[] = [];
  private names = 0;
  variable(cost: number, whole: boolean): string {
    const name = `x${this.names++}`;
    if (cost !== 0) this.costs.push(`+ ${cost} ${name}`);
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

/** LP files are read by lines of limited length. */
function wrapped(terms: readonly string[]): string {
  const lines: string[] = [];
  for (let i = 0; i < terms.length; i += 12) lines.push(terms.slice(i, i + 12).join(' '));
  return lines.join('\n  ');
}

/** Who takes what: rows over therapists and slots, gathered while the variables are made. */
interface Use {
  /** [therapist][slot]: changed pieces there. */
  changed: Map<string, string[][]>;
  /** [therapist][slot]: for each staying part there, the variables by which it leaves. */
  staying: Map<string, string[][][]>;
  /** By therapist: `length variable` of others' work. */
  added: Map<string, string[]>;
}

function slotCost(model: JudgeModel, w: JudgeWeights, part: JudgePart, t: JudgeTherapist, k: number): number {
  const client = model.clients.get(part.session.client);
  const known = client?.knows[t.id];
  let cost = w.added + (known === 'team' ? 0 : known === 'known' ? w.known : w.new);
  if (t.credential === 'BCBA' && part.session.service === 'direct') cost += w.bcba;
  if (t.admin[k]) cost += w.admin;
  if (k < t.dayFrom || k >= t.dayTo) cost += w.callin;
  const booked = model.therapists.get(part.session.therapist ?? '');
  if (part.affected && booked && !booked.away[k]) cost += w.taken;
  return cost;
}

function mayTake(
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
  w: JudgeWeights,
  program: Program,
  use: Use,
  part: JudgePart,
): void {
  const inflow = new Map<number, string[]>();
  const outflow = new Map<number, string[]>();
  const arc = (from: number, to: number, cost: number): string => {
    const x = program.variable(cost + (from > part.from ? w.change : 0), true);
    outflow.set(from, [...(outflow.get(from) ?? []), x]);
    inflow.set(to, [...(inflow.get(to) ?? []), x]);
    return x;
  };
  const people: string[] = [];
  const owns: string[] = [];
  const priority = model.clients.get(part.session.client)?.priority ?? 100;
  const empty = part.session.service === 'direct' ? (w.uncovered * priority) / 100 : w.uncoveredOther;
  const who = [...model.therapists.values()].filter(
    (t) => t.id === part.session.therapist || barred(model, t, part.session) === null,
  );
  for (let from = part.from; from < part.to; from++) {
    for (let to = from + 1; to <= part.to; to++) {
      arc(from, to, (to - from) * empty + (from > part.from && to < part.to ? w.gap : 0));
      for (const t of who) {
        if (!mayTake(problem, model, part, t, from, to)) continue;
        const own = t.id === part.session.therapist;
        const whole = from === part.from && to === part.to;
        let cost = !own && to - from < 4 && !whole ? w.short : 0;
        for (let k = from; !own && k < to; k++) cost += slotCost(model, w, part, t, k);
        const x = arc(from, to, cost);
        people.push(`+ ${own ? 1 : 2} ${x}`);
        if (own) owns.push(`+ 1 ${x}`);
        else use.added.get(t.id)?.push(`+ ${to - from} ${x}`);
        for (let k = from; k < to; k++) use.changed.get(t.id)?.[k]?.push(x);
      }
    }
  }
  for (let k = part.from; k < part.to; k++) {
    const into = k === part.from ? [] : (inflow.get(k) ?? []);
    program.row(
      [...(outflow.get(k) ?? []).map((x) => `+ 1 ${x}`), ...into.map((x) => `- 1 ${x}`)],
      '=',
      k === part.from ? 1 : 0,
    );
  }
  program.row(people, '<=', 4);
  program.row(owns, '<=', 2);
}

function addMoves(
  problem: CoverProblem,
  model: JudgeModel,
  w: JudgeWeights,
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
    let cost = w.swap;
    for (let k = part.from; k < part.to; k++) cost += slotCost(model, w, part, t, k);
    const x = program.variable(cost, true);
    leaves.push(x);
    use.added.get(t.id)?.push(`+ ${part.to - part.from} ${x}`);
    for (let k = part.from; k < part.to; k++) use.changed.get(t.id)?.[k]?.push(x);
  }
  program.row(
    leaves.map((x) => `+ 1 ${x}`),
    '<=',
    1,
  );
  for (let k = part.from; k < part.to; k++) use.staying.get(part.session.therapist ?? '')?.[k]?.push(leaves);
}

function addTherapist(w: JudgeWeights, program: Program, use: Use, t: JudgeTherapist): void {
  const changed = use.changed.get(t.id) ?? [];
  const staying = use.staying.get(t.id) ?? [];
  changed.forEach((xs, k) => {
    const terms = xs.map((x) => `+ 1 ${x}`);
    if (xs.length > 1) program.row(terms, '<=', 1);
    for (const leaves of xs.length > 0 ? (staying[k] ?? []) : [])
      program.row([...terms, ...leaves.map((x) => `- 1 ${x}`)], '<=', 0);
  });
  const added = use.added.get(t.id) ?? [];
  if (added.length > 0) program.row([...added, `- 1 ${program.variable(w.overload, false)}`], '<=', 8 + t.freed);
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
  program.row([...busy, `- 1 ${program.variable(w.lunch, false)}`], '<=', most);
}

/** The program in CPLEX LP format; pins are not part of it. */
export function plainMilp(problem: CoverProblem, strategy: Strategy): string {
  if (problem.pins?.length) throw new Error('the plain program knows no pins');
  const model = judgeModel(problem);
  const w = JUDGE_STRATEGIES[strategy];
  const program = new Program();
  const rows = <T>(): Map<string, T[][]> =>
    new Map([...model.therapists.keys()].map((id) => [id, Array.from({ length: 48 }, (): T[] => [])]));
  const use: Use = {
    changed: rows(),
    staying: rows(),
    added: new Map([...model.therapists.keys()].map((id) => [id, []])),
  };
  for (const part of model.parts) (part.affected ? addPart : addMoves)(problem, model, w, program, use, part);
  for (const t of model.therapists.values()) addTherapist(w, program, use, t);
  return program.text(0);
}
