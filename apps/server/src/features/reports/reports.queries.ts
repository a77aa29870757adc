import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

/** A therapist at one of these locations, and how many minutes they were available in the range. */
export interface TherapistTime {
  readonly id: string;
  readonly name: string;
  readonly available: number;
}

/**
 * Selects the therapists at these locations who are employed on any day of the range, and how many minutes they are
 * available in it. A deleted therapist was employed up to the day of the deletion, since what they did until then counts
 * too.
 */
export async function selectTherapistTime(
  db: Db,
  locations: readonly Location[],
  from: IsoDate,
  to: IsoDate,
): Promise<TherapistTime[]> {
  const { rows } = await sql<TherapistTime>`
    select t.id, t.display_name as name, coalesce((
      select sum(a.end_minute - a.start_minute)
      from generate_series(greatest(${from}::date, t.start_date), least(${to}::date, last.date), '1 day') d
      join therapist_availability a on a.therapist_id = t.id and a.day_of_week = extract(dow from d)
        and daterange(a.from_date, a.until_date, '[]') @> d::date), 0)::int as available
    from therapist t join location l on l.value = t.location,
      lateral (select least(t.end_date, (t.deleted_at at time zone l.zone)::date) as date) last
    where t.location = ${anyOf(locations)}
      and t.start_date <= ${to}::date and (last.date is null or last.date >= ${from}::date)
    order by t.id`.execute(db);
  return rows;
}

/** The causes' labels, by id. */
export async function selectCauseLabels(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('cause').select(['id', 'label']).execute();
  return new Map(rows.map((row) => [row.id, row.label]));
}
