import type { ExtraTime, Gender, IsoDate, Location, PayerRequirement, Specialization, Service } from '@clinic/domain';
import type { DayLoss } from './losses.ts';
import type { AppointmentStatus } from '../db/schema.ts';
import type { Decline } from './declines.ts';

/** A time of day in minutes after midnight; the end is not included. */
export interface Window {
  start: number;
  end: number;
}

export interface DayTherapist {
  id: string;
  firstName: string;
  displayName: string;
  /** The therapist's own location; they may also be booked at others. */
  location: Location;
  /** The credential that counts on this date. */
  credential: Specialization;
  gender: Gender;
  /** Whether the therapist has left the clinic but is still booked on this day. */
  deleted: boolean;
  /** A sentence that says why the therapist does not work at the clinic on this date; null when they do. */
  notEmployed: string | null;
  /** Whether the therapist is so new that they cover only for clients who know them. */
  newHere: boolean;
  /** The therapist's tags on this date, spelled like those of the day's clients. */
  tags: string[];
  /**
   * How many slots of others' sessions the therapist may take, what each costs, and their hours as a sentence; null
   * when loaded without familiarity.
   */
  work: { cap: number; load: [number, number][]; standing: string } | null;
  /** When the therapist is available on this weekday, in order. */
  available: Window[];
}

/** Whether the therapist can work at all on the day. */
export const isHere = (therapist: Pick<DayTherapist, 'deleted' | 'notEmployed'>): boolean =>
  !therapist.deleted && therapist.notEmployed === null;

export interface DayClient {
  id: string;
  firstName: string;
  displayName: string;
  location: Location;
  gender: Gender;
  /**
   * In percent: set by a person, or computed from the care of the last weeks; as stored when loaded without
   * familiarity.
   */
  priority: number;
  twoToOne: boolean;
  careTeamOnly: boolean;
  rbtOrAbove: boolean;
  requiresGender: Gender[];
  /** The ids of excluded therapists. */
  excludesTherapist: string[];
  /** The tags that every therapist must have, and those that are better for the client. */
  needs: string[];
  prefers: string[];
  /** What the payers of the date's sessions require. Empty when loaded without familiarity. */
  payers: readonly PayerRequirement[];
  /**
   * How well the client knows therapists, by id; a therapist who is not listed is new to them. Empty when loaded
   * without familiarity.
   */
  knows: Map<string, Familiarity>;
}

export type Familiarity = 'team' | 'known';

export interface DayAppointment {
  /** The key of the appointment. */
  key: string;
  /** The Id that people see; imported data may contain the same Id twice. */
  wireId: string;
  location: Location;
  clientId: string | null;
  therapistId: string | null;
  bookedTherapistId: string | null;
  service: Service;
  subject: string;
  status: AppointmentStatus;
  start: number;
  end: number;
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
  /** Whether the appointment takes time: it is not cancelled, a no-show or deleted. */
  occupies: boolean;
  /** Why the booked therapist will not come: `said no at 7:12`. */
  declined?: string | undefined;
  /** Why the session was cancelled or missed, if that is recorded. */
  loss?: DayLoss;
}

/** An `end` of 1440 is the end of the day. */
export interface DayAbsence extends Window {
  id: string;
  location: Location;
  therapistId: string | null;
  clientId: string | null;
  loss?: DayLoss;
}

/**
 * How much a session counts when it has no therapist, in percent of other sessions of its kind, and sentences that
 * say why.
 */
export interface SessionWeight {
  readonly percent: number;
  readonly why: readonly string[];
}

/** A therapist who was asked to stay late or to come early for a session. */
export interface ExtraHours extends ExtraTime {
  readonly id: string;
  readonly therapistId: string;
  /** The appointment as first booked (`rootOf`). */
  readonly session: string;
  /** `sheet`: the day sheet was sent before they had said yes or no. */
  readonly state: 'asked' | 'agreed' | 'sheet';
}

/**
 * Everyone at a location on a date, and all of their appointments that day, at any location. Loaded without matching,
 * it has no tags, needs, restrictions or newcomers.
 */
export interface ClinicDay {
  location: Location;
  date: IsoDate;
  /** A number that grows with every change to the day; 0 before the first. */
  version: number;
  /** The therapists of the location and those booked there that day, by name. */
  therapists: DayTherapist[];
  /** The location's clients who have not left, and all clients of the appointments below, by name. */
  clients: DayClient[];
  /** The location's appointments, and those of these therapists elsewhere, with any status, by start and key. */
  appointments: DayAppointment[];
  /** The absences of these people, at any location, without withdrawn ones. */
  absences: DayAbsence[];
  /** The sessions that count more or less than others, by key. Empty when loaded without familiarity. */
  weights: ReadonlyMap<string, SessionWeight>;
  /** The therapists who said no, until that is taken back. */
  declines: Decline[];
  /** Therapists who were asked to stay late or to come early for a session that they have. */
  extra: ExtraHours[];
}

/** With this many sessions within the number of days below, a therapist is on a client's team. */
export const TEAM_SESSIONS = 4;
export const TEAM_DAYS = 28;
/** A therapist is known to a client after a session within this many days. */
export const KNOWN_DAYS = 90;
