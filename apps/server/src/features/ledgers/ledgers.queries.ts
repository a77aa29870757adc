import { sql } from 'kysely';
import { addDays, byName, type IsoDate, type Location } from '@clinic/domain';
import { isRefused, refusedBy } from '../../clinic-day/declines.ts';
import type { SessionRow } from '../../clinic-day/session-row.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

/** Selects the location's therapists who are employed on the date, sorted by name, with their hour limits. */
export async function selectLedgerTherapists(db: Db, location: Location, date: IsoDate) {
  const rows = await db
    .selectFrom('therapist')
    .select(['id', 'display_name', 'specialization', 'week_minutes', 'day_minutes', 'guaranteed_minutes'])
    .where('location', '=', location)
    .where('deleted_at', 'is', null)
    .where('start_date', '<=', date)
    .where((eb) => eb.or([eb('end_date', 'is', null), eb('end_date', '>=', date)]))
    .orderBy('id')
    .execute();
  return byName(rows, (row) => row.display_name);
}

/** Counts how many of these therapists have no credential on record; BTs need none. */
export async function countWithoutCredential(db: Db, therapistIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from therapist t
    where t.id = ${anyOf(therapistIds)} and t.specialization <> 'BT' and not exists (
      select from therapist_credential c where c.therapist_id = t.id and c.credential = t.specialization)`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Selects the therapist's sessions from one date to another, both included, except those that take up no time and those
 * that the therapist declined.
 */
export async function selectLedgerSessions(db: Db, therapistId: string, [from, until]: readonly [IsoDate, IsoDate]) {
  const { rows } = await sql<SessionRow & { readonly cover: boolean }>`
    with ${refusedBy([therapistId], sql`x.date between ${from} and ${until}`)}
    select a.id, a.location, a.starts, a.ends, a.subject, c.display_name as client,
      coalesce(a.booked_therapist_id <> a.therapist_id, false) as cover
    from appointment a left join client c on c.id = a.client_id
    where a.therapist_id = ${therapistId} and a.occupies and not ${isRefused('a')}
      and a.starts >= ${from}::timestamp and a.starts < ${addDays(until, 1)}::timestamp
    order by a.starts, a.id`.execute(db);
  return rows;
}
