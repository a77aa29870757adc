import { sql } from 'kysely';
import { addDays, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

export interface LocationDay {
  location: Location;
  date: IsoDate;
}

/** Options are also solved for past absences: a day this far back can still have options open. */
const DAYS_BACK = 31;

/** A changed profile changes every day's plan from this one on. */
export const firstDayPlanned = (today: IsoDate): IsoDate => addDays(today, -DAYS_BACK);

/** Each location-day once, in the one order in which all transactions write them, so that none waits for another. */
export function inWriteOrder(days: readonly LocationDay[]): LocationDay[] {
  const unique = new Map(days.map((d) => [`${d.date} ${d.location}`, d]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, d]) => d);
}

/**
 * Counts a change to each of these location-days. Comes last in a transaction, because others who change the same day
 * then wait.
 */
export async function bumpDays(db: Db, days: readonly LocationDay[]): Promise<void> {
  for (const { location, date } of inWriteOrder(days)) {
    await sql`insert into location_day (location, date, version) values (${location}, ${date}, 1)
      on conflict (location, date) do update set version = location_day.version + 1`.execute(db);
  }
}
