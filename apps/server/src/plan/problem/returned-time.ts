import { sql } from 'kysely';
import { overlaps, subtract, type Interval, type IsoDate, type PersonKind } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { onDate, onDateAnywhere } from '../../db/wall-time.ts';
import type { DayAppointment } from '../../day/facts/day.ts';
import { appointmentOf, selectAppointmentRows } from '../../day/facts/clinic-day.queries.ts';
import type { RowPlan, TargetSegment } from './session-writes.ts';

/** A person who was away and is back. */
export interface ReturningPerson {
  readonly kind: PersonKind;
  readonly id: string;
  readonly displayName: string;
}

/**
 * Reads the appointments that a commit changed: covered because this therapist was away, or cancelled because this
 * client was away. Locks them until the transaction ends.
 */
export async function lockChangedByAbsence(trx: Db, person: ReturningPerson, date: IsoDate): Promise<DayAppointment[]> {
  const own =
    person.kind === 'therapist'
      ? sql<boolean>`booked_therapist_id = ${person.id} and therapist_id is not null and therapist_id <> ${person.id} and occupies`
      : sql<boolean>`client_id = ${person.id} and status = 'cancelled' and exists (
          select from appointment_event e
          where e.appointment_id = appointment.id and e.commit_id = appointment.commit_id and e.what = 'cancelled')`;
  const rows = await selectAppointmentRows(trx)
    .where(person.kind === 'therapist' ? onDateAnywhere(date) : onDate(date))
    .where('commit_id', 'is not', null)
    .where(own)
    .orderBy('starts')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => appointmentOf(row, date));
}

/**
 * Makes plans in which these appointments need cover again during the `freed` windows. They are left without a
 * therapist then, and later options consider the original therapist first. Time during which the client now has another
 * appointment (`blocked`) stays cancelled.
 */
export function returnedPlans(
  rows: readonly DayAppointment[],
  person: ReturningPerson,
  freed: readonly Interval[],
  blocked: readonly DayAppointment[],
): RowPlan[] {
  return rows.flatMap((row) => {
    const cancelled = row.status === 'cancelled';
    const taken = blocked.filter(
      (b) => b.clientId === row.clientId && b.seat === row.seat && b.service === row.service && b.occupies,
    );
    const back = subtract(
      subtract([row], subtract([row], freed)),
      cancelled ? taken.filter((t) => t.key !== row.key && overlaps(t, row)) : [],
    );
    if (back.length === 0) return [];
    const reason = `${person.displayName} is back`;
    const stay = subtract([row], back).map((w): TargetSegment => ({
      ...w,
      therapistId: row.therapistId,
      cancelled,
      what: cancelled ? 'cancelled' : 'kept',
      reason,
    }));
    const returned = back.map((w): TargetSegment => ({
      ...w,
      therapistId: null,
      cancelled: false,
      what: 'returned',
      reason,
    }));
    return [{ row, segments: [...stay, ...returned] }];
  });
}
