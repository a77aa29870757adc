import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { AppointmentStatus } from '../db/schema/calendar.ts';
import type { DayAppointment } from './facts/day.ts';
import { timestampOf } from '../db/wall-time.ts';

export type ChangeKind = 'kept' | 'covered' | 'swapped' | 'cancelled' | 'uncovered' | 'returned' | 'joined' | 'undone';

/**
 * An appointment as the database stores it, in plain JSON. The history records its states before and after each change,
 * and undo restores the state before the change.
 */
export interface AppointmentState {
  key: string;
  wireId: string;
  therapistId: string | null;
  bookedTherapistId: string | null;
  status: AppointmentStatus;
  starts: string;
  ends: string;
  place: string;
  clientPlace: string;
  clash: boolean;
  commitId: string | null;
  familyToldAt: string | null;
  version: number;
}

export interface AppointmentChange {
  key: string;
  /** The appointment's own key or, for a piece of a session, the key of the appointment from which it was cut. */
  of: string;
  wireId: string;
  clientId: string | null;
  location: Location;
  date: string;
  subject: string;
  /** The appointment's state before the change; null if the change created it. */
  before: AppointmentState | null;
  /** The therapist who had the session before the change. */
  had: string | null;
  after: AppointmentState;
  what: ChangeKind;
  reason: string;
  /** The Id of the session into which this piece was merged back. */
  into?: string;
}

/**
 * Returns the value of an appointment's `place`: its group's key, or its own key if it has no group. The database
 * refuses a therapist's overlapping appointments if their places differ. (Appointments that overlapped when they were
 * imported share a place; see decision 0011.)
 */
export const ownPlace = (key: string, groupKey: string | null): string =>
  groupKey === null ? key : `group:${groupKey}`;

/** Converts a database row to the appointment's current state. */
export function stateOf(row: DayAppointment, date: IsoDate): AppointmentState {
  return {
    key: row.key,
    wireId: row.wireId,
    therapistId: row.therapistId,
    bookedTherapistId: row.bookedTherapistId,
    status: row.status,
    starts: timestampOf(date, row.start),
    ends: timestampOf(date, row.end),
    place: row.place,
    clientPlace: row.clientPlace,
    clash: row.clash,
    commitId: row.commitId,
    familyToldAt: row.familyToldAt,
    version: row.version,
  };
}

/**
 * Thrown when an appointment changes between our read and our write, because another transaction did not take the
 * locks. Our transaction then starts again.
 */
class ChangedMeanwhile extends Error {
  readonly code = '40001';
  constructor() {
    super('an appointment changed between reading and writing');
  }
}

/** Stores new states of existing appointments. Each new version must be the stored version plus one. */
export async function updateStates(trx: Db, states: readonly AppointmentState[]): Promise<void> {
  if (states.length === 0) return;
  const { rows } = await sql`
    update appointment a set
      therapist_id = s."therapistId", booked_therapist_id = s."bookedTherapistId", status = s.status,
      starts = s.starts, ends = s.ends, place = s.place, client_place = s."clientPlace", clash = s.clash,
      commit_id = s."commitId", family_told_at = s."familyToldAt", version = s.version, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as s(
      key uuid, "therapistId" text, "bookedTherapistId" text, status text, starts timestamp, ends timestamp,
      place text, "clientPlace" text, clash boolean, "commitId" uuid, "familyToldAt" timestamptz, version integer)
    where a.id = s.key and a.version = s.version - 1
    returning a.id`.execute(trx);
  if (rows.length !== states.length) throw new ChangedMeanwhile();
}

export interface EventContext {
  accountId: string | null;
  commitId: string | null;
  /** A timestamp in ISO 8601. */
  at: string;
}

/** Adds changes to the history: who made them, when, why, and in which commit. Entries in the history never change. */
export async function recordEvents(
  trx: Db,
  changes: readonly AppointmentChange[],
  context: EventContext,
): Promise<void> {
  if (changes.length === 0) return;
  await trx
    .insertInto('appointment_event')
    .values(
      changes.map((c) => ({
        appointment_id: c.key,
        at: context.at,
        account_id: context.accountId,
        what: c.what,
        reason: c.reason,
        commit_id: context.commitId,
        before: JSON.stringify(c.before ?? { of: c.of, therapistId: c.had }),
        after: JSON.stringify(c.after),
      })),
    )
    .execute();
}
