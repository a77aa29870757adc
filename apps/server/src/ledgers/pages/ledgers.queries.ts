import { sql } from 'kysely';
import { addDays, byName, type IsoDate, type Location, type Specialization } from '@clinic/domain';
import { isRefused, refusedBy } from '../../tell/memory/declines.ts';
import { stays, staysAt } from '../../people/stays.ts';
import type { SessionRow } from '../count/session-row.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

interface LedgerTherapist {
  readonly id: string;
  readonly display_name: string;
  readonly specialization: Specialization;
  readonly week_minutes: number | null;
  readonly day_minutes: number | null;
  readonly guaranteed_minutes: number | null;
  /** The therapist's first and last day; a deleted therapist's last day is at the latest the day of the deletion. */
  readonly first: IsoDate;
  readonly last: IsoDate | null;
}

/**
 * Selects the therapists who are at the location on any of these days, both included, sorted by name, with their hour
 * limits. So a week or a month has the same therapists, whichever of its dates is looked at.
 */
export async function selectLedgerTherapists(db: Db, location: Location, [from, until]: readonly [IsoDate, IsoDate]) {
  const { rows } = await sql<LedgerTherapist>`
    with ${stays}
    select t.id, t.display_name, t.specialization, t.week_minutes, t.day_minutes, t.guaranteed_minutes,
      t.start_date as first, least(t.end_date, (t.deleted_at at time zone l.zone)::date) as last
    from therapist t join location l on l.value = t.location
    where t.id in (select s.therapist_id from stay s where ${staysAt([location], [from, until])})
    order by t.id`.execute(db);
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
