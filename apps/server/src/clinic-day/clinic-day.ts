import type { Gender, IsoDate, Location, Specialization } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { AppointmentStatus, Service } from '../db/schema.ts';
import {
  selectAbsences,
  selectAppointments,
  selectAvailability,
  selectClients,
  selectFamiliarity,
  selectRestrictions,
  selectTherapists,
  selectVersion,
} from './clinic-day.queries.ts';

/** Minutes after midnight, [start, end). */
export interface Window {
  start: number;
  end: number;
}

export interface DayTherapist {
  id: string;
  firstName: string;
  displayName: string;
  /** Where they belong; they may be booked elsewhere as well. */
  location: Location;
  credential: Specialization;
  gender: Gender;
  /** No longer with the clinic, but still booked on this day. */
  deleted: boolean;
  /** Windows of this weekday, sorted. */
  available: Window[];
}

export interface DayClient {
  id: string;
  firstName: string;
  displayName: string;
  location: Location;
  gender: Gender;
  /** Percent. */
  priority: number;
  twoToOne: boolean;
  careTeamOnly: boolean;
  rbtOrAbove: boolean;
  requiresGender: Gender[];
  /** Therapist ids. */
  excludesTherapist: string[];
  /** By therapist id; a therapist who is not there is new to the client. Empty when loaded without familiarity. */
  knows: Map<string, Familiarity>;
}

export type Familiarity = 'team' | 'known';

export interface DayAppointment {
  /** The row's own key. */
  key: string;
  /** The Id people see; imported data may hold one twice. */
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
  /** Takes time: neither cancelled, no-show nor deleted. */
  occupies: boolean;
}

/** `end` 1440 is the end of the day. */
export interface DayAbsence extends Window {
  id: string;
  location: Location;
  therapistId: string | null;
  clientId: string | null;
}

/** One location and date: everyone in it, with all they have that day at any location. */
export interface ClinicDay {
  location: Location;
  date: IsoDate;
  /** Grows with every change to this location's day; 0 when nothing ever changed. */
  version: number;
  /** Those of the location, and those booked there that day; by display name. */
  therapists: DayTherapist[];
  /** Those of the location who have not left, and those of any appointment below; by display name. */
  clients: DayClient[];
  /** All of the location's, and of these therapists at any other; every status; by start, then key. */
  appointments: DayAppointment[];
  /** Stored and not withdrawn, of these people, at any location. */
  absences: DayAbsence[];
}

export interface LoadOptions {
  /** Whether to count who knows whom (one more query over 90 days); true unless told. */
  familiarity?: boolean;
}

/** Sessions that make a therapist part of a client's team, within so many days before the date. */
const TEAM_SESSIONS = 4;
export const TEAM_DAYS = 28;
/** Days back in which one session makes a therapist known to a client. */
export const KNOWN_DAYS = 90;

/**
 * Loads one location's day. Inside a transaction that holds the locks of the people it is about to change, what it
 * says of them cannot be outdated.
 */
export async function loadClinicDay(
  db: Db,
  location: Location,
  date: IsoDate,
  options: LoadOptions = {},
): Promise<ClinicDay> {
  // The version first: whoever changes the day meanwhile leaves a version that is too old, never one that is too new.
  const version = await selectVersion(db, location, date);
  const therapistRows = await selectTherapists(db, location, date);
  const therapistIds = therapistRows.map((t) => t.id);
  const appointments = await selectAppointments(db, location, date, therapistIds);
  const booked = new Set(appointments.flatMap((a) => (a.clientId === null ? [] : [a.clientId])));
  const clientRows = await selectClients(db, location, date, [...booked]);
  const clientIds = clientRows.map((c) => c.id);
  const availability = await selectAvailability(db, therapistIds, date);
  const restrictions = await selectRestrictions(db, clientIds);
  const absences = await selectAbsences(db, date, therapistIds, clientIds);
  const familiarity = options.familiarity === false ? [] : await selectFamiliarity(db, [...booked], therapistIds, date);

  const windows = new Map<string, Window[]>();
  for (const w of availability) pushTo(windows, w.therapistId, { start: w.start, end: w.end });
  const knows = new Map<string, Map<string, Familiarity>>();
  for (const k of familiarity) {
    const of = knows.get(k.clientId) ?? new Map<string, Familiarity>();
    of.set(k.therapistId, k.recent >= TEAM_SESSIONS ? 'team' : 'known');
    knows.set(k.clientId, of);
  }
  const limits = new Map<string, { genders: Gender[]; excludes: string[] }>();
  for (const r of restrictions) {
    const of = limits.get(r.clientId) ?? { genders: [], excludes: [] };
    if (r.requiresGender) of.genders.push(r.requiresGender);
    if (r.excludesTherapistId) of.excludes.push(r.excludesTherapistId);
    limits.set(r.clientId, of);
  }
  return {
    location,
    date,
    version,
    therapists: therapistRows.map((t) => ({ ...t, available: t.deleted ? [] : (windows.get(t.id) ?? []) })),
    clients: clientRows.map((c) => ({
      ...c,
      requiresGender: limits.get(c.id)?.genders ?? [],
      excludesTherapist: limits.get(c.id)?.excludes ?? [],
      knows: knows.get(c.id) ?? new Map<string, Familiarity>(),
    })),
    appointments,
    absences,
  };
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
