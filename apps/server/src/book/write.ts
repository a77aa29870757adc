import { randomUUID } from 'node:crypto';
import { wireStatus, type AuditAction } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { DatedAppointment } from '../day/facts/day.ts';
import { codeOf } from '../start-error.ts';
import { ownPlace, stateOf } from '../day/appointment-states.ts';
import type { PeopleDay } from '../db/locks.ts';
import { inTransaction } from '../db/retry.ts';
import { bumpDays, type LocationDay } from '../day/facts/versions.ts';
import type { Db } from '../db/connection.ts';
import type { AppointmentStatus } from '../db/schema/calendar.ts';
import type { Act } from '../access/act.ts';
import { atEach, auditBy, type Writer } from '../access/audit.ts';
import { publishAppointments } from '../platform/events.ts';
import { refusal } from '../platform/refusal.ts';
import { selectLocationsOf, selectWritten } from './appointments.queries.ts';
import { doubleBooking, isBookedAlready, isRecordedAlready, type Claim } from './conflicts.ts';
import { findGroup, isFirstSeatTaken } from './placing.queries.ts';
import { isGroup, takesTime, timesOf, type Wanted } from './wanted.ts';

/** Carries the refused bookings out of the transaction, which cannot go on after the refusal. */
class DoubleBooked extends Error {
  override name = 'DoubleBooked';
  readonly claims: readonly Claim[];
  constructor(claims: readonly Claim[], cause?: unknown) {
    super('double booking', { cause });
    this.claims = claims;
  }
}

/**
 * Runs a transaction that books. If the database refuses a double booking, throws a refusal with the names and times,
 * which are looked up after the rollback.
 */
export async function booking<T>(
  db: Db,
  act: { readonly caller: Pick<Act['caller'], 'locations'> },
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(db, work);
  } catch (error) {
    if (error instanceof DoubleBooked) throw await doubleBooking(db, act.caller, error.claims);
    throw error;
  }
}

/**
 * Runs a write that books time. If the database refuses it as a double booking, passes these claims on to `booking`.
 */
export async function claiming<T>(claims: readonly Claim[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw codeOf(error) === '23P01' ? new DoubleBooked(claims, error) : error;
  }
}

/**
 * Refuses a session that is already on the calendar with the same status. One that takes up time is refused as a double
 * booking.
 */
export async function refuseTwice(
  trx: Db,
  claims: readonly Claim[],
  status: AppointmentStatus = 'pending',
): Promise<void> {
  for (const claim of claims) {
    if (!takesTime(status)) {
      if (await isRecordedAlready(trx, claim, status)) throw refusal('recorded-already', wireStatus(status));
    } else if (await isBookedAlready(trx, claim)) throw new DoubleBooked(claims);
  }
}

/** Returns the session's place, seat and group, which the database compares to refuse double bookings. */
export async function placeOf(trx: Db, key: string, wanted: Wanted) {
  const times = timesOf(wanted);
  const { clientId, therapistId } = wanted;
  const taken =
    clientId !== null && wanted.service === 'direct'
      ? await isFirstSeatTaken(trx, { key, clientId, location: wanted.location, ...times })
      : false;
  const group_key =
    isGroup(wanted) && therapistId !== null
      ? ((await findGroup(trx, { ...wanted, ...times, key, therapistId })) ?? randomUUID())
      : null;
  return { seat: taken ? 2 : 1, group_key, place: ownPlace(key, group_key) };
}

/** Returns the therapist, client and time that a session claims, for describing a double booking. */
export function claimOf(key: string, wanted: Wanted, placed: { seat: number; place: string }): Claim {
  return {
    key,
    therapistId: wanted.therapistId,
    clientId: wanted.clientId,
    direct: wanted.service === 'direct',
    admin: wanted.service === 'admin',
    seat: placed.seat,
    place: placed.place,
    location: wanted.location,
    subject: wanted.subject,
    ...timesOf(wanted),
  };
}

/** Audits a save without changes as a read, because the reply shows the session. */
export async function recordRead(trx: Db, act: Act, read: DatedAppointment): Promise<void> {
  await auditBy(trx, act, {
    action: 'appointment.read',
    subjectKind: 'appointment',
    subjectIds: [read.key],
    location: read.location,
    detail: { clients: read.clientId === null ? [] : [read.clientId] },
  });
}

/** Completes a change to appointments: increases the changed days' versions, announces the change, and audits it. */
export async function settleWrite(
  trx: Db,
  act: Writer,
  written: {
    action: AuditAction;
    keys: readonly string[];
    /** Returns the days and people of the appointments before and after the change. */
    touched: readonly (PeopleDay & LocationDay)[];
    detail: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const days: LocationDay[] = [];
  for (const { location, date, therapistId } of written.touched) {
    days.push({ location, date });
    const further = therapistId === null ? [] : await selectLocationsOf(trx, [therapistId], date);
    days.push(...further.map((elsewhere) => ({ location: elsewhere, date })));
  }
  await bumpDays(trx, days);
  await publishAppointments(trx, days, act.caller.id ?? '');
  const clientsAt = (location: Location): string[] => [
    ...new Set(written.touched.flatMap((one) => (one.location === location ? (one.clientId ?? []) : []))),
  ];
  const entries = atEach(
    days.map((day) => day.location),
    {
      action: written.action,
      subjectKind: 'appointment',
      subjectIds: written.keys,
    },
  );
  // Each location's audit entry lists only the clients at that location.
  await auditBy(
    trx,
    act,
    ...entries.map((entry) => ({ ...entry, detail: { ...written.detail, clients: clientsAt(entry.location) } })),
  );
}

/** An appointment's state before this transaction wrote it, and its state now. */
export async function statesSince(trx: Db, before: DatedAppointment) {
  const after = await selectWritten(trx, before.key);
  return { before: stateOf(before, before.date), after: stateOf(after, after.date) };
}
