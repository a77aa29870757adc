import { USUAL_LOAD } from '@clinic/domain';
import {
  FAMILIARITY,
  NOBODY,
  type ClientModel,
  type CoverModel,
  type Part,
  type SessionModel,
  type TherapistModel,
} from './model.ts';
import type { CoverProblem } from './problem.ts';
import { exactSlotOf, slotOf, SLOTS } from './slots.ts';

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
      tags: new Set(t.tags ?? []),
      onlyKnown: t.onlyKnown ?? false,
      cap: t.cap ?? null,
      load: t.load ?? USUAL_LOAD,
      call: t.call ?? 1,
      told: false,
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
      needs: c.needs ?? [],
      payer: c.payer ?? null,
      misses: Uint32Array.from(problem.therapists, (t) => missing(c.prefers ?? [], t.tags ?? [])),
      call: 1,
      told: false,
    };
  });
}

const missing = (wanted: readonly string[], had: readonly string[]): number =>
  wanted.filter((tag) => !had.includes(tag)).length;

function markAbsences(
  problem: CoverProblem,
  therapists: Map<string, TherapistModel>,
  clients: Map<string, ClientModel>,
): void {
  for (const absence of problem.absences) {
    const therapist = therapists.get(absence.who);
    const who = therapist ?? clients.get(absence.who);
    if (!who) throw new Error(`absence of an unknown person: ${absence.who}`);
    who.told = true;
    const [from, to] = [slotOf(absence.start), slotOf(absence.end)];
    // An absence that begins or ends inside a slot counts for the whole slot.
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

const models = new WeakMap<CoverProblem, CoverModel>();

/**
 * The model of a problem, built when it is first asked for, and the same for all who ask. Another choice of pins, or
 * figures without calls, needs a model of its own: `buildModel`.
 */
export function modelOf(problem: CoverProblem): CoverModel {
  const model = models.get(problem) ?? buildModel(problem);
  models.set(problem, model);
  return model;
}

/**
 * Builds the model of a problem that `parseProblem` has accepted. Throws an Error if an absence names an unknown
 * person, or a session an unknown client. With `calls: false`, a plan's figures count no calls, because no one will be
 * told about the plan.
 */
export function buildModel(problem: CoverProblem, { calls = true }: { calls?: boolean } = {}): CoverModel {
  const therapists = buildTherapists(problem);
  const clients = buildClients(problem);
  const therapistById = new Map(therapists.map((t) => [t.id, t]));
  const clientById = new Map(clients.map((c) => [c.id, c]));
  markAbsences(problem, therapistById, clientById);
  const today = problem.now != null;
  const now = today ? Math.max(0, Math.ceil(exactSlotOf(problem.now ?? ''))) : 0;
  const declined = new Map<string, Set<number>>();
  for (const d of problem.declined ?? []) {
    const who = therapistById.get(d.therapist)?.index ?? NOBODY;
    declined.set(d.session, (declined.get(d.session) ?? new Set()).add(who));
  }
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
    if (!client) throw new Error(`session of an unknown client: ${s.id}`);
    const session: SessionModel = {
      id: s.id,
      index: sessions.length,
      client,
      booked: booked?.index ?? NOBODY,
      from,
      to,
      service: s.service,
      weight: s.weight ?? 100,
      declined: declined.get(s.id) ?? new Set(),
      parts: [],
    };
    sessions.push(session);
  }
  for (const session of sessions) cutIntoParts(session, therapists[session.booked], now, parts);
  markWorkBefore(therapists, parts);
  // People who must be told whatever the plan is: therapists whose client is away, and families of affected sessions.
  // Absent people are already marked.
  for (const t of therapists) if (t.freed > 0) t.told = true;
  for (const part of parts) if (part.affected) part.client.told = true;
  if (!calls) for (const who of [...therapists, ...clients]) who.told = true;
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
