import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import { stays, staysAt } from '../../people/stays.ts';
import type { Db } from '../../db/connection.ts';

/** A therapist at one of these locations, and how many minutes they were available in the range. */
export interface TherapistTime {
  readonly id: string;
  readonly name: string;
  readonly available: number;
}

/**
 * Selects the therapists who are at these locations on any day of the range, and how many minutes they are available on
 * the days on which they are.
 */
export async function selectTherapistTime(
  db: Db,
  locations: readonly Location[],
  from: IsoDate,
  to: IsoDate,
): Promise<TherapistTime[]> {
  const { rows } = await sql<TherapistTime>`
    with ${stays}
    select t.id, t.display_name as name, coalesce(sum((
      select sum(a.end_minute - a.start_minute)
      from generate_series(greatest(${from}::date, s.first_date), least(${to}::date, s.last_date), '1 day') d
      join therapist_availability a on a.therapist_id = t.id and a.day_of_week = extract(dow from d)
        and daterange(a.from_date, a.until_date, '[]') @> d::date)), 0)::int as available
    from stay s join therapist t on t.id = s.therapist_id
    where ${staysAt(locations, [from, to])}
    group by t.id, t.display_name order by t.id`.execute(db);
  return rows;
}

/** The causes' labels, by id. */
export async function selectCauseLabels(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('cause').select(['id', 'label']).execute();
  return new Map(rows.map((row) => [row.id, row.label]));
}
