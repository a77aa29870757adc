import { sql } from 'kysely';
import type { Interval, IsoDate, Location, PersonKind } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/** An absence, a cancelled session or a no-show without a recorded cause. */
export interface NotSaid extends Interval {
  readonly kind: 'absence' | 'session';
  readonly key: string;
  readonly name: string;
  readonly type: PersonKind;
  readonly date: IsoDate;
}

/**
 * Finds everything from `from` to `to` (both included) that has no recorded cause: absences, and cancelled sessions and
 * no-shows whose client was not away.
 */
export async function selectNotSaid(db: Db, location: Location, from: IsoDate, to: IsoDate): Promise<NotSaid[]> {
  const { rows } = await sql<NotSaid>`
    select 'absence' as kind, a.id::text as key, coalesce(t.display_name, c.display_name) as name,
      case when t.id is null then 'client' else 'therapist' end as type, a.date,
      a.start_minute as start, a.end_minute as end
    from absence a left join therapist t on t.id = a.therapist_id left join client c on c.id = a.client_id
    where a.location = ${location} and a.date between ${from}::date and ${to}::date and a.withdrawn_at is null
      and a.cause_id is null
    union all
    select 'session', p.id::text, c.display_name, 'client', p.starts::date, m.starts, m.ends
    from appointment p join client c on c.id = p.client_id
    cross join lateral (select (extract(epoch from p.starts - p.starts::date::timestamp) / 60)::int as starts,
      (extract(epoch from p.ends - p.starts::date::timestamp) / 60)::int as ends) m
    where p.location = ${location} and p.starts::date between ${from}::date and ${to}::date
      and p.status in ('cancelled', 'noshow') and p.cause_id is null
      and not exists (select 1 from absence a where a.client_id = p.client_id and a.date = p.starts::date
        and a.withdrawn_at is null and a.start_minute < m.ends and m.starts < a.end_minute)
    order by date, start, name, key`.execute(db);
  return rows;
}

/**
 * Counts, for each location and date, the therapists who reported an absence that nobody has decided about: those who
 * belong to the location, and those with a session there on the date.
 */
export async function selectReported(db: Db, from: IsoDate, to: IsoDate) {
  const { rows } = await sql<{ location: Location; date: IsoDate; therapists: number }>`
    select place.location, day::date as date, count(distinct t.id)::int as therapists
    from absence_report r join therapist t on t.id = r.therapist_id
    cross join generate_series(greatest(r.first_date, ${from}::date), least(r.last_date, ${to}::date), interval '1 day') day
    cross join lateral (
      select t.location
      union select a.location from appointment a
        where a.therapist_id = t.id and a.occupies and a.starts >= day and a.starts < day + interval '1 day'
    ) place
    where r.decision is null and t.deleted_at is null and r.first_date <= ${to}::date and r.last_date >= ${from}::date
    group by 1, 2`.execute(db);
  return rows;
}
