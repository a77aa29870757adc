import { sql } from 'kysely';
import type { IsoDate } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { isSnapshot } from '../../db/snapshot.ts';
import { selectUses, type Uses } from './authorizations.ts';

/**
 * Returns a sign that is the same only if no date before this one, and no authorization, has changed: every change to a
 * date raises its version, and PostgreSQL never changes a row in place.
 */
async function selectSign(db: Db, before: IsoDate): Promise<string> {
  const { rows } = await sql<{ sign: string }>`
    select concat_ws(' ', current_database(), pg_postmaster_start_time(),
      (select count(*) || '/' || coalesce(sum(version), 0) from location_day
        where date < ${before}::date and date >= ${before}::date - 800),
      (select count(*) || '/' || coalesce(sum(hashtidextended(x.ctid, x.xmin::text::bigint)), 0)
        from client_authorization x where until_date >= ${before}::date - 800)) as sign`.execute(db);
  return rows[0]?.sign ?? '';
}

/** How many results are kept: those of the dates that people look at. */
const MOST_KEPT = 32;
const kept = new Map<string, { readonly sign: string; readonly uses: Uses }>();

/**
 * Returns what `selectUses` does. What a morning changes is on its own date, so what was used before is kept, while its
 * sign is the same in the same snapshot in which the rest is read.
 */
export async function loadUses(
  db: Db,
  clientIds: readonly string[],
  dates: readonly [IsoDate, ...IsoDate[]],
  open: string | null,
): Promise<Uses> {
  if (clientIds.length === 0) return { granted: [], used: [] };
  if (!isSnapshot(db)) return selectUses(db, clientIds, dates, open);
  const sign = await selectSign(db, dates[0]);
  const key = JSON.stringify([clientIds, dates, open]);
  const known = kept.get(key);
  const uses = known?.sign === sign ? known.uses : await selectUses(db, clientIds, dates, open);
  kept.delete(key);
  kept.set(key, { sign, uses });
  for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
  return uses;
}
