/**
 * The problems of weeks, as read from `standing-problem/1`, `times-problem/1`, `makeup-problem/1` and `warm-problem/1`. Times are
 * slots of 15 minutes: slot 0 begins at 07:00. Dates are numbers too: their position in `dates`.
 */
import type { Gender, Service, Specialization } from '@clinic/domain';

export type ClientService = Exclude<Service, 'admin'>;
export type Familiarity = 'new' | 'known' | 'team';

/** A range of slots; `to` is not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a therapist does in a slot: nothing that can be given up, administrative time, or free. */
export const HOUR = { taken: 0, admin: 1, free: 2 } as const;

export interface Therapist {
  readonly index: number;
  readonly id: string;
  readonly credential: Specialization;
  readonly gender: Gender;
  readonly tags: ReadonlySet<string>;
  readonly onlyKnown: boolean;
  /** For each date, what they do in each slot; null on a date without free or administrative time. */
  readonly hours: readonly (Uint8Array | null)[];
  /** For each date, their booked day; null when they have none. */
  readonly day: readonly (Span | null)[];
  /** For each week, the most slots that they may be given. */
  readonly caps: readonly number[];
}

export interface Client {
  readonly index: number;
  readonly id: string;
  readonly priority: number;
  readonly requiresGender: readonly Gender[];
  readonly excludes: ReadonlySet<string>;
  readonly knownOnly: boolean;
  readonly credentials: readonly Specialization[] | null;
  readonly needs: readonly string[];
  /** How well the client knows each therapist, by the therapist's index. */
  readonly knows: readonly Familiarity[];
  readonly caps: readonly number[];
}

interface Shared {
  readonly dates: readonly string[];
  /** The Mondays of the weeks, and the position of each date's week among them. */
  readonly weeks: readonly string[];
  readonly weekOf: readonly number[];
  readonly therapists: readonly Therapist[];
  readonly clients: readonly Client[];
}

export interface Series extends Span {
  readonly index: number;
  readonly id: string;
  readonly client: Client;
  readonly service: ClientService;
  readonly dates: readonly number[];
  /** The points for one date on which no therapist takes the session. */
  readonly openPoints: number;
  /** The therapists who declined it, by index. */
  readonly declined: ReadonlySet<number>;
  /** The runs that it must have; null when it has no pin. */
  readonly pin: readonly Run[] | null;
}

/** Consecutive dates of a series, as positions in its own dates (`to` is not included), with one therapist or none. */
export interface Run extends Span {
  readonly therapist: Therapist | null;
  /** The positions that are left to their day. */
  readonly open: readonly number[];
}

export interface StandingProblem extends Shared {
  readonly kind: 'standing';
  readonly series: readonly Series[];
}

export interface TimesProblem extends Shared {
  readonly kind: 'times';
  readonly client: Client;
  /** For each date, whether the client is in a session, by slot. */
  readonly busy: readonly (Uint8Array | null)[];
  /** When the family can come, by weekday from Sunday. */
  readonly windows: readonly (readonly Span[])[];
  readonly wanted: {
    readonly sessions: number;
    readonly slots: number;
    readonly people: number;
    readonly service: ClientService;
  };
}

export interface Owed {
  readonly client: Client;
  readonly slots: number;
  /** The points for each slot that is not made up. */
  readonly points: number;
  /** For each date, when the client can come. */
  readonly windows: readonly (readonly Span[])[];
}

export interface MakeupProblem extends Shared {
  readonly kind: 'makeup';
  readonly owed: readonly Owed[];
}

/** A session, before a leave, of a client with someone they know. */
export interface JoinedSession extends Span {
  readonly id: string;
  readonly client: Client;
  readonly date: number;
}

/** A client and the therapist whom they are to meet, and how often. */
export interface Meeting {
  readonly client: Client;
  readonly therapist: Therapist;
  readonly times: number;
}

export interface WarmProblem extends Shared {
  readonly kind: 'warm';
  readonly sessions: readonly JoinedSession[];
  readonly meetings: readonly Meeting[];
  /** The length of an overlap. */
  readonly slots: number;
}

export type WeeksProblem = StandingProblem | TimesProblem | MakeupProblem | WarmProblem;
export type Kind = WeeksProblem['kind'];
export type People = Shared;
