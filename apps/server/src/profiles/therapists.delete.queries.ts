import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';
import { isoAt } from '../platform/clock.ts';

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

/** Selects the therapist's appointments that begin after `now`, the clinic's time as PostgreSQL writes timestamps. */
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
 * Ends the therapist's series of administrative time, and removes the therapist from other weekly series, which
 * continue. Returns the locations of all these series.
 */
export async function endSeries(trx: Db, id: string, today: IsoDate) {
  const live = trx
    .updateTable('weekly_series')
    .where('therapist_id', '=', id)
    .where((eb) => eb.or([eb('until_date', 'is', null), eb('until_date', '>=', today)]));
  const ended = live.where('service', '=', 'admin').set({ until_date: today }).returning('location');
  const left = live.where('service', '<>', 'admin').set({ therapist_id: null }).returning('location');
  return [...(await ended.execute()), ...(await left.execute())];
}

/** Withdraws absences after today, and returns their locations and dates. */
export async function withdrawFutureAbsences(trx: Db, id: string, today: IsoDate, act: Act) {
  return trx
    .updateTable('absence')
    .set({ withdrawn_at: isoAt(act.at), withdrawn_by: act.caller.id })
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
