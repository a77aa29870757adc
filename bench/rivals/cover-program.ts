/**
 * A day as an integer program for CP-SAT, as strong as we could make it. The pieces of a part form paths, in which a
 * stretch without a therapist is a chain of quarter hours. A call limits the pieces of each quarter hour at once, a
 * substitute for a client those of each part. A piece that by itself exceeds a free amount pays for that in a row of its own. The program reads the problem as
 * the independent checker does.
 */
import type { CoverProblem } from '@clinic/cover-engine';
import {
  barred,
  JUDGE_POINTS,
  judgeModel,
  openSlotPoints,
  SLOTS,
  type JudgeModel,
  type JudgePart,
  type JudgeTherapist,
  type JudgeUnit,
} from '../../packages/cover-engine/src/proof/judge-model.ts';
import { LUNCH, mayTake, slotCost } from '../../packages/cover-engine/src/proof/plain-milp.ts';

type Term = readonly [factor: number, variable: number];
type Units = Partial<Record<JudgeUnit, number>>;

/** One program for every strategy: the terms that a strategy can put first, or limit, are counted apart. */
export interface CoverProgram {
  /** The largest value of each variable; the least is 0. */
  most: number[];
  /** The points of each variable in the usual table. */
  points: number[];
  units: Record<JudgeUnit, Term[]>;
  rows: { terms: Term[]; equal: boolean; right: number }[];
}

interface Piece {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** What the variables do to a therapist's day. */
interface Use {
  readonly therapist: JudgeTherapist;
  /** By slot: the pieces that occupy the therapist. */
  readonly changed: number[][];
  /** By slot: the moves of each part that is booked then and may stay. */
  readonly staying: number[][][];
  readonly added: Piece[];
}

/** Adds up to 1 at most if the plan keeps the rules: variables that cannot be chosen together. */
type AtMostOne = readonly number[];

interface Writer {
  readonly problem: CoverProblem;
  readonly model: JudgeModel;
  readonly program: CoverProgram;
  readonly uses: ReadonlyMap<string, Use>;
  /** By client and substitute, then by part: the pieces that bring them together. */
  readonly pairs: Map<string, { readonly isNew: boolean; readonly sets: Map<JudgePart, number[]> }>;
  /** By person: the moves that make a call to this person necessary. */
  readonly losing: Map<string, AtMostOne[]>;
}

const bySlot = <T>(): T[][] => Array.from({ length: SLOTS }, () => []);

function variable({ program }: Writer, points: number, units: Units = {}, most = 1): number {
  const index = program.most.push(most) - 1;
  program.points.push(points);
  const all = { ...units, price: points - (units.uncovered ?? 0) };
  for (const [unit, n] of Object.entries(all) as [JudgeUnit, number][]) if (n > 0) program.units[unit].push([n, index]);
  return index;
}

function row({ program }: Writer, terms: Term[], right: number, equal = false): void {
  if (terms.length > 0) program.rows.push({ terms, equal, right });
}

const times = (factor: number, variables: readonly number[]): Term[] => variables.map((x) => [factor, x]);

/** A piece of another therapist than the booked one: its points and units, and what it occupies. */
function occupy(w: Writer, part: JudgePart, t: JudgeTherapist, { x, from, to }: Piece, own: boolean): void {
  const use = w.uses.get(t.id);
  if (!use) return;
  for (let k = from; k < to; k++) use.changed[k]?.push(x);
  if (own) return;
  use.added.push({ x, from, to });
  const { client } = part.session;
  const key = `${client} ${t.id}`;
  const isNew = !w.model.clients.get(client)?.knows[t.id];
  const pair = w.pairs.get(key) ?? { isNew, sets: new Map<JudgePart, number[]>() };
  w.pairs.set(key, pair);
  pair.sets.set(part, [...(pair.sets.get(part) ?? []), x]);
}

function pieceCost(
  w: Writer,
  part: JudgePart,
  t: JudgeTherapist,
  from: number,
  to: number,
): { points: number; units: Units } {
  let points = to - from < 4 && (from > part.from || to < part.to) ? JUDGE_POINTS.short : 0;
  if (part.session.service === 'supervision' && !w.model.clients.get(part.session.client)?.knows[t.id])
    points += JUDGE_POINTS.unfamiliar;
  for (let k = from; k < to; k++) points += slotCost(w.model, part, t, k);
  return { points, units: { bcba: t.credential === 'BCBA' && part.session.service === 'direct' ? to - from : 0 } };
}

/**
 * Nodes of a part's paths, each once for every quarter hour: somebody begins a piece, has ended one, or nobody is there,
 * since the part began (`first`) or since a piece ended (`later`).
 */
const NODES = { begins: 0, ended: 1, first: 2, later: 3 } as const;

function addPart(w: Writer, part: JudgePart): void {
  const { model } = w;
  const { from: start, to: end } = part;
  const flow: Term[][] = Array.from({ length: 4 * (SLOTS + 1) }, () => []);
  const at = (node: keyof typeof NODES, k: number): Term[] => flow[4 * k + NODES[node]] ?? [];
  const arc = (tail: Term[], head: Term[] | null, points: number, units: Units = {}): number => {
    const x = variable(w, points, units);
    tail.push([1, x]);
    head?.push([-1, x]);
    return x;
  };
  const { change, gap } = JUDGE_POINTS;
  const empty = openSlotPoints(part.session, model.clients.get(part.session.client));
  const beginning: Term[] = [];
  arc(beginning, at('begins', start), 0);
  arc(beginning, at('first', start), 0);
  /** At [slot]: the variables that say that nobody is there. */
  const nobody = bySlot<number>();
  const alone = { change: 1, gap: 1 };
  for (let k = start; k < end; k++) {
    for (const node of ['first', 'later'] as const)
      if (node === 'first' || k > start)
        nobody[k]?.push(arc(at(node, k), at(node, k + 1), empty, { uncovered: empty }));
    if (k === start) continue;
    arc(at('first', k), at('begins', k), part.begun ? change + gap : change, part.begun ? alone : { change: 1 });
    arc(at('later', k), at('begins', k), change + gap, alone);
    arc(at('ended', k), at('begins', k), change, { change: 1 });
    arc(at('ended', k), at('later', k), change, { change: 1 });
  }
  const people: Term[] = [];
  const owns: number[] = [];
  for (const t of model.therapists.values()) {
    const own = t.id === part.session.therapist;
    if (!own && barred(model, t, part.session) !== null) continue;
    for (let from = start; from < end; from++)
      for (let to = from + 1; to <= end; to++) {
        if (!mayTake(w.problem, model, part, t, from, to)) continue;
        const { points, units } = own ? { points: 0, units: {} } : pieceCost(w, part, t, from, to);
        const x = arc(at('begins', from), at('ended', to), points, units);
        people.push([own ? 1 : 2, x]);
        if (own) owns.push(x);
        occupy(w, part, t, { x, from, to }, own);
      }
  }
  for (const node of ['ended', 'first', 'later'] as const) arc(at(node, end), null, 0);
  row(w, beginning, 1, true);
  for (const terms of flow) row(w, terms, 0, true);
  row(w, people, 4);
  row(w, times(1, owns), 2);
  addStubs(w, part, nobody);
}

/** A short stretch with somebody is paid for if nobody is on both its sides and not within it. */
function addStubs(w: Writer, part: JudgePart, nobody: readonly (readonly number[])[]): void {
  for (let from = part.from; from < part.to; from++)
    for (let to = from + 1; to <= Math.min(part.to, from + 3); to++) {
      const [starts, ends] = [from === part.from, to === part.to];
      if (starts && (ends || part.begun)) continue;
      const beside = [...(starts ? [] : nobody[from - 1]!), ...(ends ? [] : nobody[to]!)];
      const stub = variable(w, JUDGE_POINTS.stub, { stub: 1 });
      const within = nobody.slice(from, to).flat();
      row(w, [...times(1, beside), ...times(-1, within), [-1, stub]], starts || ends ? 0 : 1);
    }
}

function addMoves(w: Writer, part: JudgePart): void {
  const { model } = w;
  const { therapist: booked, client: id, service } = part.session;
  const leaves: number[] = [];
  for (const t of model.therapists.values()) {
    if (part.begun || service !== 'direct' || t.id === booked || !model.clients.get(id)?.knows[t.id]) continue;
    if (barred(model, t, part.session) !== null || !mayTake(w.problem, model, part, t, part.from, part.to)) continue;
    const { points, units } = pieceCost(w, part, t, part.from, part.to);
    const x = variable(w, points + JUDGE_POINTS.swap, { ...units, swap: 1 });
    leaves.push(x);
    occupy(w, part, t, { x, from: part.from, to: part.to }, false);
  }
  row(w, times(1, leaves), 1);
  for (const person of [id, booked ?? ''])
    if (leaves.length > 0) w.losing.set(person, [...(w.losing.get(person) ?? []), leaves]);
  for (let k = part.from; k < part.to; k++) w.uses.get(booked ?? '')?.staying[k]?.push(leaves);
}

/** A variable that is 1 if any of these sets has a chosen variable. */
function paid(w: Writer, points: number, units: Units, sets: readonly AtMostOne[]): void {
  const used = sets.filter((set) => set.length > 0);
  if (used.length === 0) return;
  const x = variable(w, points, units);
  for (const set of new Set(used)) row(w, [...times(1, set), [-1, x]], 0);
}

/** A therapist's load: what is given beyond each step, and what single pieces exceed it by. */
function addLoad(w: Writer, { therapist: t, added }: Use): void {
  if (added.length === 0) return;
  const given = added.map(({ x, from, to }): Term => [to - from, x]);
  if (t.cap != null) row(w, given, t.cap + t.freed);
  for (const [from, points] of t.load ?? [[8, 4]]) {
    const room = from + t.freed;
    const over: Term = [-1, variable(w, points * JUDGE_POINTS.overload, {}, SLOTS)];
    row(w, [...given, over], room);
    const alone = added.flatMap(({ x, from: a, to: b }): Term[] => (b - a > room ? [[b - a - room, x]] : []));
    if (alone.length > 0) row(w, [...alone, over], 0);
  }
}

function addLunch(w: Writer, { therapist: t, changed, staying, added }: Use): void {
  if (t.free.filter(Boolean).length <= LUNCH.availableOver) return;
  let room = Math.max(LUNCH.work, t.before.slice(LUNCH.from, LUNCH.to).filter(Boolean).length);
  const busy: Term[] = [];
  const counts: boolean[] = new Array<boolean>(SLOTS).fill(false);
  let base = 0;
  for (let k = LUNCH.from; k < LUNCH.to; k++) {
    const stays = staying[k] ?? [];
    if ((t.admin[k] && !t.away[k]) || stays.some((leaves) => leaves.length === 0)) {
      room--;
      continue;
    }
    counts[k] = true;
    const pieces = times(1, changed[k] ?? []);
    const [only, another] = stays;
    if (!only) busy.push(...pieces);
    else if (!another) {
      // Somebody else's piece is only possible once the part has moved, so the two never count twice.
      busy.push(...pieces, ...times(-1, only));
      base++;
    } else {
      const b = variable(w, 0);
      busy.push([1, b]);
      row(w, [...pieces, [-1, b]], 0);
      for (const leaves of stays) row(w, [[-1, b], ...times(-1, leaves)], -1);
    }
  }
  const lost: Term = [-1, variable(w, JUDGE_POINTS.lunch, { lunch: 1 }, LUNCH.to - LUNCH.from)];
  row(w, [...busy, lost], room - base);
  const alone = added.flatMap(({ x, from, to }): Term[] => {
    const more = counts.slice(from, to).filter(Boolean).length - Math.max(0, room);
    return more > 0 ? [[more, x]] : [];
  });
  if (alone.length > 0) row(w, [...alone, lost], 0);
}

/** Writes a day without pins. */
export function coverProgram(problem: CoverProblem): CoverProgram {
  const model = judgeModel(problem);
  const units = {
    ...{ uncovered: [], swap: [], lunch: [], call: [], face: [], change: [], bcba: [] },
    ...{ gap: [], stub: [], price: [] },
  };
  const uses = new Map<string, Use>();
  for (const therapist of model.therapists.values())
    uses.set(therapist.id, { therapist, changed: bySlot(), staying: bySlot(), added: [] });
  const program: CoverProgram = { most: [], points: [], units, rows: [] };
  const w: Writer = { problem, model, program, uses, pairs: new Map(), losing: new Map() };
  for (const part of model.parts) (part.affected ? addPart : addMoves)(w, part);
  for (const use of uses.values()) {
    const { therapist: t, changed, staying } = use;
    const sets: AtMostOne[] = [...changed, ...(w.losing.get(t.id) ?? [])];
    const calls = t.call ?? 1;
    // A row for a call also says that the pieces of a slot are at most one.
    if (!model.told.has(t.id)) paid(w, calls * JUDGE_POINTS.call, { call: calls }, sets);
    else for (const xs of changed) if (xs.length > 1) row(w, times(1, xs), 1);
    changed.forEach((xs, k) => {
      for (const leaves of xs.length > 0 ? (staying[k] ?? []) : []) row(w, [...times(1, xs), ...times(-1, leaves)], 0);
    });
    addLoad(w, use);
    addLunch(w, use);
  }
  for (const id of model.clients.keys())
    if (!model.told.has(id)) paid(w, JUDGE_POINTS.call, { call: 1 }, w.losing.get(id) ?? []);
  for (const { isNew, sets } of w.pairs.values()) {
    const points = JUDGE_POINTS.substitute + (isNew ? JUDGE_POINTS.face : 0);
    paid(w, points, isNew ? { face: 1 } : {}, [...sets.values()]);
  }
  return program;
}
