import { sql } from 'kysely';
import type { IsoDate } from '@clinic/domain';
import { allOf, anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import {
  ownPlace,
  stateOf,
  updateStates,
  type AppointmentChange,
  type AppointmentState,
} from '../../day/appointment-states.ts';
import { appointmentOf, selectAppointmentRows } from '../../day/facts/clinic-day.queries.ts';

/**
 * Ends imported double bookings of appointments that have changed. An appointment that no longer overlaps another of
 * the therapist's appointments gets its own place; from then on, no other appointment may overlap it. Returns these
 * changes for a later undo.
 */
export async function releaseClashes(
  trx: Db,
  date: IsoDate,
  changes: readonly AppointmentChange[],
): Promise<AppointmentChange[]> {
  const places = changes.flatMap((c) => (c.before?.place.startsWith('clash:') ? [c.before.place] : []));
  if (places.length === 0) return [];
  const keys = changes.map((c) => c.key);
  const rows = await selectAppointmentRows(trx)
    .where('place', '=', anyOf(places))
    .where('place', 'like', 'clash:%')
    .where('id', '<>', allOf(keys, 'uuid'))
    .where('occupies', '=', true)
    .where(
      sql<boolean>`not exists (select from appointment b where b.id <> appointment.id and b.occupies
        and b.therapist_id = appointment.therapist_id and b.instants && appointment.instants
        and (b.service <> 'admin' or b.place = appointment.place))`,
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const released = rows.map((found): AppointmentChange => {
    const row = appointmentOf(found, date);
    const before = stateOf(row, date);
    const after: AppointmentState = {
      ...before,
      place: ownPlace(row.key, row.groupKey),
      clash: row.clientPlace.startsWith('clash:'),
      version: row.version + 1,
    };
    const { key, wireId, clientId, location, subject } = row;
    const what = { had: row.therapistId, what: 'kept' as const, reason: 'No longer double-booked' };
    return { key, of: key, wireId, clientId, location, date, subject, before, after, ...what };
  });
  await updateStates(
    trx,
    released.map((c) => c.after),
  );
  return released;
}
