import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import type { Act } from '../../platform/access/act.ts';

export interface FutureAppointment {
  readonly id: string;
  readonly date: IsoDate;
  readonly starts: string;
  readonly ends: string;
  readonly location: Location;
  readonly service: string;
  readonly subject: string;
  readonly client_id: string | null;
  readonly client: string | null;
}

/** The therapist's appointments that begin after `now`, a wall time as the database writes it. */
export async function selectFutureAppointments(db: Db, id: string, now: string): Promise<FutureAppointment[]> {
  return db
    .selectFrom('appointment')
    .leftJoin('client', 'client.id', 'appointment.client_id')
    .select(['appointment.id', 'starts', 'ends', 'appointment.location', 'service', 'subject', 'client_id'])
    .select(['client.display_name as client', sql<IsoDate>`starts::date`.as('date')])
    .where('therapist_id', '=', id)
    .where('occupies', '=', true)
    .where('starts', '>', now)
    .orderBy('starts')
    .orderBy('appointment.id')
    .execute();
}

/**
 * Takes the therapist off the sessions, which then need cover, and cancels administrative time, which no one else can
 * take; each with its history. A row of a group stays with its group.
 */
export async function unassign(trx: Db, act: Act, appointments: readonly FutureAppointment[]): Promise<void> {
  if (appointments.length === 0) return;
  const ids = appointments.map((appointment) => appointment.id);
  await sql`
    with changed as (
      select id, therapist_id, status, service from appointment where id = any(${ids}::uuid[])
    )
    insert into appointment_event (appointment_id, account_id, what, reason, before, after)
    select id, ${act.caller.id}, case when service = 'admin' then 'cancelled' else 'unassigned' end, 'therapist deleted',
      jsonb_build_object('therapist_id', therapist_id, 'status', status),
      case when service = 'admin' then jsonb_build_object('therapist_id', therapist_id, 'status', 'cancelled')
           else jsonb_build_object('therapist_id', null, 'status', status) end
    from changed`.execute(trx);
  await sql`
    update appointment set
      therapist_id = case when service = 'admin' then therapist_id end,
      booked_therapist_id = null,
      status = case when service = 'admin' then 'cancelled' else status end,
      place = coalesce('group:' || group_key, id::text),
      clash = client_place like 'clash:%',
      commit_id = null,
      version = version + 1,
      updated_at = ${new Date(act.at).toISOString()}
    where id = any(${ids}::uuid[])`.execute(trx);
}

/** Weekly series continue without the therapist; administrative ones end. Returns the series' locations. */
export async function endSeries(trx: Db, id: string, today: IsoDate) {
  const live = trx
    .updateTable('weekly_series')
    .where('therapist_id', '=', id)
    .where((eb) => eb.or([eb('until_date', 'is', null), eb('until_date', '>=', today)]));
  const ended = live.where('service', '=', 'admin').set({ until_date: today }).returning('location');
  const left = live.where('service', '<>', 'admin').set({ therapist_id: null }).returning('location');
  return [...(await ended.execute()), ...(await left.execute())];
}

/** Withdraws absences after today; returns their dates. */
export async function withdrawFutureAbsences(trx: Db, id: string, today: IsoDate, act: Act) {
  return trx
    .updateTable('absence')
    .set({ withdrawn_at: new Date(act.at).toISOString(), withdrawn_by: act.caller.id })
    .where('therapist_id', '=', id)
    .where('withdrawn_at', 'is', null)
    .where('date', '>', today)
    .returning(['location', 'date'])
    .execute();
}

export async function markDeleted(trx: Db, id: string, at: string): Promise<void> {
  await trx.deleteFrom('contact').where('therapist_id', '=', id).execute();
  await trx
    .updateTable('therapist')
    .set({ deleted_at: at, updated_at: at, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}
