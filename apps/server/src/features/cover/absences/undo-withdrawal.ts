import { sql } from 'kysely';
import { isoDate, type IsoDate, type Location } from '@clinic/domain';
import { recordEvents, type AppointmentChange, type AppointmentState } from '../../../clinic-day/appointment-states.ts';
import type { WallOf } from '../../../clinic-day/present.ts';
import { undoConflicts } from '../../../clinic-day/undo-check.ts';
import type { Db } from '../../../db/connection.ts';
import { lockAll } from '../../../db/locks.ts';
import type { Act } from '../../../platform/access/act.ts';
import { requireTouched } from '../../../platform/access/caller.ts';
import { refusal } from '../../../platform/refusal.ts';
import { peopleDays, restoreBefore } from '../plan/restore-before.ts';
import type { AbsentPerson } from './absences.queries.ts';

/** The newest withdrawal of a person's absence on a date. Times are as the database writes them. */
interface Withdrawal {
  readonly at: string;
  readonly by: string | null;
  readonly wall: string;
  readonly locations: readonly Location[];
}

/**
 * Restores what was there before the newest withdrawal of a person's absence: the absence, and every session that the
 * withdrawal took from those who covered it. Refuses, naming people, when later changes depend on the withdrawal.
 * @returns every location whose day has changed
 */
export async function undoWithdrawal(
  trx: Db,
  wallOf: WallOf,
  { person, date, location }: { person: AbsentPerson; date: IsoDate; location: Location },
  act: Act,
): Promise<{ locations: readonly Location[] }> {
  const withdrawal = await selectWithdrawal(trx, person, date, location);
  if (!withdrawal) throw refusal('nothing-withdrawn', person.displayName, date);
  const changes = await selectReturned(trx, person, withdrawal);
  await lockAll(trx, changes.flatMap(peopleDays));
  const locations = [...new Set([...withdrawal.locations, ...changes.map((c) => c.location)])];
  requireTouched(act.caller, locations, (places) =>
    refusal('absence-reaches-elsewhere', places, person.displayName, date),
  );
  const conflicts = await undoConflicts(trx, wallOf(location), { location, wall: withdrawal.wall }, changes);
  if (conflicts.length > 0) throw refusal('undo-blocked').with({ conflicts });
  await reinstate(trx, person, date, withdrawal);
  const undone = await restoreBefore(trx, changes, `${person.displayName} is away after all`);
  const at = new Date(act.at).toISOString();
  await recordEvents(trx, undone, { accountId: act.caller.id, commitId: null, at });
  return { locations: [...new Set([location, person.location, ...locations])] };
}

const column = ({ kind }: Pick<AbsentPerson, 'kind'>) => sql.ref(kind === 'therapist' ? 'therapist_id' : 'client_id');

/** The newest withdrawal; null while the person is recorded as away, since there is nothing to restore then. */
async function selectWithdrawal(
  trx: Db,
  person: AbsentPerson,
  date: IsoDate,
  location: Location,
): Promise<Withdrawal | null> {
  const { rows } = await sql<Withdrawal>`
    select a.withdrawn_at as at, a.withdrawn_by as by, array_agg(distinct a.location) as locations,
      to_char(a.withdrawn_at at time zone l.zone, 'YYYY-MM-DD HH24:MI:00') as wall
    from absence a cross join (select zone from location where value = ${location}) l
    where a.${column(person)} = ${person.id} and a.date = ${date}::date and a.withdrawn_at is not null
      and not exists (select from absence o where o.${column(person)} = ${person.id}
        and o.date = ${date}::date and o.withdrawn_at is null)
    group by a.withdrawn_at, a.withdrawn_by, l.zone order by a.withdrawn_at desc limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** What the withdrawal changed, from the history of the sessions. */
async function selectReturned(trx: Db, person: AbsentPerson, { at, by }: Withdrawal): Promise<AppointmentChange[]> {
  const whose =
    person.kind === 'therapist' ? sql`e.after->>'bookedTherapistId' = ${person.id}` : sql`a.client_id = ${person.id}`;
  const { rows } = await sql<{
    key: string;
    before: AppointmentState | { of: string; therapistId: string | null };
    after: AppointmentState;
    what: AppointmentChange['what'];
    reason: string;
    clientId: string | null;
    location: Location;
    subject: string;
    date: string;
  }>`
    select e.appointment_id as key, e.before, e.after, e.what, e.reason, a.client_id as "clientId", a.location,
      a.subject, a.starts::date::text as date
    from appointment_event e join appointment a on a.id = e.appointment_id
    where e.at = ${at}::timestamptz and e.account_id is not distinct from ${by}::uuid and e.commit_id is null
      and ${whose} order by e.id`.execute(trx);
  return rows.map(({ before, ...row }): AppointmentChange => {
    const { key, after } = row;
    const made = !('key' in before);
    const of = 'key' in before ? key : before.of;
    return {
      ...row,
      date: isoDate(row.date),
      of,
      wireId: after.wireId,
      before: made ? null : before,
      had: before.therapistId,
    };
  });
}

/** Stores the absences again as they were, with who reported them, when and why. */
async function reinstate(trx: Db, person: AbsentPerson, date: IsoDate, { at }: Withdrawal): Promise<void> {
  await sql`update absence set withdrawn_at = null, withdrawn_by = null
    where ${column(person)} = ${person.id} and date = ${date}::date and withdrawn_at = ${at}::timestamptz`.execute(trx);
}
