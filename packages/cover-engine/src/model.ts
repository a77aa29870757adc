/**
 * The problem in slots and indices: people, parts, busy maps, and who may serve whom. Built once a problem; never
 * changed afterwards. Everything that solves, judges or explains reads this.
 */
import type { CoverProblem, Credential, Gender, Service } from './problem.ts';
import { DAY_START_MINUTE, minutesOf, SLOT_MINUTES, slotOf, SLOTS } from './slots.ts';

/** Index of "nobody" wherever a therapist's index may stand. */
export const NOBODY = -1;

/** Slot maps hold 0 or 1 for each of the 48 slots. */
export interface TherapistModel {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly credential: Credential;
  readonly gender: Gender;
  /** Available that day. */
  readonly free: Uint8Array;
  readonly away: Uint8Array;
  /** Admin time, which may be given up. */
  readonly admin: Uint8Array;
  /** 49 marks: somebody comes or goes here (windows, absences, sessions as booked). */
  readonly events: Uint8Array;
  /** Booked day, [from, to); 48 and 0 when nothing is booked. */
  dayFrom: number;
  dayTo: number;
  /** Slots that their own absent clients leave free. */
  freed: number;
  /** Work as booked, absences taken out: what `lunch` compares with. */
  readonly before: Uint8Array;
  readonly availableSlots: number;
}

export const FAMILIARITY = { new: 0, known: 1, team: 2 } as const;

export interface ClientModel {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly priority: number;
  readonly requiresGender: readonly Gender[];
  readonly excludes: ReadonlySet<string>;
  readonly knownOnly: boolean;
  readonly credentials: readonly Credential[] | null;
  /** By therapist index: a value of FAMILIARITY. */
  readonly familiarity: Uint8Array;
  readonly away: Uint8Array;
}

export interface SessionModel {
  readonly id: string;
  readonly index: number;
  readonly client: ClientModel;
  /** Therapist index or NOBODY. */
  readonly booked: number;
  readonly from: number;
  readonly to: number;
  readonly service: Service;
  readonly parts: Part[];
}

/** A maximal stretch of a session that is still to be given. */
export interface Part {
  readonly index: number;
  readonly session: SessionModel;
  readonly client: ClientModel;
  readonly booked: number;
  readonly from: number;
  readonly to: number;
  /** Its session has nobody, or its therapist is away at any moment of it. */
  readonly affected: boolean;
  /** It is what the present left of its session. */
  readonly begun: boolean;
}

/** A piece of a part: one therapist (index) or NOBODY over slots [from, to). */
export interface PlanPiece {
  readonly therapist: number;
  readonly from: number;
  readonly to: number;
}

/** Pieces of every part, by part index, in order of time. */
export type Plan = readonly (readonly PlanPiece[])[];

export interface CoverModel {
  readonly problem: CoverProblem;
  readonly therapists: readonly TherapistModel[];
  readonly clients: readonly ClientModel[];
  /** Sessions with a client; admin time is in the therapists' `admin`. */
  readonly sessions: readonly SessionModel[];
  readonly parts: readonly Part[];
  /** First slot that can still be planned. */
  readonly now: number;
  /** The date is today: rule 8 applies. */
  readonly today: boolean;
  readonly therapistById: ReadonlyMap<string, TherapistModel>;
  readonly sessionById: ReadonlyMap<string, SessionModel>;
  readonly affectedSlots: number;
}

export type ServeFault = 'credential' | 'not known' | 'gender' | 'excluded';

/** Why a therapist may not serve a session at all (rule 3), whatever the time; null when they may. */
export function serveFault(therapist: TherapistModel, session: SessionModel): ServeFault | null {
  const client = session.client;
  const known = client.familiarity[therapist.index] !== FAMILIARITY.new;
  if (session.service !== 'direct' && therapist.credential !== 'BCBA') return 'credential';
  if (client.credentials && !client.credentials.includes(therapist.credential)) return 'credential';
  if ((client.knownOnly || session.service !== 'direct') && !known) return 'not known';
  if (client.requiresGender.length > 0 && !client.requiresGender.includes(therapist.gender)) return 'gender';
  if (client.excludes.has(therapist.id)) return 'excluded';
  return null;
}

function buildTherapists(problem: CoverProblem): TherapistModel[] {
  return problem.therapists.map((t, index) => {
    const free = new Uint8Array(SLOTS);
    const events = new Uint8Array(SLOTS + 1);
    for (const [start, end] of t.available) {
      events[slotOf(start)] = 1;
      events[slotOf(end)] = 1;
      free.fill(1, slotOf(start), slotOf(end));
    }
    return {
      id: t.id,
      index,
      name: t.name,
      credential: t.credential,
      gender: t.gender,
      free,
      away: new Uint8Array(SLOTS),
      admin: new Uint8Array(SLOTS),
      events,
      dayFrom: SLOTS,
      dayTo: 0,
      freed: 0,
      before: new Uint8Array(SLOTS),
      availableSlots: free.reduce((n, v) => n + v, 0),
    };
  });
}

function buildClients(problem: CoverProblem): ClientModel[] {
  return problem.clients.map((c, index) => {
    const knows = new Map(Object.entries(c.knows ?? {}));
    return {
      id: c.id,
      index,
      name: c.name,
      priority: c.priority ?? 100,
      requiresGender: c.requiresGender ?? [],
      excludes: new Set(c.excludes ?? []),
      knownOnly: c.knownOnly ?? false,
      credentials: c.credentials ?? null,
      familiarity: Uint8Array.from(problem.therapists, (t) => FAMILIARITY[knows.get(t.id) ?? 'new']),
      away: new Uint8Array(SLOTS),
    };
  });
}

function markAbsences(
  problem: CoverProblem,
  therapists: Map<string, TherapistModel>,
  clients: Map<string, ClientModel>,
): void {
  for (const absence of problem.absences) {
    const therapist = therapists.get(absence.who);
    const who = therapist ?? clients.get(absence.who);
    if (!who) throw new Error(`absence of nobody: ${absence.who}`);
    const [from, to] = [slotOf(absence.start), slotOf(absence.end)];
    // Off the grid an absence takes every quarter hour that it touches.
    who.away.fill(1, Math.floor(from), Math.ceil(to));
    if (!therapist) continue;
    if (Number.isInteger(from)) therapist.events[from] = 1;
    if (Number.isInteger(to)) therapist.events[to] = 1;
  }
}

function cutIntoParts(session: SessionModel, booked: TherapistModel | undefined, now: number, parts: Part[]): void {
  const away = session.client.away;
  const first = Math.max(session.from, now);
  for (let from = first; from < session.to;) {
    if (away[from]) {
      if (booked && !booked.away[from]) booked.freed++;
      from++;
      continue;
    }
    let to = from;
    while (to < session.to && !away[to]) to++;
    const affected = !booked || booked.away.subarray(from, to).includes(1);
    const begun = session.from < from && from === now;
    const part: Part = {
      index: parts.length,
      session,
      client: session.client,
      booked: session.booked,
      from,
      to,
      affected,
      begun,
    };
    parts.push(part);
    session.parts.push(part);
    from = to;
  }
}

function markWorkBefore(therapists: readonly TherapistModel[], parts: readonly Part[]): void {
  for (const t of therapists) for (let k = 0; k < SLOTS; k++) if (t.admin[k] && !t.away[k]) t.before[k] = 1;
  for (const part of parts) {
    const t = therapists[part.booked];
    if (t) for (let k = part.from; k < part.to; k++) if (!part.affected || !t.away[k]) t.before[k] = 1;
  }
}

/** The model of a problem that `parseProblem` has passed; throws on one that it would refuse. */
export function buildModel(problem: CoverProblem): CoverModel {
  const therapists = buildTherapists(problem);
  const clients = buildClients(problem);
  const therapistById = new Map(therapists.map((t) => [t.id, t]));
  const clientById = new Map(clients.map((c) => [c.id, c]));
  markAbsences(problem, therapistById, clientById);
  const today = problem.now != null;
  const now = today
    ? Math.max(0, Math.ceil(((minutesOf(problem.now ?? '') ?? 0) - DAY_START_MINUTE) / SLOT_MINUTES))
    : 0;
  const sessions: SessionModel[] = [];
  const parts: Part[] = [];
  for (const s of problem.sessions) {
    const [from, to] = [slotOf(s.start), slotOf(s.end)];
    const booked = s.therapist === null ? undefined : therapistById.get(s.therapist);
    if (booked) {
      booked.events[from] = 1;
      booked.events[to] = 1;
      booked.dayFrom = Math.min(booked.dayFrom, from);
      booked.dayTo = Math.max(booked.dayTo, to);
    }
    if (s.service === 'admin') {
      booked?.admin.fill(1, from, to);
      continue;
    }
    const client = clientById.get(s.client ?? '');
    if (!client) throw new Error(`session of nobody: ${s.id}`);
    const session: SessionModel = {
      id: s.id,
      index: sessions.length,
      client,
      booked: booked?.index ?? NOBODY,
      from,
      to,
      service: s.service,
      parts: [],
    };
    sessions.push(session);
  }
  for (const session of sessions) cutIntoParts(session, therapists[session.booked], now, parts);
  markWorkBefore(therapists, parts);
  return {
    problem,
    therapists,
    clients,
    sessions,
    parts,
    now,
    today,
    therapistById,
    sessionById: new Map(sessions.map((s) => [s.id, s])),
    affectedSlots: parts.reduce((n, p) => n + (p.affected ? p.to - p.from : 0), 0),
  };
}

/** The plan in which nothing moves and every affected part has nobody: always a plan, unless pins say otherwise. */
export function emptyPlan(model: CoverModel): PlanPiece[][] {
  return model.parts.map((part) => [{ therapist: part.affected ? NOBODY : part.booked, from: part.from, to: part.to }]);
}

/** A part's single piece is its booked therapist's and nothing about it changes. */
export function staysAsBooked(part: Part, pieces: readonly PlanPiece[]): boolean {
  return !part.affected && pieces.length === 1 && pieces[0]?.therapist === part.booked;
}
