/**
 * The problem in slots and indices: people, parts of sessions, who is busy when, and who may serve whom. It is built
 * once (`build-model.ts`) and never changed. All code that solves, checks or explains reads this model.
 */
import type { CoverProblem, Credential, Gender, ProblemPayer, Service } from './problem.ts';
import type { SlotRange } from './slots.ts';

/** The index that stands for no therapist. */
export const NOBODY = -1;

/** A therapist. Each slot map holds 0 or 1 for each of the day's 48 slots. */
export interface TherapistModel {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly credential: Credential;
  readonly gender: Gender;
  /** When the therapist is available. */
  readonly free: Uint8Array;
  readonly away: Uint8Array;
  /** Administrative time, which sessions may use. */
  readonly admin: Uint8Array;
  /**
   * Marks, among the 49 slot borders, those at which an availability window, an absence or a booked session of the
   * therapist begins or ends.
   */
  readonly events: Uint8Array;
  /** The booked day, from the start of the first session to the end of the last; 48 and 0 when nothing is booked. */
  dayFrom: number;
  dayTo: number;
  /** How many slots their own absent clients leave free. */
  freed: number;
  /**
   * Booked sessions and admin time, except while the therapist or the client is away. The `lunch` term compares a plan
   * with this map.
   */
  readonly before: Uint8Array;
  readonly availableSlots: number;
  readonly tags: ReadonlySet<string>;
  /** Whether the therapist is new and serves only clients who know them. */
  readonly onlyKnown: boolean;
  /** The maximum number of slots of other therapists' sessions, not counting `freed`; null when there is no limit. */
  readonly cap: number | null;
  /** The price of extra work, in steps: [beyond this many slots, not counting `freed`; extra points for each slot]. */
  readonly load: readonly (readonly [number, number])[];
  /** How much a call to the therapist counts. `told`: whether they must be called under any plan. */
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
  /** How well the client knows each therapist, by index: a value of FAMILIARITY. */
  readonly familiarity: Uint8Array;
  readonly away: Uint8Array;
  /** Tags that every substitute must have. */
  readonly needs: readonly string[];
  /** The payer who requires some of `needs` and `credentials`. */
  readonly payer: Readonly<ProblemPayer> | null;
  /** How many of the client's preferred tags each therapist lacks, by index. */
  readonly misses: Uint32Array;
  /** How much a call to the family counts. `told`: whether they must be called under any plan. */
  readonly call: number;
  told: boolean;
}

export interface SessionModel extends SlotRange {
  readonly id: string;
  readonly index: number;
  readonly client: ClientModel;
  /** The booked therapist's index, or NOBODY. */
  readonly booked: number;
  readonly service: Service;
  /** How much the session counts, in percent. */
  readonly weight: number;
  /** The indices of therapists who declined the session. */
  readonly declined: ReadonlySet<number>;
  readonly parts: Part[];
}

/**
 * A stretch of a session that still has to be planned: the client is present, and the time is not past. Each part is as
 * long as possible.
 */
export interface Part extends SlotRange {
  readonly index: number;
  readonly session: SessionModel;
  readonly client: ClientModel;
  readonly booked: number;
  /** Whether the session has no therapist, or a therapist who is away during this part. */
  readonly affected: boolean;
  /** Whether the session has already begun; if so, this part is what is left of the session. */
  readonly begun: boolean;
}

/** A stretch of a part with one therapist (by index) or NOBODY, in slots; `to` is not included. */
export interface PlanPiece extends SlotRange {
  readonly therapist: number;
}

/** A plan: the pieces of every part, by the part's index, in chronological order. */
export type Plan = readonly (readonly PlanPiece[])[];

export interface CoverModel {
  readonly problem: CoverProblem;
  readonly therapists: readonly TherapistModel[];
  readonly clients: readonly ClientModel[];
  /** The sessions with a client. Administrative time is in the therapists' `admin`. */
  readonly sessions: readonly SessionModel[];
  readonly parts: readonly Part[];
  /** The first slot that can still be planned. */
  readonly now: number;
  /** Whether the date is today. Rule 8 applies only today. */
  readonly today: boolean;
  readonly therapistById: ReadonlyMap<string, TherapistModel>;
  readonly sessionById: ReadonlyMap<string, SessionModel>;
  readonly affectedSlots: number;
}

export type ServeFault =
  | 'credential'
  /** The client accepts only people they know. */
  | 'not known'
  /** The service goes only to people whom the client knows, whatever the client accepts. */
  | 'has not met'
  | 'gender'
  | 'excluded'
  | 'new here'
  | 'needs'
  | 'payer'
  | 'declined';

/** Whether every tag that the therapist lacks is required only by the payer. */
const lacksOnlyForPayer = (therapist: TherapistModel, { needs, payer }: ClientModel): boolean =>
  needs.every((tag) => therapist.tags.has(tag) || payer?.needs.includes(tag) === true);

/** Why a therapist may never serve a session, whatever the time (rule 3); null when they may. */
export function serveFault(therapist: TherapistModel, session: SessionModel): ServeFault | null {
  const client = session.client;
  const known = client.familiarity[therapist.index] !== FAMILIARITY.new;
  if (session.service !== 'direct' && therapist.credential !== 'BCBA') return 'credential';
  if (client.credentials && !client.credentials.includes(therapist.credential))
    return client.payer?.credentials?.includes(therapist.credential) === false ? 'payer' : 'credential';
  if (client.knownOnly && !known) return 'not known';
  if (session.service === 'parent-training' && !known) return 'has not met';
  if (client.requiresGender.length > 0 && !client.requiresGender.includes(therapist.gender)) return 'gender';
  if (client.excludes.has(therapist.id)) return 'excluded';
  if (therapist.onlyKnown && !known) return 'new here';
  if (!client.needs.every((tag) => therapist.tags.has(tag)))
    return lacksOnlyForPayer(therapist, client) ? 'payer' : 'needs';
  if (session.declined.has(therapist.index)) return 'declined';
  return null;
}

/** The plan in which nothing moves and every affected part has no therapist: always legal, unless pins forbid it. */
export function emptyPlan(model: CoverModel): PlanPiece[][] {
  return model.parts.map((part) => [{ therapist: part.affected ? NOBODY : part.booked, from: part.from, to: part.to }]);
}

/** The stretches of a part with therapists, whoever they are. */
export function stretchesOf(pieces: readonly PlanPiece[]): SlotRange[] {
  const stretches: SlotRange[] = [];
  pieces.forEach(({ therapist, from, to }, i) => {
    if (therapist === NOBODY) return;
    const before = i > 0 && pieces[i - 1]!.therapist !== NOBODY ? stretches.pop() : undefined;
    stretches.push({ from: before?.from ?? from, to });
  });
  return stretches;
}

/** Whether an unaffected part does not change, that is, has one piece with its booked therapist. */
export function staysAsBooked(part: Part, pieces: readonly PlanPiece[]): boolean {
  return !part.affected && pieces.length === 1 && pieces[0]?.therapist === part.booked;
}
