import { sql, type UpdateObject } from 'kysely';
import type { IsoDate } from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import { addExceptions, selectLeave, type Leave } from '../../day/facts/leaves.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import type { Database } from '../../db/schema.ts';
import { selectAbsentPerson, type AbsentPerson } from '../../plan/absences/absences.queries.ts';
import { leavesOf } from '../../plan/absences/leave.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';

/** Finds whose a leave is, and holds the lock on that person's leaves. */
export async function lockLeavesOf(trx: Db, id: string): Promise<AbsentPerson> {
  const found = await trx
    .selectFrom('leave')
    .select(['therapist_id', 'client_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  const kind = found?.therapist_id == null ? 'client' : 'therapist';
  const person = await selectAbsentPerson(trx, { kind, id: found?.therapist_id ?? found?.client_id ?? '' });
  if (!person) throw refusal('no-such-leave');
  await lockAll(trx, [leavesOf(person)]);
  return person;
}

/** Reads a standing leave and whose it is, and holds the lock on that person's leaves. */
export async function lockLeave(trx: Db, id: string): Promise<{ leave: Leave; person: AbsentPerson }> {
  const person = await lockLeavesOf(trx, id);
  const leave = await selectLeave(trx, id);
  if (!leave) throw refusal('no-such-leave');
  return { leave, person };
}

export async function update(trx: Db, id: string, values: UpdateObject<Database, 'leave'>): Promise<void> {
  await trx.updateTable('leave').set(values).where('id', '=', id).execute();
}

/** Keeps the leave as it is, for the undo of the act that is about to change it. */
export async function remember(trx: Db, { exceptions, id }: Leave, act: Act): Promise<void> {
  await sql`update leave set changed_at = ${isoAt(act.at)}, changed_by = ${act.caller.id}::uuid,
    before = jsonb_build_object('first_date', first_date, 'last_date', last_date, 'weekdays', weekdays,
      'start_minute', start_minute, 'end_minute', end_minute, 'lost_by', lost_by, 'cause_id', cause_id,
      'known_at', known_at, 'untold', untold, 'exceptions', ${JSON.stringify(exceptions)}::jsonb)
    where id = ${id}`.execute(trx);
}

/** Makes the leave what it was before its newest act. */
export async function restoreFact(trx: Db, id: string): Promise<void> {
  const { rows } = await sql<{ exceptions: IsoDate[] }>`
    update leave l set (first_date, last_date, weekdays, start_minute, end_minute, lost_by, cause_id, known_at, untold) = (
      select b.first_date, b.last_date, b.weekdays, b.start_minute, b.end_minute, b.lost_by, b.cause_id, b.known_at, b.untold
      from jsonb_to_record(l.before) as b(first_date date, last_date date, weekdays smallint[], start_minute smallint,
        end_minute smallint, lost_by text, cause_id text, known_at timestamp, untold boolean)),
      ended_at = null
    where id = ${id} returning before->'exceptions' as exceptions`.execute(trx);
  await trx.deleteFrom('leave_exception').where('leave_id', '=', id).execute();
  await addExceptions(
    trx,
    rows.flatMap(({ exceptions }) => exceptions.map((date) => ({ leave: id, date }))),
  );
}

/** The sessions that a leave cancelled. */
export async function selectAside(trx: Db, id: string): Promise<AppointmentChange[]> {
  const row = await trx
    .selectFrom('leave')
    .select(sql<AppointmentChange[]>`set_aside`.as('aside'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.aside;
}

/** The dates that an act changed: those on which it took a window away (`took`), and those on which it only added. */
export async function datesOfAct(trx: Db, person: AbsentPerson, at: string) {
  const { rows } = await sql<{ date: IsoDate; took: boolean }>`
    select date::text, bool_or(withdrawn_at is not distinct from ${at}::timestamptz) as took from absence
    where ${sql.ref(person.kind === 'therapist' ? 'therapist_id' : 'client_id')} = ${person.id}
      and (reported_at = ${at}::timestamptz and withdrawn_at is null or withdrawn_at = ${at}::timestamptz)
    group by date order by date`.execute(trx);
  return rows;
}
