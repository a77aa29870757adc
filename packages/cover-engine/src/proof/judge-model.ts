/**
 * A cover problem as the independent checker reads it, in quarter-hour slots: slot 0 is 07:00, slot 48 is 19:00. It is
 * written from the problem's definition and imports nothing from the engine, so an error in the engine or in the
 * checker shows as a difference between the two.
 */
import type { CoverProblem, ProblemClient, ProblemSession, ProblemTherapist, Strategy } from '../problem.ts';
import type { Term } from '../terms.ts';

/** Points by term; `uncoveredOther` is for an uncovered slot of a service other than direct. */
export type JudgeWeights = Record<Term | 'uncoveredOther', number>;

export const JUDGE_POINTS: JudgeWeights = {
  uncovered: 1000,
  uncoveredOther: 400,
  gap: 4000,
  stub: 3000,
  change: 300,
  swap: 2500,
  short: 150,
  face: 200,
  substitute: 100,
  unfamiliar: 600,
  new: 15,
  known: 8,
  bcba: 60,
  admin: 20,
  taken: 60,
  callin: 10,
  added: 2,
  overload: 1,
  lunch: 1500,
  call: 100,
  match: 15,
};

/** The units that a strategy can put first or that Option 1 can limit. */
export type JudgeUnit = 'uncovered' | 'call' | 'face' | 'change' | 'bcba' | 'swap' | 'lunch' | 'gap' | 'stub' | 'price';
export const HELD = ['uncovered', 'swap', 'lunch', 'gap', 'stub', 'price'] as const;
/** The maximum number of each unit that a plan may have. */
export type JudgeHeld = Partial<Record<(typeof HELD)[number], number>>;

/** The most of a unit that a plan beside Option 1 may have, by what Option 1 has. The price may be somewhat more. */
export const mostBeside = (unit: (typeof HELD)[number], option1: number): number =>
  unit === 'price' ? Math.floor(1.25 * option1) + 1000 : option1;

/** The strategies in the order in which an answer lists their options; `held`: limited by Option 1. */
export const JUDGE_STRATEGIES: Record<Strategy, { lead: JudgeUnit | null; points: number; held: boolean }> = {
  balanced: { lead: null, points: 0, held: false },
  'fewest-calls': { lead: 'call', points: 10_000, held: true },
  'fewest-faces': { lead: 'face', points: 10_000, held: true },
  'whole-sessions': { lead: 'change', points: 10_000, held: true },
  'bcba-free': { lead: 'bcba', points: 10_000, held: true },
  alternative: { lead: null, points: 0, held: false },
};

/** The points for each unit under a strategy. One unit of `uncovered` is one point. */
export function unitPoints(strategy: Strategy, unit: Exclude<JudgeUnit, 'price'>): number {
  const { lead, points } = JUDGE_STRATEGIES[strategy];
  return (unit === 'uncovered' ? 1 : JUDGE_POINTS[unit]) + (lead === unit ? points : 0);
}

/** The points for one uncovered slot, without the extra points that some strategies add. */
export function openSlotPoints(session: ProblemSession, client: JudgeClient | undefined): number {
  const usual =
    session.service === 'direct'
      ? (JUDGE_POINTS.uncovered * (client?.priority ?? 100)) / 100
      : JUDGE_POINTS.uncoveredOther;
  return Math.round((usual * (session.weight ?? 100)) / 100);
}

/** How many of a client's preferences a therapist lacks. */
export const mismatch = (client: JudgeClient | undefined, t: ProblemTherapist): number =>
  (client?.prefers ?? []).filter((tag) => !(t.tags ?? []).includes(tag)).length;

/** The points that a therapist's load steps give for this many slots of others' sessions. */
export function loadPoints(t: JudgeTherapist, given: number): number {
  let points = 0;
  for (const [from, each] of t.load ?? [[8, 4]]) points += Math.max(0, given - from - t.freed) * each;
  return points * JUDGE_POINTS.overload;
}

export const SLOTS = 48;
const DAY_START = 7 * 60;
const SLOT = 15;

const minutes = (time: string): number => {
  const match = /^(\d\d):(\d\d)$/.exec(time);
  if (!match) throw new Error(`not a time: ${time}`);
  return Number(match[1]) * 60 + Number(match[2]);
};
/**
 * The slot of a time, counted from 07:00; a fraction between quarter hours. Times outside the day count as the day's
 * start or end.
 */
export const slotOf = (time: string): number => Math.min(SLOTS, Math.max(0, exactSlotOf(time)));
export const exactSlotOf = (time: string): number => (minutes(time) - DAY_START) / SLOT;
export const timeOf = (slot: number): string => {
  const m = DAY_START + slot * SLOT;
  return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;
};

/** A therapist's day by slot. `freed`: how many slots their absent clients leave free. */
export interface JudgeTherapist extends ProblemTherapist {
  free: boolean[];
  away: boolean[];
  admin: boolean[];
  /** The slots at which the therapist comes or goes. */
  events: Set<number>;
  dayFrom: number;
  dayTo: number;
  freed: number;
  /** By slot, whether the therapist works even without any cover. The `lunch` term compares a plan with this list. */
  before: boolean[];
}

/** The ids of the people who must be told under any plan. */
function toldAnyway(problem: CoverProblem, model: JudgeModel): Set<string> {
  const told = new Set(problem.absences.map((x) => x.who));
  for (const p of model.parts) if (p.affected) told.add(p.session.client);
  for (const t of model.therapists.values()) if (t.freed > 0) told.add(t.id);
  return told;
}

export interface JudgeClient extends Required<Omit<ProblemClient, 'credentials' | 'payer'>> {
  credentials: ProblemClient['credentials'];
  away: boolean[];
}

/** A stretch of a client's session that is neither past nor within one of the client's absences. */
export interface JudgePart {
  session: ProblemSession & { client: string };
  from: number;
  to: number;
  affected: boolean;
  begun: boolean;
}

export interface JudgeModel {
  therapists: Map<string, JudgeTherapist>;
  clients: Map<string, JudgeClient>;
  sessions: Map<string, ProblemSession>;
  parts: JudgePart[];
  told: Set<string>;
  declined: Set<string>;
  /** The first slot that may still be planned. */
  now: number;
}

const day = (): boolean[] => new Array<boolean>(SLOTS).fill(false);

function readTherapist(t: ProblemTherapist): JudgeTherapist {
  const free = day();
  const events = new Set<number>();
  for (const [a, b] of t.available) {
    events.add(slotOf(a)).add(slotOf(b));
    for (let s = slotOf(a); s < slotOf(b); s++) free[s] = true;
  }
  return { ...t, free, away: day(), admin: day(), events, dayFrom: SLOTS, dayTo: 0, freed: 0, before: day() };
}

function readClient(c: ProblemClient): JudgeClient {
  const usual = {
    priority: 100,
    requiresGender: [],
    excludes: [],
    knows: {},
    knownOnly: false,
    credentials: null,
    needs: [],
    prefers: [],
  };
  return { ...usual, ...c, away: day() };
}

/** Reads a problem. Throws an `Error` if the problem cannot be read. */
export function judgeModel(problem: CoverProblem): JudgeModel {
  if (!['cover-problem/1', 'cover-problem/2', 'cover-problem/3'].includes(problem.format))
    throw new Error('not a cover-problem');
  const therapists = new Map(problem.therapists.map((t) => [t.id, readTherapist(t)]));
  const clients = new Map(problem.clients.map((c) => [c.id, readClient(c)]));
  const sessions = new Map(problem.sessions.map((s) => [s.id, s]));
  const now = problem.now ? Math.max(0, Math.ceil(exactSlotOf(problem.now))) : 0;
  for (const x of problem.absences) {
    const therapist = therapists.get(x.who);
    const who = therapist ?? clients.get(x.who);
    if (!who) throw new Error(`absence of an unknown person: ${x.who}`);
    for (let s = Math.floor(slotOf(x.start)); s < slotOf(x.end); s++) who.away[s] = true;
    therapist?.events.add(slotOf(x.start)).add(slotOf(x.end));
  }
  const declined = new Set((problem.declined ?? []).map((d) => `${d.therapist} ${d.session}`));
  const model: JudgeModel = { therapists, clients, sessions, parts: [], told: new Set(), declined, now };
  for (const s of sessions.values()) readSession(model, s);
  for (const t of therapists.values()) t.before = t.admin.map((admin, s) => admin && !t.away[s]);
  for (const p of model.parts) {
    const t = p.session.therapist === null ? undefined : therapists.get(p.session.therapist);
    for (let s = p.from; t && s < p.to; s++) if (!p.affected || !t.away[s]) t.before[s] = true;
  }
  model.told = toldAnyway(problem, model);
  return model;
}

function readSession(model: JudgeModel, s: ProblemSession): void {
  const [from, to] = [slotOf(s.start), slotOf(s.end)];
  const booked = s.therapist === null ? undefined : model.therapists.get(s.therapist);
  if (s.therapist !== null && !booked) throw new Error(`no such therapist: ${s.therapist}`);
  if (booked) {
    booked.events.add(from).add(to);
    booked.dayFrom = Math.min(booked.dayFrom, from);
    booked.dayTo = Math.max(booked.dayTo, to);
  }
  if (s.service === 'admin') {
    for (let i = from; booked && i < to; i++) booked.admin[i] = true;
    return;
  }
  const client = model.clients.get(s.client ?? '');
  if (!client) throw new Error(`no such client: ${s.client ?? 'none'}`);
  const first = Math.max(from, model.now);
  for (let i = first; i < to; i++) if (booked && client.away[i] && !booked.away[i]) booked.freed++;
  for (let i = first; i < to;) {
    if (client.away[i]) {
      i++;
      continue;
    }
    let j = i;
    while (j < to && !client.away[j]) j++;
    const affected = !booked || booked.away.slice(i, j).some(Boolean);
    const session = { ...s, client: client.id };
    model.parts.push({ session, from: i, to: j, affected, begun: from < i && i === model.now });
    i = j;
  }
}

/** Returns the reason why a therapist may never serve a session; null if there is none. */
export function barred(model: JudgeModel, t: JudgeTherapist, session: JudgePart['session']): string | null {
  const c = model.clients.get(session.client);
  if (!c) return 'no such client';
  if (session.service !== 'direct' && t.credential !== 'BCBA') return 'credential';
  if (c.credentials && !c.credentials.includes(t.credential)) return 'credential';
  if ((c.knownOnly || !['direct', 'supervision'].includes(session.service)) && !c.knows[t.id]) return 'not known';
  if (c.requiresGender.length > 0 && !c.requiresGender.includes(t.gender)) return 'gender';
  if (c.excludes.includes(t.id)) return 'excluded';
  if (t.onlyKnown && !c.knows[t.id]) return 'new here';
  if (!c.needs.every((tag) => (t.tags ?? []).includes(tag))) return 'needs';
  if (model.declined.has(`${t.id} ${session.id}`)) return 'declined';
  return null;
}
