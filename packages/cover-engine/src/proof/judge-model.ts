/**
 * The outside judge's reading of a cover problem, in quarter-hour slots: slot 0 is 07:00, slot 48 is 19:00.
 * Written from the problem's definition, apart from the engine, and never importing it: a fault in one is seen by the other.
 */
import type { CoverProblem, ProblemClient, ProblemSession, ProblemTherapist, Strategy, Term } from '../problem.ts';

/** Points by term; `uncoveredOther` is a slot of a service other than direct. */
export type JudgeWeights = Record<Term | 'uncoveredOther', number>;

const BALANCED: JudgeWeights = {
  ...{ uncovered: 1000, uncoveredOther: 400, gap: 4000, change: 300, swap: 2500, short: 150, new: 25, known: 8 },
  ...{ bcba: 60, admin: 20, taken: 60, callin: 10, added: 2, overload: 4, lunch: 1500 },
};

/** In the order in which options are given. */
export const JUDGE_STRATEGIES: Record<Strategy, JudgeWeights> = {
  balanced: BALANCED,
  'fewest-changes': { ...BALANCED, swap: 20000, change: 1000 },
  'most-familiar': { ...BALANCED, new: 150, known: 40, short: 600 },
  'most-care': { ...BALANCED, uncovered: 20000, uncoveredOther: 8000, gap: 500 },
  'whole-sessions': { ...BALANCED, change: 5000, taken: 0 },
  'bcba-free': { ...BALANCED, bcba: 300 },
  alternative: BALANCED,
};

export const SLOTS = 48;
const DAY_START = 7 * 60;
const SLOT = 15;

const minutes = (time: string): number => {
  const match = /^(\d\d):(\d\d)$/.exec(time);
  if (!match) throw new Error(`not a time: ${time}`);
  return Number(match[1]) * 60 + Number(match[2]);
};
/** Clamped to the day. */
export const slotOf = (time: string): number => Math.min(SLOTS, Math.max(0, exactSlotOf(time)));
export const exactSlotOf = (time: string): number => (minutes(time) - DAY_START) / SLOT;
export const timeOf = (slot: number): string => {
  const m = DAY_START + slot * SLOT;
  return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;
};

/** A therapist's day by slot. `freed`: slots that absent clients leave them. */
export interface JudgeTherapist extends ProblemTherapist {
  free: boolean[];
  away: boolean[];
  admin: boolean[];
  /** Slots where they come or go. */
  events: Set<number>;
  dayFrom: number;
  dayTo: number;
  freed: number;
  /** Working by slot before any cover: the lunch they would have had. */
  before: boolean[];
}

export interface JudgeClient extends Required<Omit<ProblemClient, 'credentials'>> {
  credentials: ProblemClient['credentials'];
  away: boolean[];
}

/** A session of a client: what remains of one after absences and the present. */
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
  /** First slot that may still be planned. */
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
  const usual = { priority: 100, requiresGender: [], excludes: [], knows: {}, knownOnly: false, credentials: null };
  return { ...usual, ...c, away: day() };
}

/** Throws an `Error` where the problem cannot be read. */
export function judgeModel(problem: CoverProblem): JudgeModel {
  if (problem.format !== 'cover-problem/1') throw new Error('not a cover-problem/1');
  const therapists = new Map(problem.therapists.map((t) => [t.id, readTherapist(t)]));
  const clients = new Map(problem.clients.map((c) => [c.id, readClient(c)]));
  const sessions = new Map(problem.sessions.map((s) => [s.id, s]));
  const now = problem.now ? Math.max(0, Math.ceil(exactSlotOf(problem.now))) : 0;
  for (const x of problem.absences) {
    const therapist = therapists.get(x.who);
    const who = therapist ?? clients.get(x.who);
    if (!who) throw new Error(`absence of nobody: ${x.who}`);
    for (let s = Math.floor(slotOf(x.start)); s < slotOf(x.end); s++) who.away[s] = true;
    therapist?.events.add(slotOf(x.start)).add(slotOf(x.end));
  }
  const model: JudgeModel = { therapists, clients, sessions, parts: [], now };
  for (const s of sessions.values()) readSession(model, s);
  for (const t of therapists.values()) t.before = t.admin.map((admin, s) => admin && !t.away[s]);
  for (const p of model.parts) {
    const t = p.session.therapist === null ? undefined : therapists.get(p.session.therapist);
    for (let s = p.from; t && s < p.to; s++) if (!p.affected || !t.away[s]) t.before[s] = true;
  }
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

/** Why a therapist may not serve a session at all, or null. */
export function barred(model: JudgeModel, t: JudgeTherapist, session: JudgePart['session']): string | null {
  const c = model.clients.get(session.client);
  if (!c) return 'no such client';
  if (session.service !== 'direct' && t.credential !== 'BCBA') return 'credential';
  if (c.credentials && !c.credentials.includes(t.credential)) return 'credential';
  if ((c.knownOnly || session.service !== 'direct') && !c.knows[t.id]) return 'not known';
  if (c.requiresGender.length > 0 && !c.requiresGender.includes(t.gender)) return 'gender';
  if (c.excludes.includes(t.id)) return 'excluded';
  return null;
}
