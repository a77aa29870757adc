import type { ExtraTime, Gender, IsoDate, Location, Specialization, Service } from '@clinic/domain';
import type { DayLoss } from './losses.ts';
import type { AppointmentStatus } from '../db/schema.ts';
import type { Decline } from './declines.ts';

/** Minutes after midnight, [start, end). */
export interface Window {
  start: number;
  end: number;
}

export interface DayTherapist {
  id: string;
  firstName: string;
  displayName: string;
  /** Their home location; they may also be booked elsewhere. */
  location: Location;
  /** What they count as on this date. */
  credential: Specialization;
  gender: Gender;
  /** No longer with the clinic, but still booked on this day. */
  deleted: boolean;
  /** Set: why they cannot work on this date, as a sentence: before their first day, or after their last. */
  notEmployed: string | null;
  /** Within their first days, in which they cover only for clients who know them. */
  newHere: boolean;
  /** Their tags on this date, spelled as the day's clients spell them. */
  tags: string[];
  /** How many slots of others' sessions they may take, what each costs, and their hours as a sentence; null when loaded without familiarity. */
  work: { cap: number; load: [number, number][]; standing: string } | null;
  /** Windows of this weekday, sorted. */
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
  /** Percent: as set by hand, or as the care of the last weeks makes it; as stored when loaded without familiarity. */
  priority: number;
  twoToOne: boolean;
  careTeamOnly: boolean;
  rbtOrAbove: boolean;
  requiresGender: Gender[];
  /** Therapist ids. */
  excludesTherapist: string[];
  /** Tags that every therapist must have, and those with which the client does better. */
  needs: string[];
  prefers: string[];
  /** By therapist id; therapists who are not listed are new to the client. Empty when loaded without familiarity. */
  knows: Map<string, Familiarity>;
}

export type Familiarity = 'team' | 'known';

export interface DayAppointment {
  /** The row's own key. */
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
  /** Takes up time: not cancelled, no-show or deleted. */
  occupies: boolean;
  /** Why its therapist will not come although it is booked for them: `said no at 7:12`. */
  declined?: string | undefined;
  /** Why it was cancelled or missed, if anything of that is recorded. */
  loss?: DayLoss;
}

/** `end` 1440 is the end of the day. */
export interface DayAbsence extends Window {
  id: string;
  location: Location;
  therapistId: string | null;
  clientId: string | null;
  loss?: DayLoss;
}

/** How much a session weighs when it has no therapist, in percent of another of its kind, and why, as sentences. */
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
 * One location and date: everyone on it, with all their appointments of that day at any location. Loaded without
 * matching, it has no tags, needs, restrictions or newcomers.
 */
export interface ClinicDay {
  location: Location;
  date: IsoDate;
  /** Grows with every change to this location's day; 0 until the first. */
  version: number;
  /** Therapists of the location, and those booked there that day; by display name. */
  therapists: DayTherapist[];
  /** Clients of the location who have not left, and clients of any appointment below; by display name. */
  clients: DayClient[];
  /** All appointments of the location, and of these therapists elsewhere; every status; by start, then key. */
  appointments: DayAppointment[];
  /** Absences of these people that were not withdrawn, at any location. */
  absences: DayAbsence[];
  /** By an appointment's key: sessions that weigh more or less than others. Empty when loaded without familiarity. */
  weights: ReadonlyMap<string, SessionWeight>;
  /** Therapists who said no, unless it was taken back. */
  declines: Decline[];
  /** Therapists who were asked to stay late or to come early for a session that they have. */
  extra: ExtraHours[];
}

/** A therapist with this many sessions within the days below is on a client's team. */
export const TEAM_SESSIONS = 4;
export const TEAM_DAYS = 28;
/** A session within this many days makes a therapist known to a client. */
export const KNOWN_DAYS = 90;
