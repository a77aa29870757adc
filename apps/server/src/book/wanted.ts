import {
  isGroupSubject,
  nameKey,
  parseTime,
  serviceOfSubject,
  tidyText,
  type Interval,
  type IsoDate,
  type Location,
  type PersonKind,
  type Service,
} from '@clinic/domain';
import { UNASSIGNED, parseStatus, type AppointmentBody } from '@clinic/contract';
import { findPerson } from '../people/people.ts';
import { timestampOf } from '../db/wall-time.ts';
import type { Db } from '../db/connection.ts';
import type { AppointmentStatus } from '../db/schema/calendar.ts';
import { mayWorkAt } from '../access/caller.ts';
import { refusal } from '../platform/refusal.ts';
import type { Caller } from '../access/sessions.ts';

/** An appointment as the user wants it, after names and times have been checked. */
export interface Wanted extends Interval {
  readonly location: Location;
  readonly date: IsoDate;
  /** The client's id; null for administrative time. */
  readonly clientId: string | null;
  /** The therapist's id; null if there is none yet. */
  readonly therapistId: string | null;
  readonly service: Service;
  readonly subject: string;
  /** The requested status. Null keeps the current status; a new appointment is then Scheduled. */
  readonly status: AppointmentStatus | null;
}

/**
 * The display names of the appointment's current people. When this appointment is changed, these names always mean
 * these people, even if they have left or someone else has the same name.
 */
export interface KnownNames {
  readonly therapist: { readonly id: string; readonly name: string } | null;
  readonly client: { readonly id: string; readonly name: string } | null;
}

/**
 * Reads a booking from a request. Refuses (422, with the field)
 * an unknown name, an empty subject, an end before the start, and administrative time without a therapist.
 */
export async function readWanted(
  db: Db,
  caller: Caller,
  body: AppointmentBody,
  adminClientName: string,
  known: KnownNames = { therapist: null, client: null },
): Promise<Wanted> {
  const start = parseTime(body.start) ?? 0;
  const end = parseTime(body.end) ?? 0;
  if (end <= start) throw refusal('end-before-start');
  const subject = tidyText(body.subject);
  if (subject === '') throw refusal('subject-empty');
  const administrative = nameKey(body.client) === nameKey(adminClientName);
  const nobody = body.therapist === null || nameKey(body.therapist) === nameKey(UNASSIGNED);
  if (administrative && nobody) throw refusal('administrative-time-unassigned');
  const place = { location: body.location, date: body.date };
  const find = async (kind: PersonKind, name: string): Promise<string> => {
    const already = known[kind];
    if (already !== null && nameKey(already.name) === nameKey(name)) return already.id;
    return (await findPerson(db, kind, name, place, (location) => mayWorkAt(caller, location))).id;
  };
  return {
    location: body.location,
    date: body.date,
    start,
    end,
    clientId: administrative ? null : await find('client', body.client),
    therapistId: nobody || body.therapist === null ? null : await find('therapist', body.therapist),
    service: administrative ? 'admin' : serviceOfSubject(subject),
    subject,
    status: body.status === undefined ? null : parseStatus(body.status),
  };
}

/** The times as PostgreSQL timestamps. */
export function timesOf(wanted: Pick<Wanted, 'date' | 'start' | 'end'>): { starts: string; ends: string } {
  return { starts: timestampOf(wanted.date, wanted.start), ends: timestampOf(wanted.date, wanted.end) };
}

/** Whether this is a group session: one therapist with several clients in one place. */
export function isGroup(wanted: Pick<Wanted, 'subject' | 'clientId' | 'therapistId'>): boolean {
  return wanted.clientId !== null && wanted.therapistId !== null && isGroupSubject(wanted.subject);
}

/** Whether an appointment with this status takes up time, by the same rule as the database column `occupies`. */
export function takesTime(status: AppointmentStatus): boolean {
  return status === 'pending' || status === 'booked' || status === 'fulfilled';
}
