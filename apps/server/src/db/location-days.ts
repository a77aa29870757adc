import { sql } from 'kysely';
import type { Location } from '@clinic/domain';
import type { Db } from './connection.ts';

/** One location's date. */
export interface LocationDay {
  readonly location: Location;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

/** A therapist's or a client's date: what a write of the calendar locks before it reads. */
export interface PersonDay {
  readonly kind: 'therapist' | 'client';
  readonly id: string;
  readonly date: string;
}

/**
 * Counts a change to each of the days, once however often it is named, in one order so that two transactions cannot
 * wait for each other. To be called in the transaction of every write of appointments, absences or availability.
 */
export async function bumpLocationDays(trx: Db, days: readonly LocationDay[]): Promise<void> {
  const unique = new Map(days.map((day) => [`${day.location}/${day.date}`, day]));
  const sorted = [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day);
  if (sorted.length === 0) return;
  await trx
    .insertInto('location_day')
    .values(sorted.map(({ location, date }) => ({ location, date, version: 1 })))
    .onConflict((conflict) =>
      conflict.columns(['location', 'date']).doUpdateSet({ version: sql`location_day.version + 1` }),
    )
    .execute();
}

/** How often the location's day has changed; 0 for one that never was touched. */
export async function locationDayVersion(db: Db, day: LocationDay): Promise<number> {
  const row = await db
    .selectFrom('location_day')
    .select('version')
    .where('location', '=', day.location)
    .where('date', '=', day.date)
    .executeTakeFirst();
  return Number(row?.version ?? 0);
}

/**
 * Waits until no other transaction holds any of these people's days, and holds them until the end of this one. Sorted,
 * so that two transactions cannot wait for each other; exclusion constraints alone were seen to deadlock.
 */
export async function lockPeopleDays(trx: Db, people: readonly PersonDay[]): Promise<void> {
  const keys = [...new Set(people.map(({ kind, id, date }) => `${kind}/${id}/${date}`))].sort();
  if (keys.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(hashed)
    from (select hashtextextended(key, 0) as hashed from unnest(${keys}::text[]) with ordinality as k (key, place)
          order by place offset 0) as ordered`.execute(trx);
}
