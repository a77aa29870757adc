import { sql } from 'kysely';
import { addDays, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

export interface LocationDay {
  location: Location;
  date: IsoDate;
}

/** Options are also made for past absences: options of days this far back may still be open. */
const DAYS_BACK = 31;

/** When a profile changes, the plans of all days from this one on change. */
export const firstDayPlanned = (today: IsoDate): IsoDate => addDays(today, -DAYS_BACK);

/**
 * Each day of a location once, in the order in which all transactions write them, so that none has to wait for
 * another.
 */
export function inWriteOrder(days: readonly LocationDay[]): LocationDay[] {
  const unique = new Map(days.map((d) => [`${d.date} ${d.location}`, d]));
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, d]) => d);
}

/**
 * Counts a change to each of these days. Must come last in a transaction, because everyone else who changes the same
 * day then waits.
 */
export async function bumpDays(db: Db, days: readonly LocationDay[]): Promise<void> {
  for (const { location, date } of inWriteOrder(days)) {
    await sql`insert into location_day (location, date, version) values (${location}, ${date}, 1)
      on conflict (location, date) do update set version = location_day.version + 1`.execute(db);
  }
}
