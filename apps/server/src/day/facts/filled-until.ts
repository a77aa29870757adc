import { sql } from 'kysely';
import { addDays, isoDate, mondayOf, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

/** A week with fewer sessions than this share of the fullest one is not filled yet. */
const FILLED = 0.5;

/**
 * The last date up to which a location's calendar is filled as usual, where that is before `through`; null if it is
 * filled all the way, or has no sessions at all. An export of another system often ends after some weeks: later dates
 * then look free, and a count of their sessions says little.
 */
export async function filledUntil(
  db: Db,
  location: Location,
  [today, through]: readonly [IsoDate, IsoDate],
): Promise<IsoDate | null> {
  const first = mondayOf(today);
  const last = addDays(mondayOf(through), 6);
  const rows = await db
    .selectFrom('appointment')
    .select(sql<IsoDate>`date_trunc('week', starts)::date::text`.as('monday'))
    .select(sql<number>`count(*)::int`.as('sessions'))
    .where('location', '=', location)
    .where('occupies', '=', true)
    .where('client_id', 'is not', null)
    .where('starts', '>=', sql<string>`${first}::timestamp`)
    .where('starts', '<', sql<string>`${addDays(last, 1)}::timestamp`)
    .groupBy('monday')
    .execute();
  const usual = Math.max(0, ...rows.map(({ sessions }) => sessions));
  const filled = rows
    .filter(({ sessions }) => sessions >= usual * FILLED)
    .map(({ monday }) => addDays(isoDate(monday), 6))
    .sort()
    .at(-1);
  return filled === undefined || filled >= through ? null : filled;
}
