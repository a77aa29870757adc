/**
 * The problem in slots and indices: people, parts, busy maps, and who may serve whom. Built once per problem
 * (`build-model.ts`) and never changed. Everything that solves, checks or explains reads this.
 */
import type { CoverProblem, Credential, Gender, Service } from './problem.ts';
import type { SlotRange } from './slots.ts';

/** The index that means no therapist. */
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
  /** 49 marks: someone comes or goes here (windows, absences, sessions as booked). */
  readonly events: Uint8Array;
  /** Booked day, [from, to); 48 and 0 when nothing is booked. */
  dayFrom: number;
  dayTo: number;
  /** Slots that their own absent clients leave free. */
  freed: number;
  /** Work as booked, without absences: what `lunch` compares with. */
  readonly before: Uint8Array;
  readonly availableSlots: number;
  readonly tags: ReadonlySet<string>;
  /** New here: serves only clients who know them. */
  readonly onlyKnown: boolean;
  /** Most slots of others' sessions beyond `freed`; null: no limit. */
  readonly cap: number | null;
  /** Steps of extra work: [slots given (beyond `freed`) before it counts, extra points per slot]. */
  readonly load: readonly (readonly [number, number])[];
  /** What a call to them counts, and whether they must be called whatever the plan. */
  readonly call: number;
  told: boolean;
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
  /** Tags that every substitute must have. */
  readonly needs: readonly string[];
  /** By therapist index: how many of the client's preferred tags they lack. */
  readonly misses: Uint8Array;
  /** What a call to the family counts, and whether they must be called whatever the plan. */
  readonly call: number;
  told: boolean;
}

export interface SessionModel extends SlotRange {
  readonly id: string;
  readonly index: number;
  readonly client: ClientModel;
  /** Therapist index or NOBODY. */
  readonly booked: number;
  readonly service: Service;
  /** Percent. */
  readonly weight: number;
  /** Indices of therapists who declined it. */
  readonly declined: ReadonlySet<number>;
  readonly parts: Part[];
}

/** A maximal stretch of a session that still needs a therapist. */
export interface Part extends SlotRange {
  readonly index: number;
  readonly session: SessionModel;
  readonly client: ClientModel;
  readonly booked: number;
  /** Its session has no therapist, or its therapist is away at some moment of it. */
  readonly affected: boolean;
  /** The present cut its session; this is the rest. */
  readonly begun: boolean;
}

/** A piece of a part: one therapist (index) or NOBODY over slots [from, to). */
export interface PlanPiece extends SlotRange {
  readonly therapist: number;
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

export type ServeFault = 'credential' | 'not known' | 'gender' | 'excluded' | 'new here' | 'needs' | 'declined';

/** Why a therapist may not serve a session at all (rule 3), whatever the time; null when they may. */
export function serveFault(therapist: TherapistModel, session: SessionModel): ServeFault | null {
  const client = session.client;
  const known = client.familiarity[therapist.index] !== FAMILIARITY.new;
  if (session.service !== 'direct' && therapist.credential !== 'BCBA') return 'credential';
  if (client.credentials && !client.credentials.includes(therapist.credential)) return 'credential';
  if ((client.knownOnly || session.service !== 'direct') && !known) return 'not known';
  if (client.requiresGender.length > 0 && !client.requiresGender.includes(therapist.gender)) return 'gender';
  if (client.excludes.has(therapist.id)) return 'excluded';
  if (therapist.onlyKnown && !known) return 'new here';
  if (!client.needs.every((tag) => therapist.tags.has(tag))) return 'needs';
  if (session.declined.has(therapist.index)) return 'declined';
  return null;
}

/**
 * The plan in which nothing moves and every affected part has no therapist: always legal, unless pins say otherwise.
 */
export function emptyPlan(model: CoverModel): PlanPiece[][] {
  return model.parts.map((part) => [{ therapist: part.affected ? NOBODY : part.booked, from: part.from, to: part.to }]);
}

/** Whether a part has a single piece with its booked therapist, and so does not change. */
export function staysAsBooked(part: Part, pieces: readonly PlanPiece[]): boolean {
  return !part.affected && pieces.length === 1 && pieces[0]?.therapist === part.booked;
}
