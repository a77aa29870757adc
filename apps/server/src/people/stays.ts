import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';

/**
 * Defines the SQL table `stay`: when each therapist was, is or will be at which location, from `first_date` to
 * `last_date`, which is null without a last day. A deleted therapist's last day is at the latest the day of the deletion.
 */
export const stays = sql`stay as (
  select therapist_id, location, first_date, last_date from former_stay
  union all
  select t.id, t.location, day.first, day.last
  from therapist t join location l on l.value = t.location, lateral (
    select greatest(t.start_date, (select max(f.last_date) + 1 from former_stay f where f.therapist_id = t.id)) as first,
      least(t.end_date, (t.deleted_at at time zone l.zone)::date) as last
  ) day
  -- After a move that came after the last day, there is no present stay.
  where coalesce(day.first <= day.last, true)
)`;

type Days = readonly [from: IsoDate, until: IsoDate];

const onDays = ([from, until]: Days) =>
  sql`s.first_date <= ${until}::date and coalesce(s.last_date >= ${from}::date, true)`;

/** In SQL, whether a row `s` of `stay` is at one of the locations on any of these days, both included. */
export const staysAt = (locations: readonly Location[], days: Days) =>
  sql`s.location = ${anyOf(locations)} and ${onDays(days)}`;

/** Returns every location at which a therapist is on any of these days. */
export async function selectLocationsOf(db: Db, therapistId: string, days: Days): Promise<Location[]> {
  const { rows } = await sql<{ location: Location }>`
    with ${stays} select s.location from stay s where s.therapist_id = ${therapistId} and ${onDays(days)}
    order by s.first_date desc`.execute(db);
  return rows.map(({ location }) => location);
}
