import type {
  ExtraTime,
  Gender,
  HourLimits,
  Hours,
  Interval,
  IsoDate,
  Location,
  PayerRequirement,
  RecentCare,
  Specialization,
  Service,
} from '@clinic/domain';
import type { LeaveTag } from './leaves.ts';
import type { DayLoss } from './losses.ts';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import type { DeclinedTime } from '../../db/schema/calls.ts';

export interface DayTherapist {
  id: string;
  firstName: string;
  displayName: string;
  /** The therapist's home location; they may also be booked at others. */
  location: Location;
  /** The credential that counts on this date. */
  credential: Specialization;
  gender: Gender;
  /** Whether the therapist has left the clinic but still has sessions on this day. */
  deleted: boolean;
  /** A sentence saying why the therapist is not employed on this date; null if they are employed. */
  notEmployed: string | null;
  /** Whether the therapist is so new that they cover only for clients who already know them. */
  newHere: boolean;
  /** The therapist's tags on this date, spelled like the tags of the day's clients. */
  tags: string[];
  /**
   * How many slots of other therapists' sessions the therapist may take (`cap`), what each slot costs (`load`), a
   * sentence about their hours (`standing`), and their hours and limits. Null when the day was loaded with
   * `familiarity: false`.
   */
  work: { cap: number; load: [number, number][]; standing: string; hours: Hours; limits: HourLimits } | null;
  /** When the therapist is available on this date, sorted by time. */
  available: readonly Interval[];
  /** For how long the therapist's home location is closed on this date, so that they can help elsewhere; null at home. */
  freed: readonly Interval[] | null;
}

/** Whether the therapist is employed at the clinic on the day. */
export const isHere = (therapist: Pick<DayTherapist, 'deleted' | 'notEmployed'>): boolean =>
  !therapist.deleted && therapist.notEmployed === null;

export interface DayClient {
  id: string;
  firstName: string;
  displayName: string;
  location: Location;
  gender: Gender;
  /** The stored priority in percent: set by a person, or else 100. Plans use the one of `withPriorities`. */
  priority: number;
  /**
   * The care of the 28 days before the date, and of the last week. In a day loaded without familiarity, nothing is
   * booked.
   */
  care: RecentCare;
  /** A sentence that says why the priority is not the usual one; null when there is nothing to say. */
  priorityWhy: string | null;
  twoToOne: boolean;
  careTeamOnly: boolean;
  rbtOrAbove: boolean;
  requiresGender: Gender[];
  /** The ids of the therapists that this client excludes. */
  excludesTherapist: string[];
  /** The tags that a therapist must have (`needs`), and the tags that the client prefers (`prefers`). */
  needs: string[];
  prefers: string[];
  /**
   * What the payers of the date's sessions require of therapists. Empty when the day was loaded with `familiarity:
   * false`.
   */
  payers: readonly PayerRequirement[];
  /**
   * How well the client knows each therapist, by the therapist's id; a therapist without an entry is new to them. Empty
   * when the day was loaded with `familiarity: false`.
   */
  knows: Map<string, Familiarity>;
}

export type Familiarity = 'team' | 'known';

export interface DayAppointment extends Interval {
  /** The appointment's key in the database. */
  key: string;
  /** The Id that users see; imported data may contain the same Id twice. */
  wireId: string;
  location: Location;
  clientId: string | null;
  therapistId: string | null;
  bookedTherapistId: string | null;
  service: Service;
  subject: string;
  status: AppointmentStatus;
  place: string;
  clientPlace: string;
  seat: number;
  groupKey: string | null;
  clash: boolean;
  parentId: string | null;
  seriesId: string | null;
  commitId: string | null;
  familyToldAt: string | null;
  version: number;
  /** Whether the appointment takes up time: it is neither cancelled, a no-show nor deleted. */
  occupies: boolean;
  /** Why the booked therapist will not come, e.g. `said no at 7:12`. */
  declined?: string | undefined;
  /** Why the session was cancelled or was a no-show, if recorded. */
  loss?: DayLoss;
}

/** An appointment with its date. */
export interface DatedAppointment extends DayAppointment {
  readonly date: IsoDate;
}

/** Equal for the appointments that are one session: the members of a group with one therapist, service and time. */
export const groupOf = ({ key, groupKey, therapistId, start, end, service }: DayAppointment): string =>
  groupKey === null ? key : JSON.stringify([groupKey, therapistId, start, end, service]);

/** Returns the key of the original appointment, which all pieces of a session share. */
export const rootOf = ({ key, parentId }: Pick<DayAppointment, 'key' | 'parentId'>): string => parentId ?? key;

/** An `end` of 1440 means midnight at the end of the day. */
export interface DayAbsence extends Interval {
  id: string;
  location: Location;
  therapistId: string | null;
  clientId: string | null;
  loss?: DayLoss;
  /** Whether the person does not know of it yet, if someone said so; else the cause decides (`saidThemselves`). */
  untold?: boolean;
  /** The absence over several dates that this one belongs to. */
  leave?: LeaveTag;
}

/**
 * How much this session weighs if it has no therapist, in percent of an ordinary session of the same service, with
 * sentences that explain the weight.
 */
export interface SessionWeight {
  readonly percent: number;
  readonly why: readonly string[];
  /** Whether no authorization pays for the session. */
  readonly unpaid?: true;
}

/**
 * A refusal: a therapist will not take certain sessions on a date, because the therapist said no when called, or
 * because a client's family asked for someone else.
 */
export interface Decline {
  readonly id: string;
  readonly date: IsoDate;
  readonly therapistId: string;
  /** The client whose family asked for another therapist; null when the therapist said no. */
  readonly clientId: string | null;
  /** `until`: the therapist is away until the time in the field `until`. */
  readonly scope: 'session' | 'today' | 'until';
  /** The sessions that the therapist will not take, each by the key of its original appointment (`rootOf`). */
  readonly sessions: readonly string[];
  /** The times and clients that the therapist said no to; later changes to the sessions do not change these. */
  readonly saidTo: readonly DeclinedTime[];
  /** The therapist's absences that were recorded together with the no. */
  readonly away: readonly Interval[];
  readonly until: number | null;
  /** When the therapist or the family said no, in minutes after midnight by the clinic's clock. */
  readonly saidAt: number;
  readonly by: string;
  /** The call answer that recorded the no; null if it was recorded in another way. */
  readonly answerId: string | null;
}

/** A therapist who was asked to stay late or to come early for a session. */
export interface ExtraHours extends ExtraTime {
  readonly id: string;
  readonly therapistId: string;
  /** The key of the original appointment (`rootOf`). */
  readonly session: string;
  /** `sheet` means that the day sheet was sent before the therapist had agreed or said no. */
  readonly state: 'asked' | 'agreed' | 'sheet';
}

/** Where calls told a therapist to be in the time in which they had lost their sessions. */
export interface FreeTold {
  /** They were released: they may have gone home, and must be asked to come back. */
  readonly released: readonly Interval[];
  /** They stand by: they are there for a session without a therapist. */
  readonly standBy: readonly Interval[];
}

/**
 * Everyone at a location on a date, the location's appointments, and its therapists' appointments at other locations. A
 * day loaded with `familiarity: false` has no tags, needs, restrictions or newcomers.
 */
export interface ClinicDay {
  location: Location;
  date: IsoDate;
  /** Grows with every change to the day; 0 before the first change. */
  version: number;
  /** Whether this is a demo clinic, in which no time counts as past. */
  isDemo: boolean;
  /** The location's therapists and all others who are booked there that day, sorted by name. */
  therapists: DayTherapist[];
  /** The location's clients who have not left, and every client in `appointments`, sorted by name. */
  clients: DayClient[];
  /**
   * The location's appointments, and these therapists' appointments at other locations, with any status, sorted by
   * start and key.
   */
  appointments: DayAppointment[];
  /** The absences of these people, recorded at any location, except those withdrawn. */
  absences: DayAbsence[];
  /**
   * The sessions that count more or less than an ordinary session, by key. Empty when the day was loaded with
   * `familiarity: false`.
   */
  weights: ReadonlyMap<string, SessionWeight>;
  /** The day's declines, except those taken back. */
  declines: Decline[];
  /** What calls told therapists about time in which they had lost their sessions, by the therapist's id. */
  freeTold: ReadonlyMap<string, FreeTold>;
  /** The therapists who were asked to stay late or to come early for a session that they still have. */
  extra: ExtraHours[];
}

/**
 * A client's team consists of the therapists with at least this many sessions with the client within `TEAM_DAYS` days.
 */
export const TEAM_SESSIONS = 4;
export const TEAM_DAYS = 28;
/** A client knows a therapist if they had a session within this many days. */
export const KNOWN_DAYS = 90;
