import { sql } from 'kysely';
import { addDays, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

export interface LocationDay {
  location: Location;
  date: IsoDate;
}

/**
 * How many days back plans can reach: options are also made for past absences, and a coordinator may still have such
 * options open.
 */
const DAYS_BACK = 31;

/** The first date whose plans a changed profile can affect. */
export const firstDayPlanned = (today: IsoDate): IsoDate => addDays(today, -DAYS_BACK);

/**
 * Lists each location's day once, in the fixed order in which every transaction writes days, so that no two
 * transactions deadlock.
 */
export function inWriteOrder(days: readonly LocationDay[]): LocationDay[] {
  const unique = new Map(days.map((d) => [`${d.date} ${d.location}`, d]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, d]) => d);
}

/**
 * Raises the version of each of these days. Must come last in a transaction, because every other transaction that
 * changes the same day must wait from then on.
 */
export async function bumpDays(db: Db, days: readonly LocationDay[]): Promise<void> {
  const ordered = inWriteOrder(days);
  if (ordered.length === 0) return;
  await sql`insert into location_day (location, date, version)
    select d.location, d.date, 1
    from unnest(${ordered.map((d) => d.location)}::text[], ${ordered.map((d) => d.date)}::date[]) with ordinality
      as d (location, date, place)
    order by d.place
    on conflict (location, date) do update set version = location_day.version + 1`.execute(db);
}
