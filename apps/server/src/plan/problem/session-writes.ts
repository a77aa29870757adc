import { sql } from 'kysely';
import type { Interval, IsoDate } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import {
  ownPlace,
  stateOf,
  updateStates,
  type AppointmentChange,
  type AppointmentState,
  type ChangeKind,
} from '../../day/appointment-states.ts';
import { rootOf, type DayAppointment } from '../../day/facts/day.ts';
import { openCallDays } from '../../tell/memory/call-day.ts';
import { joinPieces } from './join-pieces.ts';
import { releaseClashes } from './release-clashes.ts';
import { timestampOf } from '../../db/wall-time.ts';

/** The desired state of a part of an appointment. Times are minutes after midnight. */
export interface TargetSegment extends Interval {
  /** The therapist's id; null for none. */
  therapistId: string | null;
  cancelled: boolean;
  /**
   * Whether the part goes to someone else so that its therapist is free for another session. If so, the therapist is
   * not stored as the one originally booked, and later plans do not give the part back to them.
   */
  swap?: boolean;
  what: ChangeKind;
  reason: string;
}

export interface RowPlan {
  row: DayAppointment;
  /** All parts of the row, without gaps. */
  segments: readonly TargetSegment[];
}

/**
 * Writes planned parts to appointments. A row keeps the part that stays with its therapist (or the first part); each
 * other part becomes a new appointment that records where it came from. Equal adjacent parts become one. Rows without a
 * change are not written. All changed rows lose their therapist first, so that therapists can exchange sessions. The
 * caller holds the locks and records the events.
 */
export async function writeSegments(
  trx: Db,
  date: IsoDate,
  plans: readonly RowPlan[],
  commitId: string | null,
): Promise<AppointmentChange[]> {
  const changes: AppointmentChange[] = [];
  const made: MadePiece[] = [];
  for (const { row, segments } of plans) {
    const merged = mergeSegments(segments);
    if (merged.length === 1 && sameAsRow(row, merged[0])) continue;
    const kept =
      merged.find((s) => !s.cancelled && s.therapistId === row.therapistId) ??
      merged.find((s) => !s.cancelled) ??
      merged[0];
    if (!kept) throw new Error('an appointment without a segment');
    changes.push(changeOf(row, date, kept, commitId, stateOf(row, date)));
    for (const s of merged) if (s !== kept) made.push({ row, change: changeOf(row, date, s, commitId, null) });
  }
  if (changes.length === 0) return [];
  await openCallDays(
    trx,
    changes.map(({ location }) => ({ location, date })),
  );
  await nameNewOnes(trx, made);
  const keys = changes.map((c) => c.key);
  await trx
    .updateTable('appointment')
    .set({ therapist_id: null })
    .where('id', '=', anyOf(keys, 'uuid'))
    .where('service', '<>', 'admin')
    .execute();
  await updateStates(
    trx,
    changes.map((c) => c.after),
  );
  await insertPieces(trx, made);
  const written = [...changes, ...made.map((m) => m.change)];
  const all = [...written, ...(await releaseClashes(trx, date, written))];
  return joinPieces(
    trx,
    date,
    plans.map((plan) => plan.row),
    all,
  );
}

/** A new appointment for a part, with the appointment that it came from. */
interface MadePiece {
  row: DayAppointment;
  change: AppointmentChange;
}

function mergeSegments(segments: readonly TargetSegment[]): TargetSegment[] {
  const out: TargetSegment[] = [];
  for (const s of [...segments].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last && last.end === s.start && last.therapistId === s.therapistId && last.cancelled === s.cancelled)
      out[out.length - 1] = { ...(last.what === 'kept' ? s : last), start: last.start, end: s.end };
    else out.push(s);
  }
  return out;
}

function sameAsRow(row: DayAppointment, s: TargetSegment | undefined): boolean {
  return s !== undefined && s.therapistId === row.therapistId && s.cancelled === (row.status === 'cancelled');
}

function changeOf(
  row: DayAppointment,
  date: IsoDate,
  s: TargetSegment,
  commitId: string | null,
  before: AppointmentState | null,
): AppointmentChange {
  const original = row.bookedTherapistId ?? row.therapistId;
  const sameTherapist = s.therapistId === row.therapistId;
  const booked = s.cancelled || s.swap ? row.bookedTherapistId : s.therapistId === original ? null : original;
  const after: AppointmentState = {
    ...stateOf(row, date),
    therapistId: s.therapistId,
    bookedTherapistId: booked,
    status: statusFor(row, s),
    starts: timestampOf(date, s.start),
    ends: timestampOf(date, s.end),
    // The current therapist may keep an existing overlap; a new therapist must not overlap anything.
    place: sameTherapist ? row.place : ownPlace(row.key, row.groupKey),
    clash: sameTherapist && row.clash,
    commitId: commitId ?? row.commitId,
    familyToldAt: null,
    version: before ? row.version + 1 : 1,
  };
  const { key, wireId, clientId, location, subject } = row;
  return {
    key,
    of: key,
    wireId,
    clientId,
    location,
    date,
    subject,
    before,
    after,
    had: row.therapistId,
    what: s.what,
    reason: s.reason,
  };
}

function statusFor(row: DayAppointment, s: TargetSegment): AppointmentStatus {
  if (s.cancelled) return 'cancelled';
  if (row.status === 'cancelled') return 'pending';
  return row.status === 'fulfilled' && s.therapistId !== row.therapistId ? 'booked' : row.status;
}

/** Gives new rows their keys and Ids. */
async function nameNewOnes(trx: Db, made: readonly MadePiece[]): Promise<void> {
  if (made.length === 0) return;
  const { rows } = await sql<{ id: string; number: string }>`
    select gen_random_uuid() as id, nextval('appointment_number') as number
    from generate_series(1, ${made.length}::int)`.execute(trx);
  made.forEach(({ change }, i) => {
    const named = rows[i];
    if (!named) throw new Error('no name for a piece');
    const wireId = `APT-${named.number}`;
    const own = (place: string): string => (place === change.key ? named.id : place);
    const { after } = change;
    change.after = { ...after, key: named.id, wireId, place: own(after.place), clientPlace: own(after.clientPlace) };
    change.key = named.id;
    change.wireId = wireId;
  });
}

async function insertPieces(trx: Db, made: readonly MadePiece[]): Promise<void> {
  if (made.length === 0) return;
  const values = made.map(({ row, change }) => {
    const { after } = change;
    return {
      id: after.key,
      wire_id: after.wireId,
      location: row.location,
      client_id: row.clientId,
      therapist_id: after.therapistId,
      booked_therapist_id: after.bookedTherapistId,
      service: row.service,
      subject: row.subject,
      status: after.status,
      starts: after.starts,
      ends: after.ends,
      place: after.place,
      client_place: after.clientPlace,
      seat: row.seat,
      group_key: row.groupKey,
      clash: after.clash,
      parent_id: rootOf(row),
      series_id: row.seriesId,
      commit_id: after.commitId,
    };
  });
  await trx.insertInto('appointment').values(values).execute();
}
